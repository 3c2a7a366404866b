import type { TupleItem } from '@ton/core';
import { Cell } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import { WorkBudget, limits, overLimitError } from '../base/limits';
import type { StackValue } from './stackValue';

/** The answer's stack does not match the API description: `stack-answer-unusable` (service). */
export function stackAnswerError(what: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'stack-answer-unusable',
    kind: 'service',
    message: `The server returned an unreadable stack: ${what}.`,
    hint: 'Try the other API, or another server of this network.',
    cause,
  });
}

/** The APIs cannot carry this argument: `stack-value-not-carried` (input). */
export function notCarriedError(value: StackValue): WorkbenchError {
  const what = value.type === 'unsupported' ? value.description : value.type;
  return new WorkbenchError({
    code: 'stack-value-not-carried',
    kind: 'input',
    message: `The HTTP APIs cannot carry ${what} as an argument.`,
    hint:
      value.type === 'builder'
        ? 'Use a cell or a slice if the method accepts one.'
        : 'Arguments can be numbers, null, cells, slices, tuples, and lists.',
    details: { type: value.type },
  });
}

/** `0x12a`, `-0x1`, or decimal digits; `NaN` is the TVM's not-a-number. */
export function decodeNumber(wire: unknown): StackValue {
  if (typeof wire === 'number' && Number.isSafeInteger(wire)) {
    return { type: 'int', value: BigInt(wire) };
  }
  if (typeof wire === 'string' && wire.length > limits.numberText.most) {
    throw overLimitError('numberText', { what: 'A number in the answer', kind: 'service' });
  }
  const match = typeof wire === 'string' ? /^(-?)(0x[0-9a-f]+|\d+)$/i.exec(wire) : null;
  if (match !== null) {
    const magnitude = BigInt(match[2] ?? '');
    return { type: 'int', value: match[1] === '-' ? -magnitude : magnitude };
  }
  if (typeof wire === 'string' && /^nan$/i.test(wire)) {
    return { type: 'nan' };
  }
  throw stackAnswerError(`${shortJson(wire)} is not a number`);
}

/** A bag of cells in base64, either bare or as `{bytes}`. */
export function decodeCell(wire: unknown): Cell {
  const text = isRecord(wire) ? wire.bytes : wire;
  if (typeof text !== 'string' || text === '') {
    throw stackAnswerError(`${shortJson(wire)} is not a cell`);
  }
  try {
    return Cell.fromBase64(text);
  } catch (cause) {
    throw stackAnswerError(`${shortJson(text)} is not a bag of cells`, cause);
  }
}

/** The bag of cells in standard base64. */
export function encodeCell(cell: Cell): string {
  return cell.toBoc().toString('base64');
}

/** The empty list and null are the same on the stack. */
export function listOf(items: StackValue[]): StackValue {
  return items.length === 0 ? { type: 'null' } : { type: 'list', items };
}

/** Whether `value` is an object with string keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `value` as JSON of at most 60 characters, for a message. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Maximum nesting of values; a deeper answer is rejected before it overflows the stack. */
const maximumDepth = 1000;

/** @throws WorkbenchError `stack-answer-unusable` beyond the maximum nesting */
export function checkDepth(depth: number): void {
  if (depth > maximumDepth) {
    throw stackAnswerError(`values are nested more than ${maximumDepth} deep`);
  }
}

/**
 * Checks the number of entries in an answer's stack before it is read, including those of tuples and lists.
 * @throws WorkbenchError `over-limit` (service)
 */
export function checkEntries(wire: unknown): void {
  const budget = new WorkBudget('stackEntries', { kind: 'service' });
  const waiting = [wire];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) {
      budget.spend(next.length);
    }
    for (const inner of typeof next === 'object' && next !== null ? Object.values(next) : []) {
      if (typeof inner === 'object' && inner !== null) {
        waiting.push(inner);
      }
    }
  }
}

/**
 * Stack values in the form of @ton/core. A list is nested pairs that end with null, as TVM keeps it.
 * @throws WorkbenchError `stack-value-not-carried` (input) for a value that cannot be an argument
 */
export function tupleItems(values: readonly StackValue[]): TupleItem[] {
  return values.map(tupleItem);
}

function tupleItem(value: StackValue): TupleItem {
  switch (value.type) {
    case 'tuple':
      return { type: 'tuple', items: tupleItems(value.items) };
    case 'list':
      return value.items.reduceRight<TupleItem>(
        (tail, head) => ({ type: 'tuple', items: [tupleItem(head), tail] }),
        { type: 'null' },
      );
    case 'unsupported':
      throw notCarriedError(value);
    default:
      return value;
  }
}

/** An argument of v3's runGetMethod. */
type V3StackInput = { type: 'num' | 'cell' | 'slice'; value: string };

/** Whether v3's runGetMethod accepts all of these arguments: it only knows numbers, cells, and slices. */
export function v3CanCarry(values: readonly StackValue[]): boolean {
  return values.every(({ type }) => type === 'int' || type === 'cell' || type === 'slice');
}

/**
 * The stack as v3's runGetMethod takes it.
 * @throws WorkbenchError `stack-value-not-carried` if {@link v3CanCarry} is false
 */
export function encodeV3Stack(values: readonly StackValue[]): V3StackInput[] {
  return values.map((value) => {
    switch (value.type) {
      case 'int':
        return { type: 'num', value: hexNumber(value.value) };
      case 'cell':
      case 'slice':
        return { type: value.type, value: encodeCell(value.cell) };
      default:
        throw notCarriedError(value);
    }
  });
}

/**
 * The stack as returned by v3's runGetMethod. Top-level slices arrive as `cell`: such an entry may be either.
 * @throws WorkbenchError `stack-answer-unusable`, `over-limit` (service)
 */
export function decodeV3Stack(wire: unknown): StackValue[] {
  checkEntries(wire);
  return decodeEntries(wire, 0);
}

function decodeEntries(wire: unknown, depth: number): StackValue[] {
  checkDepth(depth);
  if (!Array.isArray(wire)) {
    throw stackAnswerError(`${shortJson(wire)} is not an array of entries`);
  }
  return wire.map((entry) => decodeEntry(entry, depth));
}

function decodeEntry(wire: unknown, depth: number): StackValue {
  if (!isRecord(wire) || typeof wire.type !== 'string') {
    throw stackAnswerError(`${shortJson(wire)} is not an entry with type and value`);
  }
  const { type, value } = wire;
  switch (type) {
    case 'num':
      return decodeNumber(value);
    case 'cell':
    case 'slice':
    case 'builder':
      return { type, cell: decodeCell(value) };
    case 'tuple':
      return { type, items: decodeEntries(value, depth + 1) };
    case 'list':
      return listOf(decodeEntries(value, depth + 1));
    case 'null':
      return { type };
    case 'unsupported':
      return { type, description: 'a value that the API cannot carry (a continuation or a builder)' };
    default:
      return { type: 'unsupported', description: `a value of the unknown type ${shortJson(type)}` };
  }
}

/** v3's notation of a number: `0x12a`, `-0x1`. */
function hexNumber(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}
