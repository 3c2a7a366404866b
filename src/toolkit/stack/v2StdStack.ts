import type { StackValue } from './stackValue';
import {
  checkDepth,
  checkEntries,
  decodeCell,
  decodeNumber,
  encodeCell,
  isRecord,
  listOf,
  notCarriedError,
  shortJson,
  stackAnswerError,
} from './encodeV3Stack';

/** A typed stack entry of v2, `{"@type":"tvm.stackEntry…"}`. Numbers are decimal. */
export type V2TypedEntry =
  | { '@type': 'tvm.stackEntryNumber'; number: { '@type': 'tvm.numberDecimal'; number: string } }
  | { '@type': 'tvm.stackEntryCell'; cell: { '@type': 'tvm.cell'; bytes: string } }
  | { '@type': 'tvm.stackEntrySlice'; slice: { '@type': 'tvm.slice'; bytes: string } }
  | { '@type': 'tvm.stackEntryTuple'; tuple: { '@type': 'tvm.tuple'; elements: V2TypedEntry[] } }
  | { '@type': 'tvm.stackEntryList'; list: { '@type': 'tvm.list'; elements: V2TypedEntry[] } };

/**
 * The stack as v2's runGetMethodStd takes it.
 * @throws WorkbenchError `stack-value-not-carried` for nan, builders, and values that an API could not carry before
 */
export function encodeV2StdStack(values: readonly StackValue[]): V2TypedEntry[] {
  return values.map(encodeTypedEntry);
}

/**
 * The stack as returned by v2's runGetMethodStd; also the elements of tuples and lists of the older runGetMethod.
 * @throws WorkbenchError `stack-answer-unusable`, `over-limit` (service)
 */
export function decodeV2StdStack(wire: unknown): StackValue[] {
  checkEntries(wire);
  return decodeElements(wire, 0);
}

function encodeTypedEntry(value: StackValue): V2TypedEntry {
  switch (value.type) {
    case 'int':
      return {
        '@type': 'tvm.stackEntryNumber',
        number: { '@type': 'tvm.numberDecimal', number: value.value.toString() },
      };
    case 'cell':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: encodeCell(value.cell) } };
    case 'slice':
      return {
        '@type': 'tvm.stackEntrySlice',
        slice: { '@type': 'tvm.slice', bytes: encodeCell(value.cell) },
      };
    case 'tuple':
      return {
        '@type': 'tvm.stackEntryTuple',
        tuple: { '@type': 'tvm.tuple', elements: encodeV2StdStack(value.items) },
      };
    case 'list':
    case 'null':
      return {
        '@type': 'tvm.stackEntryList',
        list: { '@type': 'tvm.list', elements: value.type === 'list' ? encodeV2StdStack(value.items) : [] },
      };
    case 'nan':
    case 'builder':
    case 'unsupported':
      throw notCarriedError(value);
  }
}

function decodeElements(wire: unknown, depth: number): StackValue[] {
  checkDepth(depth);
  if (!Array.isArray(wire)) {
    throw stackAnswerError(`${shortJson(wire)} is not an array of entries`);
  }
  return wire.map((entry) => decodeTypedEntry(entry, depth));
}

function decodeTypedEntry(wire: unknown, depth: number): StackValue {
  if (!isRecord(wire)) {
    throw stackAnswerError(`${shortJson(wire)} is not a typed entry`);
  }
  const part = (name: string): unknown => {
    const inner = wire[name];
    return isRecord(inner) ? inner : {};
  };
  switch (wire['@type']) {
    case 'tvm.stackEntryNumber':
      return decodeNumber((part('number') as { number?: unknown }).number);
    case 'tvm.stackEntryCell':
      return { type: 'cell', cell: decodeCell(part('cell')) };
    case 'tvm.stackEntrySlice':
      return { type: 'slice', cell: decodeCell(part('slice')) };
    case 'tvm.stackEntryTuple':
      return {
        type: 'tuple',
        items: decodeElements((part('tuple') as { elements?: unknown }).elements, depth + 1),
      };
    case 'tvm.stackEntryList':
      return listOf(decodeElements((part('list') as { elements?: unknown }).elements, depth + 1));
    case 'tvm.stackEntryUnsupported':
      return {
        type: 'unsupported',
        description: 'a value that the API cannot carry (a continuation or a builder)',
      };
    default:
      return { type: 'unsupported', description: `a value of the unknown type ${shortJson(wire['@type'])}` };
  }
}

