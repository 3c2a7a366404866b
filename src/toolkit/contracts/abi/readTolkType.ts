import { ownValue } from '../../base/collections';
import type { AbiType, SimpleKind } from './abiType';
import type { TokenReader } from './tokenize';
import { UnexpectedToken } from './tokenize';

const simple: Readonly<Record<string, SimpleKind>> = {
  coins: 'coins',
  bool: 'bool',
  cell: 'cell',
  slice: 'slice',
  builder: 'builder',
  continuation: 'continuation',
  dict: 'dictionary',
  tuple: 'tuple',
  null: 'null',
  void: 'void',
  never: 'void',
  unknown: 'unknown',
  RemainingBitsAndRefs: 'slice',
};

/** Reads a type of Tolk: `int32`, `address?`, `(int, slice)`, `[int, int]`, `map<K, V>`, `Cell<T>`, `A | B`, `T -> U`. */
export function readTolkType(reader: TokenReader): AbiType {
  reader.take('|');
  const variants = [readNullable(reader)];
  while (reader.take('|')) {
    variants.push(readNullable(reader));
  }
  const [only] = variants;
  const type: AbiType = variants.length === 1 && only !== undefined ? only : { kind: 'union', variants };
  if (reader.take('->')) {
    reader.nested(() => readTolkType(reader));
    return { kind: 'continuation' };
  }
  return type;
}

function readNullable(reader: TokenReader): AbiType {
  let type = readPrimary(reader);
  while (reader.take('?')) {
    type = type.kind === 'nullable' ? type : { kind: 'nullable', inner: type };
  }
  return type;
}

function readPrimary(reader: TokenReader): AbiType {
  const several = readSeveralTypes(reader, readTolkType);
  if (several !== undefined) {
    return several;
  }
  const { text: name } = reader.name();
  const isGeneric = reader.take('<');
  return namedType(name, isGeneric ? reader.list('>', () => readTolkType(reader)) : []);
}

function namedType(name: string, given: AbiType[]): AbiType {
  const [first, second] = given;
  if (first === undefined) {
    return builtIn(name) ?? { kind: 'named', name, arguments: [] };
  }
  if (name === 'map' && second !== undefined) {
    return { kind: 'map', key: first, value: second };
  }
  if (name === 'Cell') {
    return { kind: 'cellOf', inner: first };
  }
  if (name === 'lisp_list') {
    return { kind: 'list', inner: first };
  }
  return name === 'array' ? { kind: 'array', inner: first } : { kind: 'named', name, arguments: given };
}

function builtIn(name: string): AbiType | undefined {
  switch (name) {
    case 'address':
      return { kind: 'address' };
    case 'any_address':
      return { kind: 'address', isAny: true };
    case 'string':
    // Of the standard library since Tolk 1.4, as are the next two.
    case 'string_prefixed0x':
      return { kind: 'string', isCell: true };
    case 'ExtraCurrenciesMap':
      return {
        kind: 'map',
        key: { kind: 'int', bits: 32, signed: true },
        value: { kind: 'int', bits: 248, signed: false, isVariable: true },
      };
    case 'OldBounceMode':
      return { kind: 'bool' };
  }
  const kind = ownValue(simple, name);
  if (kind !== undefined) {
    return { kind };
  }
  const sized = /^(u?int|varu?int|bits|bytes)(\d{1,4})?$/.exec(name);
  if (sized === null) {
    return undefined;
  }
  const [, word = '', digits] = sized;
  const size = Number(digits);
  switch (word) {
    case 'int':
      return digits === undefined ? { kind: 'int' } : { kind: 'int', bits: size, signed: true };
    case 'uint':
      return digits === undefined ? undefined : { kind: 'int', bits: size, signed: false };
    case 'bits':
      return digits === undefined ? undefined : { kind: 'bits', bits: size };
    case 'bytes':
      return digits === undefined ? undefined : { kind: 'bits', bits: size * 8 };
    case 'varint':
    case 'varuint':
      // varuint16 holds up to 15 bytes, varuint32 up to 31.
      return digits === undefined
        ? undefined
        : { kind: 'int', bits: (size - 1) * 8, signed: word === 'varint', isVariable: true };
    default:
      throw new UnexpectedToken(name);
  }
}

/**
 * Types in brackets, written the same in FunC and Tolk: `()` void, `(T)` the type itself, `(A, B)` a tensor, `[A, B]`
 * a tuple of known types. Undefined if there is no opening bracket.
 */
export function readSeveralTypes(
  reader: TokenReader,
  readOne: (reader: TokenReader) => AbiType,
): AbiType | undefined {
  if (reader.take('[')) {
    return { kind: 'typedTuple', items: reader.list(']', () => readOne(reader)) };
  }
  if (!reader.take('(')) {
    return undefined;
  }
  const items = reader.list(')', () => readOne(reader));
  const [only] = items;
  if (only === undefined) {
    return { kind: 'void' };
  }
  return items.length === 1 ? only : { kind: 'tensor', items };
}
