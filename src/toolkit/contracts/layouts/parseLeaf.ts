import type { Builder, Cell } from '@ton/core';
import { beginCell } from '@ton/core';
import {
  nextWord,
  parseAddressLeaf,
  parseBool,
  parseCellLike,
  parseEnumMember,
  parseNumber,
  takeNull,
  wordError,
} from '../abi/typedLeaves';
import { WorkbenchError } from '../../base/errors';
import { stackTextError } from '../../stack/stackTextContext';
import type { StackTextContext } from '../../stack/stackTextContext';
import type { StackValue } from '../../stack/stackValue';
import type { LayoutType } from './layoutSet';
import { stackTypeOf } from './layoutSet';

/** Stores a parsed value in a cell. */
export type Store = (builder: Builder) => void;

/** Kinds whose type may be written before a value of a union: `uint16 5` says which of several numbers it is. */
export const writtenKinds: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'varint',
  'varuint',
  'coins',
  'bool',
  'address',
  'bits',
]);

/** A cell with the stored values; if they do not fit, the error refers to the text from `start` on. */
export function finishedCell({ scanner }: StackTextContext, start: number, store: Store): Cell {
  const builder = beginCell();
  try {
    store(builder);
  } catch (error) {
    if (WorkbenchError.is(error)) {
      throw error;
    }
    const length = Math.max(1, scanner.position - start);
    const message = `this does not fit a cell (${error instanceof Error ? error.message : String(error)})`;
    throw stackTextError({ offset: start, length, message });
  }
  return builder.endCell();
}

/** Reads a value without nested values. Errors refer to it as `name`. */
export function parseLeaf(context: StackTextContext, type: LayoutType, name: string): Store {
  switch (type.kind) {
    case 'int':
    case 'uint':
    case 'varint':
    case 'varuint':
    case 'coins': {
      const number = parseNumber(context, stackTypeOf(type));
      return (builder) => storeNumber(builder, number, type);
    }
    case 'enum': {
      const start = context.scanner.position;
      const members = [...type.members].map(([value, member]) => ({ name: member, value }));
      const number = parseEnumMember(context, {
        kind: 'enum',
        name: type.name,
        inner: { kind: 'int' },
        members,
      });
      const value = number.type === 'int' ? number.value : 0n;
      finishedCell(context, start, (builder) => storeNumber(builder, value, type.inner));
      return (builder) => storeNumber(builder, value, type.inner);
    }
    case 'bool': {
      const truth = parseBool(context);
      return (builder) => builder.storeBit(truth.type === 'int' && truth.value !== 0n);
    }
    case 'none':
      if (nextWord(context) === 'null') {
        takeNull(context);
      }
      return () => undefined;
    case 'address': {
      if (type.isRequired !== true && nextWord(context) === 'null') {
        takeNull(context);
        return (builder) => builder.storeAddress(null);
      }
      const start = context.scanner.position;
      const address = parseAddressLeaf(context, name);
      if (type.isRequired === true && 'cell' in address && address.cell.bits.length === 2) {
        throw context.scanner.errorFrom(start, `${name} takes an address, and none is not one`);
      }
      return sliceStore(context, address);
    }
    case 'bits':
      return sliceStore(context, parseCellLike(context, { kind: 'bits', bits: type.bits }, name));
    case 'rest': {
      if (nextWord(context) === 'null') {
        takeNull(context);
        return () => undefined;
      }
      return sliceStore(context, parseCellLike(context, { kind: 'slice' }, name));
    }
    default: {
      const text = parseCellLike(context, { kind: 'string' }, name);
      return (builder) => builder.storeRef('cell' in text ? text.cell : beginCell().endCell());
    }
  }
}

/** Stores the bits and references of a slice. */
export function sliceStore(context: StackTextContext, value: StackValue): Store {
  if (!('cell' in value)) {
    throw wordError(context, 'a slice is missing here');
  }
  return (builder) => builder.storeSlice(value.cell.beginParse());
}

function storeNumber(builder: Builder, value: bigint, type: LayoutType): void {
  switch (type.kind) {
    case 'int':
      builder.storeInt(value, type.bits);
      break;
    case 'uint':
      builder.storeUint(value, type.bits);
      break;
    case 'varint':
      storeVarInt(builder, value, type.lengthBits);
      break;
    case 'varuint':
      builder.storeVarUint(value, type.lengthBits);
      break;
    case 'coins':
      builder.storeCoins(value);
      break;
    default:
      throw new Error(`a number cannot be stored as ${type.kind}`);
  }
}

/** In as few bytes as the TVM uses; @ton/core uses two for -128. */
function storeVarInt(builder: Builder, value: bigint, lengthBits: number): void {
  const bits = (value < 0n ? -value - 1n : value).toString(2).length + 1;
  const bytes = value === 0n ? 0 : Math.ceil(bits / 8);
  builder.storeUint(bytes, lengthBits);
  if (bytes > 0) {
    builder.storeInt(value, bytes * 8);
  }
}
