import * as crypto from 'node:crypto';

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
