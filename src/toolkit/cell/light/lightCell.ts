import * as crypto from 'node:crypto';
import type { Boc } from '../boc';
import { bocMagics } from '../bocMagics';
import { readBoc as readCheckedBoc } from '../readBoc';

/** The one-shot hash of Node 20.12 is twice as fast as createHash; an editor's runtime may lack it. */
const sha256: (data: Buffer) => Buffer =
  typeof crypto.hash === 'function'
    ? (data) => crypto.hash('sha256', data, 'buffer')
    : (data) => crypto.createHash('sha256').update(data).digest();

/** Type byte of a library cell, the only exotic cell hashed like an ordinary one. */
const libraryType = 2;

/**
 * A cell read from a BoC without copying: its bytes stay in place, its hash is computed on first use with the
 * runtime's own SHA-256. Used on the chain's hot path; @ton/core's cells hash at construction, in JavaScript, which
 * takes as long as the emulator itself.
 */
export class LightCell {
  #hash: Buffer | undefined;
  #depth = -1;

  constructor(
    /** First descriptor byte: number of references, exotic flag, level. */
    readonly d1: number,
    /** Data with the completion tag, as in a BoC. */
    readonly data: Buffer,
    readonly bitLength: number,
    readonly refs: readonly LightCell[],
    /** Set for cells of a level above zero and for proofs, whose hashes come from @ton/core. */
    known?: { hash: Buffer; depth: number },
  ) {
    if (known !== undefined) {
      this.#hash = known.hash;
      this.#depth = known.depth;
    }
  }

  get exotic(): boolean {
    return (this.d1 & 8) !== 0;
  }

  get isLibrary(): boolean {
    return this.exotic && this.data[0] === libraryType;
  }

  /** Second descriptor byte. */
  get d2(): number {
    return Math.ceil(this.bitLength / 8) + Math.floor(this.bitLength / 8);
  }

  /** Representation hash, 32 bytes. */
  get hash(): Buffer {
    return (this.#hash ??= this.#computeHash());
  }

  /** The hash as 64 lowercase hex digits. */
  get hexHash(): string {
    return this.hash.toString('hex');
  }

  get depth(): number {
    if (this.#depth < 0) {
      this.#depth = this.refs.reduce((deepest, ref) => Math.max(deepest, ref.depth + 1), 0);
    }
    return this.#depth;
  }

  #computeHash(): Buffer {
    const size = this.data.length;
    const count = this.refs.length;
    const representation = Buffer.allocUnsafe(2 + size + count * 34);
    representation[0] = this.d1;
    representation[1] = this.d2;
    this.data.copy(representation, 2);
    let offset = 2 + size;
    for (const ref of this.refs) {
      offset = representation.writeUInt16BE(ref.depth, offset);
    }
    for (const ref of this.refs) {
      offset += ref.hash.copy(representation, offset);
    }
    return sha256(representation);
  }

  /** Whether both have the same content. Cheaper than hashing if most cells are equal. */
  sameAs(other: LightCell): boolean {
    return isSame(this, other, { left: mostCompared });
  }
}

/** Cells to compare one by one. Shared cells are revisited, so beyond this number hashes decide. */
const mostCompared = 1_000;

function isSame(cell: LightCell, other: LightCell, budget: { left: number }): boolean {
  if (cell === other) {
    return true;
  }
  budget.left -= 1;
  if (budget.left < 0) {
    return cell.hash.equals(other.hash);
  }
  return (
    cell.d1 === other.d1 &&
    cell.bitLength === other.bitLength &&
    cell.data.equals(other.data) &&
    cell.refs.every((ref, index) => isSame(ref, other.refs[index] as LightCell, budget))
  );
}

/** An ordinary cell of these bits (completion tag included in `data`) and references. */
export function ordinaryCell(data: Buffer, bitLength: number, refs: readonly LightCell[]): LightCell {
  return new LightCell(refs.length, data, bitLength, refs);
}

/**
 * The first root of a BoC as light cells, which keep views of `boc`. Throws a WorkbenchError (`boc-…`) if it is
 * malformed.
 */
export function readLightCell(boc: Buffer): LightCell {
  const checked = readCheckedBoc(boc);
  const cells = new Array<LightCell>(checked.cellCount);
  // Children come after their parents, so going backwards finds them ready.
  for (let number = checked.cellCount - 1; number >= 0; number -= 1) {
    cells[number] = lightCell(checked, number, cells);
  }
  return cells[checked.roots[0] as number] as LightCell;
}

function lightCell(boc: Boc, number: number, cells: readonly LightCell[]): LightCell {
  const count = boc.referenceCount(number);
  const refs = new Array<LightCell>(count);
  for (let place = 0; place < count; place += 1) {
    refs[place] = cells[boc.reference(number, place)] as LightCell;
  }
  const kind = boc.kind(number);
  const data = asBuffer(boc.data(number));
  const bits = boc.bitLength(number);
  const level = boc.levelMask(number);
  if (level === 0 && (kind === 'ordinary' || kind === 'library')) {
    return new LightCell(count + (kind === 'library' ? 8 : 0), data, bits, refs);
  }
  const d1 = count + (kind === 'ordinary' ? 0 : 8) + level * 32;
  const known = { hash: Buffer.from(boc.hash(number)), depth: boc.depth(number) };
  return new LightCell(d1, data, bits, refs, known);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** `root` as a BoC: one root, no index, no checksum; equal cells are written once. */
export function writeLightCell(root: LightCell): Buffer {
  const order = topologicalOrder(root);
  const index = new Map(order.map((cell, place) => [cell, place]));
  const refSize = bytesFor(order.length);
  const size = order.reduce((sum, cell) => sum + 2 + cell.data.length + cell.refs.length * refSize, 0);
  const offsetSize = bytesFor(size);
  const boc = Buffer.allocUnsafe(6 + 4 * refSize + offsetSize + size);
  boc.writeUInt32BE(bocMagics.generic, 0);
  boc[4] = refSize;
  boc[5] = offsetSize;
  let offset = boc.writeUIntBE(order.length, 6, refSize);
  offset = boc.writeUIntBE(1, offset, refSize);
  offset = boc.writeUIntBE(0, offset, refSize);
  offset = boc.writeUIntBE(size, offset, offsetSize);
  offset = boc.writeUIntBE(0, offset, refSize);
  for (const cell of order) {
    boc[offset] = cell.d1;
    boc[offset + 1] = cell.d2;
    offset += 2 + cell.data.copy(boc, offset + 2);
    for (const ref of cell.refs) {
      offset = boc.writeUIntBE(index.get(ref) as number, offset, refSize);
    }
  }
  return boc;
}

function bytesFor(value: number): number {
  return value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x1000000 ? 3 : 4;
}

/** Parents before children; every cell object once. */
function topologicalOrder(root: LightCell): LightCell[] {
  const seen = new Set<LightCell>();
  const reversed: LightCell[] = [];
  const visit = (cell: LightCell): void => {
    seen.add(cell);
    for (let place = cell.refs.length - 1; place >= 0; place -= 1) {
      const ref = cell.refs[place] as LightCell;
      if (!seen.has(ref)) {
        visit(ref);
      }
    }
    reversed.push(cell);
  };
  visit(root);
  return reversed.reverse();
}
