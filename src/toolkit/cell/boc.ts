import * as crypto from 'node:crypto';
import type { BocHeader } from './bocMagics';

/** The type of a cell: ordinary, or one of the four exotic types. */
export type CellKind = 'ordinary' | 'pruned' | 'library' | 'merkle-proof' | 'merkle-update';

/** Indexed by the type byte of an exotic cell; 0 means ordinary. */
export const cellKinds: readonly CellKind[] = [
  'ordinary',
  'pruned',
  'library',
  'merkle-proof',
  'merkle-update',
];

/** An oddity that does not put the content in doubt. */
export interface BocNote {
  code: 'boc-index-differs' | 'boc-trailing-bytes' | 'boc-unreferenced-cells';
  /** One sentence. */
  text: string;
  /** Bytes from the start of the BoC. */
  offset: number;
}

/** What the reader learned about every cell. */
export interface BocTables {
  /** Offset of a cell's descriptor bytes. */
  starts: Uint32Array;
  /** Index into {@link cellKinds}. */
  kinds: Uint8Array;
  /** Level masks, 0 to 7. */
  masks: Uint8Array;
  /** The first slot of a cell in `depths`; it has one per significant level. */
  slots: Uint32Array;
  depths: Uint16Array;
}

const bitCounts = [0, 1, 1, 2, 1, 2, 2, 3] as const;
const sha256 = pickSha256();

/**
 * A checked bag of cells: typed arrays over its bytes. A cell is identified by its index in the bag (0 to `cellCount`
 * - 1); a cell's references always have greater numbers. Hashes are computed on demand.
 */
export class Boc {
  readonly #tables: BocTables;
  #hashes = new Uint8Array(0);
  /** 1 for cells whose hashes are known; empty before the first use. */
  #hashed = new Uint8Array(0);
  readonly #scratch = new Uint8Array(2 + 128 + 4 * 34);

  /** Use `readBoc`, which makes sure that the tables are valid. */
  constructor(
    readonly bytes: Uint8Array,
    readonly header: BocHeader,
    tables: BocTables,
    readonly notes: readonly BocNote[],
  ) {
    this.#tables = tables;
  }

  get cellCount(): number {
    return this.header.cellCount;
  }

  /** Cell numbers. */
  get roots(): readonly number[] {
    return this.header.roots;
  }

  kind(cell: number): CellKind {
    return cellKinds[this.#tables.kinds[cell]!]!;
  }

  /** Where the cell starts, in bytes from the start of the BoC. */
  offset(cell: number): number {
    return this.#tables.starts[cell]!;
  }

  /** Bits of data, 0 to 1,023; of an exotic cell with its type byte. */
  bitLength(cell: number): number {
    const d2 = this.bytes[this.offset(cell) + 1]!;
    if ((d2 & 1) === 0) {
      return d2 * 4;
    }
    const length = (d2 + 1) >> 1;
    const last = this.bytes[this.#dataStart(cell) + length - 1]!;
    return length * 8 - 1 - trailingZeros(last);
  }

  /** The data bytes as stored: an incomplete last byte ends with a 1 bit and zeros. A view, not a copy. */
  data(cell: number): Uint8Array {
    const start = this.#dataStart(cell);
    return this.bytes.subarray(start, start + ((this.bytes[this.offset(cell) + 1]! + 1) >> 1));
  }

  referenceCount(cell: number): number {
    return this.bytes[this.offset(cell)]! & 7;
  }

  /** The index of the cell that reference `index` (0 to 3) points to. */
  reference(cell: number, index: number): number {
    const size = this.header.referenceBytes;
    let at = this.#dataStart(cell) + ((this.bytes[this.offset(cell) + 1]! + 1) >> 1) + index * size;
    let value = 0;
    for (const end = at + size; at < end; at++) {
      value = value * 256 + this.bytes[at]!;
    }
    return value;
  }

  references(cell: number): number[] {
    return Array.from({ length: this.referenceCount(cell) }, (_, index) => this.reference(cell, index));
  }

  /** Bits 0 to 2 are the levels 1 to 3 on which the cell depends on something pruned. */
  levelMask(cell: number): number {
    return this.#tables.masks[cell]!;
  }

  /** 0 to 3. */
  level(cell: number): number {
    return 32 - Math.clz32(this.levelMask(cell));
  }

  /** Depth on `level`, by default the depth of the cell as it is. */
  depth(cell: number, level = 3): number {
    return this.#tables.depths[this.#slot(cell, level)]!;
  }

  /** SHA-256 of the representation on `level` (32 bytes, a view), by default the representation hash. */
  hash(cell: number, level = 3): Uint8Array {
    this.#ensureHashed(cell);
    const at = this.#slot(cell, level) * 32;
    return this.#hashes.subarray(at, at + 32);
  }

  /** The hash in lowercase hex. */
  hashHex(cell: number, level = 3): string {
    return Buffer.from(this.hash(cell, level)).toString('hex');
  }

  #dataStart(cell: number): number {
    const start = this.offset(cell);
    const d1 = this.bytes[start]!;
    return start + 2 + (d1 & 16 ? (bitCounts[d1 >> 5]! + 1) * 34 : 0);
  }

  #slot(cell: number, level: number): number {
    return this.#tables.slots[cell]! + bitCounts[this.levelMask(cell) & ((1 << level) - 1)]!;
  }

