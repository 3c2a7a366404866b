import { cellToAddress } from '../stack/cellToAddress';
import type { StackValue } from '../stack/stackValue';
import { cellToString } from '../stack/stringCell';
import { slotsOf } from './abiType';
import type { AbiType } from './abiType';
import { dictionaryEntries } from './mapCells';
import { readStored } from './readStored';
import type { TypedValue } from './typedValue';

/** The answer does not match the type in the source. */
class Mismatch extends Error {}

/**
 * The values of a result by type; undefined if they do not match: then the contract differs from its source, and only
 * the untyped reading is correct. A slice may arrive tagged as a cell: that matches.
 */
export function readTyped(values: readonly StackValue[], type: AbiType): TypedValue | undefined {
  if (slotsOf(type) !== values.length) {
    return undefined;
  }
  try {
    return new Reader(values).read(type);
  } catch (error) {
    if (error instanceof Mismatch) {
      return undefined;
    }
    throw error;
  }
}

class Reader {
  private position = 0;

  constructor(private readonly values: readonly StackValue[]) {}

  read(type: AbiType): TypedValue {
    switch (type.kind) {
      case 'void':
        return { kind: 'parts', type, parts: [] };
      case 'tensor':
        return {
          kind: 'parts',
          type,
          parts: type.items.map((item, index) => this.part(index.toString(), item)),
        };
      case 'struct':
        return this.struct(type);
      case 'nullable':
        return this.nullable(type);
      case 'union':
        return this.union(type);
      default:
        return readOne(this.next(), type);
    }
  }

  private next(): StackValue {
    const value = this.values[this.position];
    if (value === undefined) {
      throw new Mismatch('a value is missing');
    }
    this.position++;
    return value;
  }

  private part(name: string, type: AbiType): { name: string; value: TypedValue } {
    return { name, value: this.read(type) };
  }

  private struct(type: Extract<AbiType, { kind: 'struct' }>): TypedValue {
    const reader = type.asTuple === true ? new Reader(itemsOf(this.next())) : this;
    return { kind: 'parts', type, parts: type.fields.map((field) => reader.part(field.name, field.type)) };
  }

  private nullable(type: Extract<AbiType, { kind: 'nullable' }>): TypedValue {
    const slots = slotsOf(type) ?? 1;
    if (slots === 1) {
      const value = this.next();
      return value.type === 'null' ? { kind: 'null' } : new Reader([value]).read(asOne(type.inner));
    }
    const values = this.values.slice(this.position, this.position + slots);
    this.position += slots;
    const last = values.at(-1);
    return last?.type === 'int' && last.value === 0n
      ? { kind: 'null' }
      : new Reader(values.slice(0, -1)).read(type.inner);
  }

  /** The last entry is the variant's type id; narrower variants are padded on the left. */
  private union(type: Extract<AbiType, { kind: 'union' }>): TypedValue {
    const slots = type.slots ?? 1;
    const values = this.values.slice(this.position, this.position + slots);
    this.position += slots;
    const id = values.at(-1);
    const index = id?.type === 'int' ? (type.typeIds ?? []).indexOf(Number(id.value)) : -1;
    const variant = type.variants[index];
    const width = variant === undefined ? undefined : slotsOf(variant);
    if (variant === undefined || width === undefined) {
      throw new Mismatch('the variant is not known');
    }
    return new Reader(values.slice(values.length - 1 - width, -1)).read(variant);
  }
}

/** An optional struct is one tuple. */
function asOne(type: AbiType): AbiType {
  return type.kind === 'struct' ? { ...type, asTuple: true } : type;
}

function itemsOf(value: StackValue): StackValue[] {
  if (value.type !== 'tuple' && value.type !== 'list') {
    throw new Mismatch(`${value.type} is not a tuple`);
  }
  return value.items;
}

/** A value of a type that takes one stack entry. */
function readOne(value: StackValue, type: AbiType): TypedValue {
  switch (type.kind) {
    case 'int':
      return value.type === 'nan'
        ? { kind: 'plain', type, value }
        : { kind: 'plain', type, value: expectInt(value) };
    case 'coins':
      return { kind: 'coins', value: expectInt(value).value };
    case 'bool':
      return { kind: 'bool', value: expectInt(value).value !== 0n };
    case 'enum':
      return readMember(expectInt(value).value, type);
    case 'address':
      return readAddress(value);
    case 'string':
      return readText(value, type);
    case 'cell':
    case 'slice':
    case 'builder':
    case 'cellOf':
    case 'bits':
      return { kind: 'plain', type, value: expectCell(value, type.kind) };
    case 'map':
      return readMap(value, type);
    case 'typedTuple':
      return readTuple(itemsOf(value), type);
    case 'list':
      return readList(value, type);
    default:
      return { kind: 'plain', type, value };
  }
}

