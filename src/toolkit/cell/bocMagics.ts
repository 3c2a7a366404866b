import type { ErrorCode } from '../base/errorCodes';
import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';

/** The first four bytes of a bag of cells (crypto/tl/boc.tlb), by format. */
export const bocMagics = {
  generic: 0xb5ee9c72,
  indexed: 0x68ff65f3,
  'indexed-crc': 0xacc3a728,
} as const;

/** Whether hex digits are a bag of cells, or the beginning of one. */
export function isBocHex(text: string): boolean {
  const first = /^[0-9a-f]{8}/i.exec(text)?.[0];
  return first !== undefined && Object.values<number>(bocMagics).includes(parseInt(first, 16));
}

/** Why a BoC is rejected. All of them have `details.offset`, in bytes from the start of the BoC. */
export type BocErrorCode = Extract<ErrorCode, `boc-bad-${string}` | `boc-too-${string}` | 'boc-truncated'>;

const hints: Partial<Record<BocErrorCode, string>> = {
  'boc-too-large': 'BoCs of up to 16 MiB are read.',
  'boc-too-many-cells': 'BoCs of up to 1,048,576 cells are read.',
  'boc-too-many-roots': 'BoCs of up to 16,384 roots are read.',
  'boc-bad-magic': 'A BoC starts with the bytes b5ee9c72, in base64 with "te6cc".',
  'boc-truncated': 'Check that you copied the whole text or file.',
  'boc-bad-crc': 'The bytes were changed after they were written; copy or download them again.',
  'boc-too-deep': 'The protocol allows a depth of 1,024.',
};

/** A rejected BoC: where (`details.offset`, and `details.cell` if known) and why. */
export function bocError(code: BocErrorCode, offset: number, reason: string, cell?: number): WorkbenchError {
  const place = cell === undefined ? `byte ${offset}` : `byte ${offset}, cell ${cell}`;
  return new WorkbenchError({
    code,
    kind: 'input',
    message: `Not a readable BoC: ${reason} (${place}).`,
    hint: hints[code],
    details: { offset, ...(cell === undefined ? {} : { cell }) },
  });
}

/** Limits of a BoC, so that hostile input costs bounded time and memory. */
export interface BocLimits {
  /** Bytes of the whole BoC. */
  bytes: number;
  /** Cells, each counted once. */
  cells: number;
  /** References from a root to its deepest leaf; 1,024 is the protocol's own limit. */
  depth: number;
  /** Roots; a node accepts 16,384. */
  roots: number;
}

/** The product's limits. */
export const bocLimits: BocLimits = {
  bytes: limits.boc.most,
  cells: limits.bocCells.most,
  depth: limits.bocDepth.most,
  roots: limits.bocRoots.most,
};

/** The format of a BoC: with flags (b5ee9c72), or one of two older ones that always have an index. */
type BocForm = keyof typeof bocMagics;

/** The contents before the cells. Offsets are bytes from the start of the BoC. */
export interface BocHeader {
  form: BocForm;
  hasIndex: boolean;
  hasCrc: boolean;
  /** The index holds doubled offsets whose lowest bit is a cache hint. */
  hasCacheBits: boolean;
  /** Bytes per cell number, 1 to 4. */
  referenceBytes: number;
  /** Bytes per offset, 1 to 8. */
  offsetBytes: number;
  cellCount: number;
  /** Cell numbers of the roots. */
  roots: readonly number[];
  indexStart: number;
  cellsStart: number;
  /** Bytes of all cells. */
  cellsLength: number;
  /** Bytes of the whole BoC, checksum included. */
  totalLength: number;
}

const forms = Object.keys(bocMagics) as BocForm[];

