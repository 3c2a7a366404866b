import type { BitString, Cell } from '@ton/core';
import { readLabel } from '../cell/tokenContent';
import type { VmValue } from './vmValue';
import { readVmValues } from './vmValue';

/**
 * A part of a value: down which items of tuples and references of cells, and which bits of the cell there. A slice and a
 * builder count from their own beginning.
 */
export interface ValuePart {
  readonly path: readonly number[];
  /** Undefined for all that is there, references included. */
  readonly bits?: readonly [from: number, to: number] | undefined;
}

/** How a number lies in the bits of a cell: by itself, or behind its length in bytes. */
export type NumberCoding = 'uint' | 'int' | 'varuint16' | 'varint16' | 'varuint32' | 'varint32';

/** All of a value. */
export const wholeValue: ValuePart = { path: [] };

/** Values of the last words that were read: a walk comes back to the same cells again and again. */
const kept = new Map<string, VmValue>();
const mostKept = 200;

/** A value as the VM's log prints it. */
export function readWord(word: string): VmValue {
  const known = kept.get(word);
  if (known !== undefined) {
    return known;
  }
  let value: VmValue;
  try {
    value = readVmValues(word)[0] ?? { type: 'unknown' };
  } catch {
    value = { type: 'unknown' };
  }
  if (kept.size >= mostKept) {
    kept.clear();
  }
  kept.set(word, value);
  return value;
}

/** The cell of a cell, slice, or builder; undefined for another value. */
export function cellIn(value: VmValue | undefined): Cell | undefined {
  return value !== undefined && 'cell' in value ? value.cell : undefined;
}

/** What is at the end of a path: a value, or a cell within one; undefined if the path leads nowhere. */
function at(value: VmValue, path: readonly number[]): VmValue | undefined {
  let now: VmValue | undefined = value;
  for (const step of path) {
    if (now?.type === 'tuple') {
      now = now.items[step];
    } else {
      const ref: Cell | undefined = cellIn(now)?.refs[step];
      now = ref && { type: 'cell', cell: ref };
    }
  }
  return now;
}

/** The bits of a part, if it is one of a cell; all bits of its cell if the part does not name some. */
export function bitsOf(value: VmValue, { path, bits }: ValuePart): BitString | undefined {
  const cell = cellIn(at(value, path));
  const [from, to] = bits ?? [0, cell?.bits.length ?? 0];
  return cell === undefined || from > to || to > cell.bits.length
    ? undefined
    : cell.bits.substring(from, to - from);
}

/** What a part has, in a form that equal contents share; undefined if it is not there. */
export function partText(value: VmValue, part: ValuePart): string | undefined {
  const found = at(value, part.path);
  if (found === undefined) {
    return undefined;
  }
  const cell = cellIn(found);
  if (cell !== undefined) {
    const bits = bitsOf(value, part)?.toString();
    const refs = part.bits === undefined ? cell.refs.map((ref) => ref.hash().toString('hex')) : [];
    return bits === undefined ? undefined : ['bits', bits, ...refs].join(' ');
  }
  switch (found.type) {
    case 'int':
      return String(found.value);
    case 'tuple':
      return `[${found.items.map((_, index) => partText(found, { path: [index] }) ?? '?').join(' ')}]`;
    case 'continuation':
      return found.text;
    default:
      return found.type;
  }
}

/** The number that lies in bits; undefined if they are not as long as it says. */
export function numberIn(bits: BitString, coding: NumberCoding): bigint | undefined {
  const text = bits.length === 0 ? '' : binaryOf(bits);
  const isSigned = coding === 'int' || coding.startsWith('varint');
  const lengthBits = coding.endsWith('16') ? 4 : coding.endsWith('32') ? 5 : 0;
  const own = text.slice(lengthBits);
  if (lengthBits > 0 && own.length !== 8 * Number.parseInt(text.slice(0, lengthBits), 2)) {
    return undefined;
  }
  const value = own === '' ? 0n : BigInt(`0b${own}`);
  return isSigned && own.startsWith('1') ? value - (1n << BigInt(own.length)) : value;
}

function binaryOf(bits: BitString): string {
  let text = '';
  for (let at = 0; at < bits.length; at += 1) {
    text += bits.at(at) ? '1' : '0';
  }
  return text;
}

/**
 * Whether two parts have the same contents.
 * @param coding how the number of one lies in the bits of the other
 */
export function isSame(
  one: readonly [VmValue, ValuePart],
  other: readonly [VmValue, ValuePart],
  coding: NumberCoding | undefined,
): boolean {
  const textOf = ([value, part]: typeof one): string | undefined => {
    const bits = coding === undefined ? undefined : bitsOf(value, part);
    const number = bits && coding && numberIn(bits, coding);
    return number === undefined ? partText(value, part) : String(number);
  };
  const text = textOf(one);
  return text !== undefined && text === textOf(other);
}

