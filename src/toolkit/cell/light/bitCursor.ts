import { MalformedCellError } from './malformedCellError';
import type { LightCell } from './lightCell';
import { ordinaryCell } from './lightCell';

/** Reads a cell's bits and references in order. Throws {@link MalformedCellError} if there are not enough. */
export class BitCursor {
  #bit = 0;
  #ref = 0;

  constructor(readonly cell: LightCell) {}

  get remainingBits(): number {
    return this.cell.bitLength - this.#bit;
  }

  skip(bits: number): this {
    this.#need(bits);
    this.#bit += bits;
    return this;
  }

  bit(): boolean {
    return this.uint(1) === 1;
  }

  /** At most 32 bits. */
  uint(bits: number): number {
    const value = this.peekUint(bits);
    this.#bit += bits;
    return value;
  }

  /** At most 32 bits, without advancing. */
  peekUint(bits: number): number {
    this.#need(bits);
    let value = 0;
    let position = this.#bit;
    let left = bits;
    while (left > 0) {
      const inByte = 8 - (position & 7);
      const take = Math.min(inByte, left);
      const byte = this.cell.data[position >> 3] as number;
      value = value * 2 ** take + ((byte >> (inByte - take)) & ((1 << take) - 1));
      position += take;
      left -= take;
    }
    return value;
  }

  int(bits: number): number {
    const value = this.uint(bits);
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }

  bigUint(bits: number): bigint {
    let value = 0n;
    for (let left = bits; left > 0; left -= 32) {
      const take = Math.min(left, 32);
      value = (value << BigInt(take)) | BigInt(this.uint(take));
    }
    return value;
  }

  /** A VarUInteger whose byte length takes `lengthBits` bits; 4 for coins. */
  varUint(lengthBits: number): bigint {
    return this.bigUint(this.uint(lengthBits) * 8);
  }

  coins(): bigint {
    return this.varUint(4);
  }

  bytes(count: number): Buffer {
    const result = copyBits(this.cell.data, this.#bit, this.#checked(count * 8));
    this.#bit += count * 8;
    return result;
  }

  ref(): LightCell {
    const ref = this.cell.refs[this.#ref];
    if (ref === undefined) {
      throw new MalformedCellError('reference missing');
    }
    this.#ref += 1;
    return ref;
  }

  maybeRef(): LightCell | null {
    return this.bit() ? this.ref() : null;
  }

  /** The remainder as a cell. */
  rest(): LightCell {
    if (this.#bit === 0 && this.#ref === 0) {
      return this.cell;
    }
    const bits = this.remainingBits;
    const data = copyBits(this.cell.data, this.#bit, bits);
    if (bits % 8 !== 0) {
      data[data.length - 1] = (data[data.length - 1] as number) | (0x80 >> (bits % 8));
    }
    return ordinaryCell(data, bits, this.cell.refs.slice(this.#ref));
  }

  #need(bits: number): void {
    if (bits > this.remainingBits) {
      throw new MalformedCellError('bits missing');
    }
  }

  #checked(bits: number): number {
    this.#need(bits);
    return bits;
  }
}

/** `bits` bits from bit `from`, left-aligned, the rest of the last byte zero. */
function copyBits(source: Buffer, from: number, bits: number): Buffer {
  const bytes = Math.ceil(bits / 8);
  const shift = from & 7;
  const start = from >> 3;
  const result = Buffer.allocUnsafe(bytes);
  if (shift === 0) {
    source.copy(result, 0, start, start + bytes);
  } else {
    for (let index = 0; index < bytes; index += 1) {
      const high = (source[start + index] as number) << shift;
      const low = (source[start + index + 1] ?? 0) >> (8 - shift);
      result[index] = (high | low) & 0xff;
    }
  }
  if (bits % 8 !== 0) {
    result[bytes - 1] = (result[bytes - 1] as number) & (0xff << (8 - (bits % 8)));
  }
  return result;
}