  #ensureHashed(cell: number): void {
    if (this.#hashed.length === 0) {
      this.#hashes = new Uint8Array(this.#tables.depths.length * 32);
      this.#hashed = new Uint8Array(this.cellCount);
    }
    const stack = [cell];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (this.#hashed[top] === 1) {
        stack.pop();
        continue;
      }
      const before = stack.length;
      for (let i = this.referenceCount(top) - 1; i >= 0; i--) {
        const child = this.reference(top, i);
        if (this.#hashed[child] === 0) {
          stack.push(child);
        }
      }
      if (stack.length === before) {
        this.#computeHashes(top);
        this.#hashed[top] = 1;
        stack.pop();
      }
    }
  }

  /**
   * DataCell.cpp: one representation per significant level; above the first, the hash of the level below replaces the
   * data.
   */
  #computeHashes(cell: number): void {
    const mask = this.levelMask(cell);
    const first = this.#tables.slots[cell]!;
    const data = this.data(cell);
    const kind = this.kind(cell);
    if (kind === 'pruned') {
      const stored = bitCounts[mask]!;
      // A pruned cell of 280 bits lacks the mask byte; see readExotic.
      const hashesAt = data.length === 35 ? 1 : 2;
      this.#hashes.set(data.subarray(hashesAt, hashesAt + stored * 32), first * 32);
      this.#writeHash(cell, mask, data, 0, first + stored);
      return;
    }
    const shift = kind === 'merkle-proof' || kind === 'merkle-update' ? 1 : 0;
    let slot = first;
    for (let level = 0; level <= 3; level++) {
      if (level > 0 && (mask & (1 << (level - 1))) === 0) {
        continue;
      }
      const content = slot === first ? data : this.#hashes.subarray((slot - 1) * 32, slot * 32);
      this.#writeHash(cell, mask & ((1 << level) - 1), content, level + shift, slot);
      slot++;
    }
  }

  #writeHash(cell: number, mask: number, content: Uint8Array, childLevel: number, slot: number): void {
    const start = this.offset(cell);
    const scratch = this.#scratch;
    const count = this.referenceCount(cell);
    scratch[0] = (this.bytes[start]! & 15) | (mask << 5);
    scratch[1] = this.bytes[start + 1]!;
    scratch.set(content, 2);
    let at = 2 + content.length;
    for (let i = 0; i < count; i++) {
      const depth = this.depth(this.reference(cell, i), childLevel);
      scratch[at++] = depth >> 8;
      scratch[at++] = depth & 255;
    }
    for (let i = 0; i < count; i++) {
      const child = this.#slot(this.reference(cell, i), childLevel) * 32;
      scratch.set(this.#hashes.subarray(child, child + 32), at);
      at += 32;
    }
    this.#hashes.set(sha256(scratch.subarray(0, at)), slot * 32);
  }
}

