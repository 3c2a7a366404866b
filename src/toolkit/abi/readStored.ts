import { beginCell } from '@ton/core';
import type { Cell, Slice } from '@ton/core';
import type { StackValue } from '../stack/stackValue';
import type { AbiType } from './abiType';
import { loadValue } from './mapCells';
import type { TypedValue } from './typedValue';

/** Reads one stack entry by its type. */
export type EntryReader = (value: StackValue, type: AbiType) => TypedValue;

/**
 * The struct that a cell or slice holds, as Tolk and Tact store it; undefined if the bits and references do not fit it
 * exactly, or it contains a type that is not stored field by field.
 */
export function readStored(cell: Cell, type: AbiType, readEntry: EntryReader): TypedValue | undefined {
  const read = (stored: Cell): TypedValue | undefined => {
    try {
      const slice = stored.beginParse();
      const value = load(slice, type, readEntry);
      slice.endParse();
      return value;
    } catch {
      return undefined;
    }
  };
  const [only] = cell.refs;
  // Tact's maps hold structs in a cell of their own.
  return (
    read(cell) ??
    (cell.bits.length === 0 && cell.refs.length === 1 && only !== undefined ? read(only) : undefined)
  );
}

function load(slice: Slice, type: AbiType, readEntry: EntryReader): TypedValue {
  switch (type.kind) {
    case 'struct':
      if (type.prefix !== undefined && slice.loadUintBig(type.prefix.bits) !== type.prefix.value) {
        throw new Error('another prefix');
      }
      return {
        kind: 'parts',
        type,
        parts: type.fields.map((field) => ({ name: field.name, value: load(slice, field.type, readEntry) })),
      };
    case 'nullable':
      // An optional address is the empty address, without a bit before it.
      if (type.inner.kind === 'address') {
        const found = load(slice, type.inner, readEntry);
        return found.kind === 'address' && found.address === null ? { kind: 'null' } : found;
      }
      return slice.loadBit() ? load(slice, type.inner, readEntry) : { kind: 'null' };
    default:
      return readEntry(loadEntry(slice, type), type);
  }
}

/** Bits of a standard address, and of the empty one. */
const addressBits = 267;
const noAddressBits = 2;

function loadEntry(slice: Slice, type: AbiType): StackValue {
  switch (type.kind) {
    case 'int':
      return type.isVariable === true ? loadVariable(slice, type) : loadValue(slice, type);
    case 'coins':
    case 'bool':
    case 'enum':
    case 'cell':
    case 'cellOf':
      return loadValue(slice, type);
    case 'address':
      return bitsOf(slice, slice.preloadUint(2) === 0 ? noAddressBits : addressBits);
    case 'bits':
      return bitsOf(slice, type.bits);
    case 'string':
      return { type: 'slice', cell: slice.loadRef() };
    case 'map':
    case 'dictionary': {
      const root = slice.loadMaybeRef();
      return root === null ? { type: 'null' } : { type: 'cell', cell: root };
    }
    default:
      throw new Error(`${type.kind} is not stored field by field`);
  }
}

/** A length in bytes of 4 or 5 bits, then so many bytes. */
function loadVariable(slice: Slice, { bits = 0, signed }: Extract<AbiType, { kind: 'int' }>): StackValue {
  const length = slice.loadUint(bits === 120 ? 4 : 5) * 8;
  return { type: 'int', value: signed === true ? slice.loadIntBig(length) : slice.loadUintBig(length) };
}

function bitsOf(slice: Slice, length: number): StackValue {
  return { type: 'slice', cell: beginCell().storeBits(slice.loadBits(length)).endCell() };
}
