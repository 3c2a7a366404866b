import type { StackValue } from './stackValue';
import {
  checkEntries,
  checkDepth,
  decodeCell,
  decodeNumber,
  encodeCell,
  isRecord,
  listOf,
  notCarriedError,
  shortJson,
  stackAnswerError,
} from './wireValue';

/** An argument of v3's runGetMethod. */
export type V3StackInput = { type: 'num' | 'cell' | 'slice'; value: string };

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