/** Reads and checks the header (crypto/tl/boc.tlb: serialized_boc, serialized_boc_idx, serialized_boc_idx_crc32c). */
export function readBocHeader(bytes: Uint8Array, limits: BocLimits): BocHeader {
  const reader = new HeaderReader(bytes);
  const magic = reader.uint(4, 'the magic number');
  const form = forms.find((one) => bocMagics[one] === magic);
  if (form === undefined) {
    throw bocError('boc-bad-magic', 0, 'it does not start with a known magic number');
  }
  const flags = reader.uint(1, 'the flags');
  const generic = form === 'generic';
  const hasIndex = !generic || (flags & 0x80) !== 0;
  const hasCrc = generic ? (flags & 0x40) !== 0 : form === 'indexed-crc';
  const hasCacheBits = generic && (flags & 0x20) !== 0;
  if (generic && (flags & 0x18) !== 0) {
    throw bocError('boc-bad-header', 4, 'two flags that must be zero are set');
  }
  if (hasCacheBits && !hasIndex) {
    throw bocError('boc-bad-header', 4, 'it claims cache bits for an index that it does not have');
  }
  const referenceBytes = generic ? flags & 7 : flags;
  if (referenceBytes < 1 || referenceBytes > 4) {
    throw bocError('boc-bad-header', 4, `cell numbers of ${referenceBytes} bytes; 1 to 4 are allowed`);
  }
  const offsetBytes = reader.uint(1, 'the size of offsets');
  if (offsetBytes < 1 || offsetBytes > 8) {
    throw bocError('boc-bad-header', 5, `offsets of ${offsetBytes} bytes; 1 to 8 are allowed`);
  }
  const { cellCount, rootCount } = readCounts(reader, referenceBytes, generic, limits);
  const lengthAt = reader.offset;
  const cellsLength = reader.uint(offsetBytes, 'the size of all cells');
  const roots = generic ? readRoots(reader, referenceBytes, rootCount, cellCount) : [0];
  const indexStart = reader.offset;
  const cellsStart = indexStart + (hasIndex ? cellCount * offsetBytes : 0);
  const totalLength = cellsStart + cellsLength + (hasCrc ? 4 : 0);
  if (totalLength > bytes.length) {
    const reason = `it claims ${totalLength} bytes, but has only ${bytes.length}`;
    throw bocError('boc-truncated', lengthAt, reason);
  }
  // Every cell has two descriptor bytes: claiming many cells in few bytes costs no memory.
  if (cellsLength < cellCount * 2) {
    throw bocError('boc-bad-size', lengthAt, `${cellCount} cells cannot fit in ${cellsLength} bytes`);
  }
  return {
    form,
    hasIndex,
    hasCrc,
    hasCacheBits,
    referenceBytes,
    offsetBytes,
    cellCount,
    roots,
    indexStart,
    cellsStart,
    cellsLength,
    totalLength,
  };
}

function readCounts(
  reader: HeaderReader,
  referenceBytes: number,
  generic: boolean,
  limits: BocLimits,
): { cellCount: number; rootCount: number } {
  const at = reader.offset;
  const cellCount = reader.uint(referenceBytes, 'the number of cells');
  const rootCount = reader.uint(referenceBytes, 'the number of roots');
  const absentCount = reader.uint(referenceBytes, 'the number of absent cells');
  if (cellCount === 0) {
    throw bocError('boc-bad-header', at, 'it has no cells');
  }
  if (cellCount > limits.cells) {
    throw bocError('boc-too-many-cells', at, `it claims ${cellCount} cells`);
  }
  if (rootCount === 0 || rootCount > cellCount) {
    throw bocError(
      'boc-bad-header',
      at + referenceBytes,
      `it claims ${rootCount} roots but only ${cellCount} cells`,
    );
  }
  if (!generic && rootCount !== 1) {
    throw bocError('boc-bad-header', at + referenceBytes, 'this older format has exactly one root');
  }
  if (rootCount > limits.roots) {
    throw bocError('boc-too-many-roots', at + referenceBytes, `it claims ${rootCount} roots`);
  }
  if (absentCount !== 0) {
    throw bocError('boc-bad-header', at + 2 * referenceBytes, `${absentCount} of its cells are absent`);
  }
  return { cellCount, rootCount };
}

function readRoots(
  reader: HeaderReader,
  referenceBytes: number,
  rootCount: number,
  cellCount: number,
): number[] {
  const roots: number[] = [];
  for (let i = 0; i < rootCount; i++) {
    const at = reader.offset;
    const root = reader.uint(referenceBytes, 'the list of roots');
    if (root >= cellCount) {
      throw bocError('boc-bad-root', at, `root ${i} is cell ${root} of ${cellCount}`);
    }
    roots.push(root);
  }
  return roots;
}

/** Big-endian numbers, with errors that name what is missing. */
class HeaderReader {
  offset = 0;
  constructor(private readonly bytes: Uint8Array) {}

  uint(length: number, what: string): number {
    if (this.offset + length > this.bytes.length) {
      throw bocError('boc-truncated', this.offset, `it ends before ${what}`);
    }
    let value = 0;
    for (let i = 0; i < length; i++) {
      value = value * 256 + this.bytes[this.offset++]!;
    }
    return value;
  }
}
