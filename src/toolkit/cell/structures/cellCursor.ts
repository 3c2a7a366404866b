import type { Boc } from '../boc';
import type { CellPath, StructurePlace } from './structure';

/** Reads bits and references of one cell of a `Boc` in order. After the first thing missing, nothing more is read. */
export class CellCursor {
  readonly #boc: Boc;
  readonly #data: Uint8Array;
  readonly #bits: number;
  readonly #refs: number;
  /** Bits and references read so far. */
  bit = 0;
  ref = 0;
  /** Why nothing more can be read here; undefined as long as everything fits. */
  broken: string | undefined;

  constructor(
    boc: Boc,
    readonly path: CellPath,
  ) {
    this.#boc = boc;
    this.#data = boc.data(path.cell);
    this.#bits = boc.bitLength(path.cell);
    this.#refs = boc.referenceCount(path.cell);
  }

  get bitsLeft(): number {
    return this.#bits - this.bit;
  }

  get refsLeft(): number {
    return this.#refs - this.ref;
  }

  /** From bit `from` to where the cursor is. */
  placeFrom(from: number): StructurePlace {
    return { at: this.path, from, to: this.bit };
  }

  /** An unsigned number; 0 if there are not enough bits. */
  uint(bits: number): bigint {
    const hex = this.hex(bits);
    return hex === '' ? 0n : BigInt(`0x${hex}`) >> BigInt(-bits & 3);
  }

  int(bits: number): bigint {
    return BigInt.asIntN(bits, this.uint(bits));
  }

  /** The next bits as text of 0 and 1; empty if there are not enough. */
  text(bits: number): string {
    return this.#has(bits) ? this.#advance(bits, this.peek(bits)) : '';
  }

  /** The next bits, or as many as there are, without reading them, as text of 0 and 1. */
  peek(bits: number): string {
    let text = '';
    const end = this.broken === undefined ? Math.min(this.bit + bits, this.#bits) : this.bit;
    for (let at = this.bit; at < end; at += 1) {
      text += (this.#data[at >> 3]! >> (7 - (at & 7))) & 1;
    }
    return text;
  }

  /** The next bits as hex digits, the last one padded with zeros; empty if there are not enough. */
  hex(bits: number): string {
    return this.#has(bits) ? this.#advance(bits, this.#hex(bits)) : '';
  }

  /** The cell of the next reference; undefined if there is none. */
  next(): CellPath | undefined {
    if (this.broken !== undefined || this.refsLeft === 0) {
      this.fail('a reference expected, none left');
      return undefined;
    }
    const reference = this.ref;
    this.ref += 1;
    return { cell: this.#boc.reference(this.path.cell, reference), parent: this.path, reference };
  }

  fail(reason: string): void {
    this.broken ??= reason;
  }

  #has(bits: number): boolean {
    if (this.broken === undefined && bits <= this.bitsLeft) {
      return true;
    }
    this.fail(`${bits} ${bits === 1 ? 'bit' : 'bits'} expected, ${this.bitsLeft} left`);
    return false;
  }

  #advance<T>(bits: number, value: T): T {
    this.bit += bits;
    return value;
  }

  #hex(bits: number): string {
    const shift = this.bit & 7;
    const start = this.bit >> 3;
    const bytes = Buffer.alloc(Math.ceil(bits / 8));
    for (let index = 0; index < bytes.length; index += 1) {
      const high = this.#data[start + index]! << shift;
      bytes[index] = high | ((this.#data[start + index + 1] ?? 0) >> (8 - shift));
    }
    if (bits % 8 !== 0) {
      bytes[bytes.length - 1]! &= 0xff << (8 - (bits % 8));
    }
    return bytes.toString('hex').slice(0, Math.ceil(bits / 4));
  }
}

/** Hex digits of bits given as text of 0 and 1, the last one padded with zeros. */
export function hexOfBits(text: string): string {
  let hex = '';
  for (let at = 0; at < text.length; at += 4) {
    hex += Number.parseInt(text.slice(at, at + 4).padEnd(4, '0'), 2).toString(16);
  }
  return hex;
}
