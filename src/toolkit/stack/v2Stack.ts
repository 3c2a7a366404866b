import type { StackValue } from './stackValue';
import { decodeV2Elements, encodeV2StdStack } from './v2StdStack';
import type { V2TypedEntry } from './v2StdStack';
import {
  checkEntries,
  decodeCell,
  decodeNumber,
  encodeCell,
  listOf,
  notCarriedError,
  shortJson,
  stackAnswerError,
} from './wireValue';

/** A pair of v2's runGetMethod. */
export type V2StackEntry =
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