/** Number of hashes and depths of a cell with this level mask. */
export function significantLevels(mask: number): number {
  return bitCounts[mask]! + 1;
}

function trailingZeros(byte: number): number {
  return 31 - Math.clz32(byte & -byte);
}

/** The one-shot hash of Node 20.12 is twice as fast as createHash; an editor's runtime may lack it. */
function pickSha256(): (data: Uint8Array) => Uint8Array {
  return typeof crypto.hash === 'function'
    ? (data) => crypto.hash('sha256', data, 'buffer')
    : (data) => crypto.createHash('sha256').update(data).digest();
}

/** A cell's data in Fift notation: `x{4A_}`, where `_` marks a bit count not divisible by four. */
export function dataText(boc: Boc, cell: number): string {
  const bits = boc.bitLength(cell);
  const hex = Buffer.from(boc.data(cell)).toString('hex').toUpperCase();
  const digits = bits % 4 === 0 ? hex.slice(0, bits / 4) : `${hex.slice(0, Math.floor(bits / 4) + 1)}_`;
  return `x{${digits}}`;
}

/** One line of a tree of cells. */
interface TreeLine {
  cell: number;
  /** 0 for a root. */
  indent: number;
  text: string;
  /** The cell and its subtree were already shown above; they are not repeated. */
  repeated: boolean;
}

/** How much of the tree is rendered. */
interface BocTreeOptions {
  /** Cells to start from. Default: the roots. */
  roots?: readonly number[];
  /** Maximum number of lines. Default 10,000; the rest is counted in `left`. */
  limit?: number;
}

/**
 * The cells from the roots down, depth first, each with number, kind, bits, references, depth, whole hash and data. A
 * cell already shown is not expanded again, so that a small BoC cannot produce an endless tree.
 */
export function bocTree(boc: Boc, options: BocTreeOptions = {}): { lines: TreeLine[]; left: number } {
  const limit = options.limit ?? 10_000;
  const roots = options.roots ?? boc.roots;
  const stack = roots.map((cell) => ({ cell, indent: 0 })).reverse();
  const shown = new Map<number, number>();
  const lines: TreeLine[] = [];
  for (let next = stack.pop(); next !== undefined && lines.length < limit; next = stack.pop()) {
    const { cell, indent } = next;
    const before = shown.get(cell);
    const text =
      before === undefined ? lineText(boc, cell) : `#${cell}  as above, line ${before + 1} of the tree`;
    lines.push({ cell, indent, text, repeated: before !== undefined });
    if (before === undefined) {
      shown.set(cell, lines.length - 1);
      for (let i = boc.referenceCount(cell) - 1; i >= 0; i--) {
        stack.push({ cell: boc.reference(cell, i), indent: indent + 1 });
      }
    }
  }
  return { lines, left: lines.length < limit ? 0 : boc.cellCount - shown.size };
}

function lineText(boc: Boc, cell: number): string {
  const kind = boc.kind(cell);
  const refs = boc.referenceCount(cell);
  return [
    `#${cell}`,
    ...(kind === 'ordinary' ? [] : [kind]),
    ...(boc.level(cell) === 0 ? [] : [`level ${boc.level(cell)}`]),
    `${boc.bitLength(cell)} bits`,
    refs === 1 ? '1 ref' : `${refs} refs`,
    `depth ${boc.depth(cell)}`,
    boc.hashHex(cell),
    dataText(boc, cell),
  ].join('  ');
}
