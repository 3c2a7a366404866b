import { WorkBudget } from '../../base/limits';
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

/** A cell's contents do not match the scheme. */
export class MalformedCellError extends Error {}

/**
 * Visits a Hashmap's leaves in the order of their keys (unsigned).
 * @param root the top edge, without the "not empty" bit of a HashmapE
 * @throws WorkbenchError `over-limit`: n cells that refer to one another can hold 2^n leaves
 */
export function walkDictionary(
  root: LightCell,
  keyBits: number,
  visit: (key: bigint, value: BitCursor) => void,
): void {
  walk(root, keyBits, 0n, visit, new WorkBudget('dictionaryCells'));
}

function walk(
  cell: LightCell,
  left: number,
  prefix: bigint,
  visit: (key: bigint, value: BitCursor) => void,
  budget: WorkBudget,
): void {
  budget.spend();
  const cursor = new BitCursor(cell);
  const label = readLabel(cursor, left);
  const key = (prefix << BigInt(label.length)) | label.bits;
  const below = left - label.length;
  if (below === 0) {
    visit(key, cursor);
    return;
  }
  walk(cursor.ref(), below - 1, key << 1n, visit, budget);
  walk(cursor.ref(), below - 1, (key << 1n) | 1n, visit, budget);
}

function readLabel(cursor: BitCursor, maximum: number): { length: number; bits: bigint } {
  const lengthBits = maximum === 0 ? 0 : 32 - Math.clz32(maximum);
  if (!cursor.bit()) {
    let length = 0;
    while (cursor.bit()) {
      length += 1;
    }
    return { length, bits: cursor.bigUint(length) };
  }
  if (!cursor.bit()) {
    const length = cursor.uint(lengthBits);
    return { length, bits: cursor.bigUint(length) };
  }
  const one = cursor.bit();
  const length = cursor.uint(lengthBits);
  return { length, bits: one ? (1n << BigInt(length)) - 1n : 0n };
}

/** What the chain needs from a transaction (block.tlb, `Transaction`); the rest stays in its BoC. */
export interface TransactionFacts {
  /** Lowercase hex. */
  hash: string;
  lt: bigint;
  now: number;
  /** Cells as stored in the transaction, so that their hashes are the messages' hashes. */
  inMessage: LightCell | null;
  outMessages: LightCell[];
}

/**
 * Whether a transaction was aborted, from its description; null if it is not ordinary (block.tlb, `trans_ord`),
 * because other descriptions begin differently.
 */
export function readAborted(transaction: LightCell): boolean | null {
  const cursor = new BitCursor(transaction.refs.at(-1) as LightCell);
  if (cursor.uint(4) !== 0) {
    return null;
  }
  // credit_first:Bool storage_ph:(Maybe TrStoragePhase)
  cursor.skip(1);
  if (cursor.bit()) {
    cursor.coins();
    skipMaybeCoins(cursor);
    // status_change: acst_unchanged$0, acst_frozen$10, acst_deleted$11
    cursor.skip(cursor.peekUint(1) === 0 ? 1 : 2);
  }
  // credit_ph:(Maybe TrCreditPhase)
  if (cursor.bit()) {
    skipMaybeCoins(cursor);
    cursor.coins();
    cursor.maybeRef();
  }
  // compute_ph: tr_phase_compute_skipped$0 with its reason ($00, $01, $10, $110), tr_phase_compute_vm$1
  if (cursor.bit()) {
    cursor.skip(3).coins();
    cursor.ref();
  } else {
    cursor.skip(cursor.peekUint(2) === 3 ? 3 : 2);
  }
  // action:(Maybe ^TrActionPhase) aborted:Bool
  cursor.maybeRef();
  return cursor.bit();
}

function skipMaybeCoins(cursor: BitCursor): void {
  if (cursor.bit()) {
    cursor.coins();
  }
}

/** Throws MalformedCellError if the cell is not a transaction. */
export function readTransaction(cell: LightCell): TransactionFacts {
  const cursor = new BitCursor(cell);
  if (cursor.uint(4) !== 0b0111) {
    throw new MalformedCellError('not a transaction');
  }
  cursor.skip(256);
  const lt = cursor.bigUint(64);
  cursor.skip(256 + 64);
  const now = cursor.uint(32);
  const messages = new BitCursor(cursor.ref());
  const inMessage = messages.maybeRef();
  const outMessages: LightCell[] = [];
  const dictionary = messages.maybeRef();
  if (dictionary !== null) {
    walkDictionary(dictionary, 15, (_, leaf) => outMessages.push(leaf.ref()));
  }
  return { hash: cell.hexHash, lt, now, inMessage, outMessages };
}