/** Where a value of a dictionary lies in its cells. */
export interface EntryPlace {
  /** Down which references of the root. */
  path: readonly number[];
  /** Where the value begins in the cell there. */
  bit: number;
  ref: number;
}

/** Where the value of a key lies; undefined if there is none, or if the cell is no dictionary with such keys. */
export function placeOfKey(root: Cell, key: string): EntryPlace | undefined {
  const path: number[] = [];
  let cell = root;
  for (let rest = key; ;) {
    const label = labelOf(cell, rest.length);
    if (label === undefined || !rest.startsWith(label.text)) {
      return undefined;
    }
    rest = rest.slice(label.text.length);
    if (rest === '') {
      return { path, bit: label.end, ref: 0 };
    }
    const branch = rest.startsWith('1') ? 1 : 0;
    const next = cell.refs[branch];
    if (next === undefined) {
      return undefined;
    }
    path.push(branch);
    cell = next;
    rest = rest.slice(1);
  }
}

/** The key whose value a path leads into, and where that value lies; undefined if it ends before a value. */
export function keyOnPath(
  root: Cell,
  path: readonly number[],
  keyBits: number,
): { key: string; place: EntryPlace } | undefined {
  let key = '';
  let cell = root;
  for (let depth = 0; ; depth += 1) {
    const label = labelOf(cell, keyBits - key.length);
    if (label === undefined) {
      return undefined;
    }
    key += label.text;
    if (key.length === keyBits) {
      return { key, place: { path: path.slice(0, depth), bit: label.end, ref: 0 } };
    }
    const branch = path[depth];
    const next = branch === undefined ? undefined : cell.refs[branch];
    if (next === undefined) {
      return undefined;
    }
    key += String(branch);
    cell = next;
  }
}

/** The label at the beginning of a dictionary's cell: its bits, and where it ends; undefined if there is none. */
function labelOf(cell: Cell, most: number): { text: string; end: number } | undefined {
  const slice = cell.beginParse(true);
  try {
    const { value, bits } = readLabel(slice, most);
    return { text: bits === 0 ? '' : value.toString(2).padStart(bits, '0'), end: slice.offsetBits };
  } catch {
    return undefined;
  }
}

/** A key as its bits, as dictionaries have it; undefined for a value that is none. */
export function keyBitsOf(value: VmValue, kind: 'I' | 'U' | '', bits: number): string | undefined {
  if (kind === '') {
    const cell = cellIn(value);
    return cell === undefined || cell.bits.length < bits ? undefined : binaryOf(cell.bits.substring(0, bits));
  }
  if (value.type !== 'int') {
    return undefined;
  }
  const text = BigInt.asUintN(bits, value.value).toString(2).padStart(bits, '0');
  return bits === 0 ? '' : text;
}

/** A value on the stack before an instruction, counted from the top, or a part of it. */
export interface FlowSource {
  slot: number;
  part: ValuePart;
}

/** Where a result of an instruction is from. */
export type Flow =
  /** It is the same value; a number can lie in the bits of the other. `isCut` for what only was in it. */
  | { kind: 'same'; source: FlowSource; coding?: NumberCoding | undefined; isCut?: boolean }
  /** It is worked out from others; of none, if the code itself has it. */
  | { kind: 'made'; sources: readonly FlowSource[] }
  /** It was in a register. */
  | { kind: 'register'; register: 'c4' | 'c5' | 'c7'; part: ValuePart }
  /** The VM gives it: what an execution has used, a random number. */
  | { kind: 'given' };

/** An instruction as the log shows it. */
export interface SeenInstruction {
  name: string;
  operands: readonly string[];
  /** Whole text, as the VM names it. */
  text: string;
  /** Values more on the stack behind it than before. */
  grown: number;
  /** A value on the stack before, counted from the top. */
  before: (slot: number) => string;
  /** A value on the stack behind it, counted from the top. */
  after: (slot: number) => string;
}

/** Where a part of a result is from. */
export type ResultFlow = (part: ValuePart) => Flow;

/** The value itself, of a slot before. */
export function sameAs(slot: number): ResultFlow {
  return (part) => ({ kind: 'same', source: { slot, part } });
}

/** Worked out of the whole values of slots before. */
export function madeOf(...slots: readonly number[]): ResultFlow {
  const sources = slots.map((slot) => ({ slot, part: { path: [] } }));
  return () => ({ kind: 'made', sources });
}

/** A number of bits, or of references; undefined for another value. */
export function sizeIn(word: string): number | undefined {
  const value = readWord(word);
  return value.type === 'int' && value.value >= 0n && value.value <= 1023n ? Number(value.value) : undefined;
}

/** The integer in a slot before; undefined if it is none, or too large to count with. */
export function intAt(seen: Pick<SeenInstruction, 'before'>, slot: number): number | undefined {
  const value: VmValue = readWord(seen.before(slot));
  const number = value.type === 'int' ? Number(value.value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