function expectInt(value: StackValue): Extract<StackValue, { type: 'int' }> {
  if (value.type !== 'int') {
    throw new Mismatch(`${value.type} is not a number`);
  }
  return value;
}

function expectCell(value: StackValue, kind: 'cell' | 'slice' | 'builder' | 'cellOf' | 'bits'): StackValue {
  if (!('cell' in value)) {
    throw new Mismatch(`expected ${kind}, got ${value.type}`);
  }
  const wanted = kind === 'cellOf' ? 'cell' : kind === 'bits' ? 'slice' : kind;
  return { type: wanted, cell: value.cell };
}

function readMember(value: bigint, type: Extract<AbiType, { kind: 'enum' }>): TypedValue {
  const member = type.members.find((one) => one.value === value);
  return member === undefined
    ? { kind: 'plain', type, value: { type: 'int', value } }
    : { kind: 'member', name: `${type.name}.${member.name}`, value };
}

function readAddress(value: StackValue): TypedValue {
  if (value.type === 'null') {
    return { kind: 'null' };
  }
  if (!('cell' in value)) {
    throw new Mismatch(`${value.type} is not an address`);
  }
  const { cell } = value;
  const address = cellToAddress(cell);
  if (address !== undefined) {
    return { kind: 'address', address: address.toRawString() };
  }
  // External addresses and anycast are shown as slices.
  const isNone = cell.bits.length === 2 && cell.refs.length === 0 && !cell.bits.at(0) && !cell.bits.at(1);
  return isNone
    ? { kind: 'address', address: null }
    : { kind: 'plain', type: { kind: 'slice' }, value: { type: 'slice', cell } };
}

function readText(value: StackValue, type: AbiType): TypedValue {
  if (!('cell' in value)) {
    throw new Mismatch(`${value.type} is not text`);
  }
  const text = cellToString(value.cell);
  return text === undefined ? { kind: 'plain', type, value } : { kind: 'text', text };
}

function readMap(value: StackValue, type: Extract<AbiType, { kind: 'map' }>): TypedValue {
  if (value.type === 'null') {
    return { kind: 'map', entries: [] };
  }
  if (!('cell' in value)) {
    throw new Mismatch(`${value.type} is not a dictionary`);
  }
  try {
    const entries = dictionaryEntries(type, value.cell).map((entry) => ({
      key: readOne(entry.key, type.key),
      value: readEntry(entry.value, type.value),
    }));
    return { kind: 'map', entries };
  } catch {
    // Values with a storage format of their own, or another key width: only the cell itself is known.
    return { kind: 'plain', type, value: { type: 'cell', cell: value.cell } };
  }
}

/** A value of a map: a struct is read from the slice or cell that holds it. */
function readEntry(value: StackValue, type: AbiType): TypedValue {
  const struct =
    type.kind === 'struct' && 'cell' in value ? readStored(value.cell, type, readOne) : undefined;
  return struct ?? readOne(value, isStored(type) ? type : { kind: 'slice' });
}

/**
 * What a `Cell<T>` holds; undefined if it is not a T. Answers keep the cell: it is opened where a part of it is asked
 * for.
 */
export function readCellOf(value: StackValue, type: AbiType): TypedValue | undefined {
  return type.kind === 'cellOf' && 'cell' in value ? readStored(value.cell, type.inner, readOne) : undefined;
}

function isStored({ kind }: AbiType): boolean {
  return ['int', 'coins', 'bool', 'address', 'cell', 'cellOf', 'enum', 'slice'].includes(kind);
}

function readTuple(items: readonly StackValue[], type: Extract<AbiType, { kind: 'typedTuple' }>): TypedValue {
  if (items.length !== type.items.length) {
    throw new Mismatch(`a tuple of ${items.length}`);
  }
  return {
    kind: 'parts',
    type,
    parts: type.items.map((item, index) => ({
      name: index.toString(),
      value: new Reader([items[index] ?? { type: 'null' }]).read(asOne(item)),
    })),
  };
}

function readList(value: StackValue, type: Extract<AbiType, { kind: 'list' }>): TypedValue {
  const items = value.type === 'null' ? [] : itemsOf(value);
  return {
    kind: 'parts',
    type,
    parts: items.map((item, index) => ({
      name: index.toString(),
      value: new Reader([item]).read(asOne(type.inner)),
    })),
  };
}
