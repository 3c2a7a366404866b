import { beginCell, Dictionary } from '@ton/core';
import type { Builder, Cell, DictionaryKey, DictionaryValue, Slice } from '@ton/core';
import { readDictionary } from '../cell/readDictionary';
import { WorkBudget } from '../limits';
import type { StackValue } from '../stack/stackValue';
import type { AbiType } from './abiType';

/** A key and its value as stack values. */
export interface MapEntry {
  key: StackValue;
  value: StackValue;
}

type MapType = Extract<AbiType, { kind: 'map' }>;

/** Bits of a standard address in a dictionary's key. */
const addressBits = 267;

/** Bits of a key of this type; undefined if it cannot be a key. */
export function dictionaryKeyBits(type: AbiType): number | undefined {
  switch (type.kind) {
    case 'int':
      return type.bits ?? 257;
    case 'address':
      return addressBits;
    case 'bits':
      return type.bits;
    case 'bool':
      return 1;
    case 'enum':
      return dictionaryKeyBits(type.inner);
    default:
      return undefined;
  }
}

/** The dictionary's cell; undefined for an empty one. Values are stored by type: see {@link storeValue}. */
export function dictionaryCell(type: MapType, entries: readonly MapEntry[]): Cell | undefined {
  const dictionary = Dictionary.empty<bigint, StackValue>(keyOf(type.key), valueOf(type.value));
  for (const { key, value } of entries) {
    dictionary.set(keyNumber(key), value);
  }
  const [first] = entries;
  return first === undefined ? undefined : beginCell().storeDictDirect(dictionary).endCell();
}

/**
 * The entries of a dictionary's cell, in the order of their keys.
 * @throws WorkbenchError `over-limit`; Error if the cell is not a dictionary with such keys
 */
export function dictionaryEntries(type: MapType, cell: Cell): MapEntry[] {
  const keyType = type.key;
  const bits = keyBitsOf(keyType);
  const entries: MapEntry[] = [];
  readDictionary(cell, bits, new WorkBudget('dictionaryCells'), (read, value) => {
    const key = isSigned(keyType) ? BigInt.asIntN(bits, read) : read;
    entries.push({ key: keyValue(key, keyType), value: loadValue(value, type.value) });
  });
  return entries;
}

function keyBitsOf(type: AbiType): number {
  const bits = dictionaryKeyBits(type);
  if (bits === undefined) {
    throw new Error(`dictionary keys cannot have the type ${type.kind}`);
  }
  return bits;
}

/** Keys as unsigned numbers, whatever they represent. */
function keyOf(type: AbiType): DictionaryKey<bigint> {
  const bits = keyBitsOf(type);
  return isSigned(type) ? Dictionary.Keys.BigInt(bits) : Dictionary.Keys.BigUint(bits);
}

function isSigned(type: AbiType): boolean {
  return (type.kind === 'int' && type.signed !== false) || (type.kind === 'enum' && isSigned(type.inner));
}

function keyNumber(key: StackValue): bigint {
  if (key.type === 'int') {
    return key.value;
  }
  if (!('cell' in key)) {
    throw new Error(`${key.type} cannot be a key`);
  }
  return key.cell.beginParse().loadUintBig(key.cell.bits.length);
}

function keyValue(key: bigint, type: AbiType): StackValue {
  const bits = dictionaryKeyBits(type) ?? 0;
  return type.kind === 'address' || type.kind === 'bits'
    ? { type: 'slice', cell: beginCell().storeUint(key, bits).endCell() }
    : { type: 'int', value: type.kind === 'bool' ? -key : key };
}

function valueOf(type: AbiType): DictionaryValue<StackValue> {
  return {
    serialize: (value, builder) => storeValue(value, type, builder),
    parse: () => {
      throw new Error('only written');
    },
  };
}

/**
 * Numbers at their width (257 bits by default), coins, one bit for a bool, cells as a reference; anything else as is.
 */
function storeValue(value: StackValue, type: AbiType, builder: Builder): void {
  if (value.type === 'int') {
    storeNumber(value.value, type, builder);
  } else if ('cell' in value) {
    if (type.kind === 'cell' || type.kind === 'cellOf') {
      builder.storeRef(value.cell);
    } else {
      builder.storeSlice(value.cell.beginParse());
    }
  } else {
    throw new Error(`a dictionary cannot hold a value of type ${value.type}`);
  }
}

function storeNumber(value: bigint, type: AbiType, builder: Builder): void {
  switch (type.kind) {
    case 'coins':
      builder.storeCoins(value);
      break;
    case 'bool':
      builder.storeBit(value !== 0n);
      break;
    case 'enum':
      storeNumber(value, type.inner, builder);
      break;
    case 'int':
      if (type.signed === false) {
        builder.storeUint(value, type.bits ?? 256);
      } else {
        builder.storeInt(value, type.bits ?? 257);
      }
      break;
    default:
      throw new Error(`expected ${type.kind}, got a number`);
  }
}

/** Reads a value of a map, or a field of a struct, from where it is stored. */
export function loadValue(slice: Slice, type: AbiType): StackValue {
  switch (type.kind) {
    case 'coins':
      return { type: 'int', value: slice.loadCoins() };
    case 'bool':
      return { type: 'int', value: slice.loadBit() ? -1n : 0n };
    case 'enum':
      return loadValue(slice, type.inner);
    case 'int':
      return {
        type: 'int',
        value:
          type.signed === false ? slice.loadUintBig(type.bits ?? 256) : slice.loadIntBig(type.bits ?? 257),
      };
    case 'cell':
    case 'cellOf':
      return { type: 'cell', cell: slice.loadRef() };
    default:
      return { type: 'slice', cell: slice.asCell() };
  }
}