/** The elements of `{"@type":"tvm.tuple","elements":[…]}` or `tvm.list`. */
function decodeV2Elements(wire: unknown): StackValue[] {
  if (!isRecord(wire)) {
    throw stackAnswerError(`${shortJson(wire)} is not a tuple or list`);
  }
  return decodeElements(wire.elements, 1);
}

/** A pair of v2's runGetMethod. */
type V2StackEntry =
  | ['num' | 'tvm.Cell' | 'tvm.Slice', string]
  | ['tuple', { '@type': 'tvm.tuple'; elements: V2TypedEntry[] }]
  | ['list', { '@type': 'tvm.list'; elements: V2TypedEntry[] }];

/**
 * The stack as v2's runGetMethod takes it: cells and slices under `tvm.Cell` and `tvm.Slice`, the only tags that both
 * the C++ and the Python server take with a plain string.
 * @throws WorkbenchError `stack-value-not-carried` for nan, builders, and values that an API could not carry before
 */
export function encodeV2Stack(values: readonly StackValue[]): V2StackEntry[] {
  return values.map((value) => {
    switch (value.type) {
      case 'int':
        return ['num', value.value.toString()];
      case 'cell':
        return ['tvm.Cell', encodeCell(value.cell)];
      case 'slice':
        return ['tvm.Slice', encodeCell(value.cell)];
      case 'tuple':
        return ['tuple', { '@type': 'tvm.tuple', elements: encodeV2StdStack(value.items) }];
      case 'list':
        return ['list', { '@type': 'tvm.list', elements: encodeV2StdStack(value.items) }];
      case 'null':
        return ['list', { '@type': 'tvm.list', elements: [] }];
      case 'nan':
      case 'builder':
      case 'unsupported':
        throw notCarriedError(value);
    }
  });
}

/**
 * The stack as returned by v2's runGetMethod. The C++ server tags top-level slices `cell`: such an entry may be
 * either.
 * @throws WorkbenchError `stack-answer-unusable`, `over-limit` (service)
 */
export function decodeV2Stack(wire: unknown): StackValue[] {
  checkEntries(wire);
  if (!Array.isArray(wire)) {
    throw stackAnswerError(`${shortJson(wire)} is not an array of pairs`);
  }
  return wire.map(decodePair);
}

function decodePair(pair: unknown): StackValue {
  if (!Array.isArray(pair) || typeof pair[0] !== 'string') {
    throw stackAnswerError(`${shortJson(pair)} is not a pair of tag and value`);
  }
  const [tag, wire] = pair as [string, unknown];
  switch (tag) {
    case 'num':
      return decodeNumber(wire);
    case 'cell':
    case 'tvm.Cell':
      return { type: 'cell', cell: decodeCell(wire) };
    case 'slice':
    case 'tvm.Slice':
      return { type: 'slice', cell: decodeCell(wire) };
    case 'builder':
      return { type: 'builder', cell: decodeCell(wire) };
    case 'tuple':
      return { type: 'tuple', items: decodeV2Elements(wire) };
    case 'list':
      return listOf(decodeV2Elements(wire));
    case 'null':
      return { type: 'null' };
    case 'unsupported':
      return {
        type: 'unsupported',
        description: 'a value that the API cannot carry (a continuation or a builder)',
      };
    default:
      return { type: 'unsupported', description: `a value of the unknown type ${shortJson(tag)}` };
  }
}
