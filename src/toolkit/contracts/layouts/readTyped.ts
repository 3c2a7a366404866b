import type { Cell } from '@ton/core';
import type { AbiType } from '../abi/abiType';
import { slotsOf, unknownType } from '../abi/abiType';
import type { StackValue } from '../../stack/stackValue';
import { cellToAddress, cellToString } from '../../stack/stackValue';
import type { TypedValue } from './typedValue';
import { readContent, readEntries } from './typedValue';

/** The answer does not match the type in the source. */
class Mismatch extends Error {}

/**
 * The values of a result by type; undefined if they do not match: then the contract differs from its source, and only
 * the untyped reading is correct. A value of a union whose variant only the compiler knows has its entries as parts. A slice may arrive tagged as a cell: that matches.
 */
export function readTyped(values: readonly StackValue[], type: AbiType): TypedValue | undefined {
  if (slotsOf(type) !== values.length) {
    return undefined;
  }
  return tried(() => new Reader(values).read(type));
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
    if (slots === 1 && slotsOf(type.inner) !== 0) {
      const value = this.next();
      return value.type === 'null' ? { kind: 'null' } : new Reader([value]).read(type.inner);
    }
    const { id, before } = this.tagged(slots);
    if (id === 0n) {
      return { kind: 'null' };
    }
    if (type.typeId !== undefined && BigInt(type.typeId) !== id) {
      throw new Mismatch('another type');
    }
    return new Reader(before).read(type.inner);
  }

  /** The last entry is the variant's type id; narrower variants are padded on the left. */
  private union(type: Extract<AbiType, { kind: 'union' }>): TypedValue {
    const { id, before } = this.tagged(slotsOf(type) ?? 1);
    if (id === 0n) {
      return { kind: 'null' };
    }
    if (type.typeIds !== undefined) {
      const variant = type.variants[type.typeIds.indexOf(Number(id))];
      return variant === undefined ? mismatch('the variant is not known') : variantValue(before, variant);
    }
    // Only the compiler knows the ids. Often one variant alone fits the entries.
    const fitting = type.variants.flatMap((variant) =>
      variant.kind === 'null' ? [] : (tried(() => variantValue(before, variant)) ?? []),
    );
    const [only] = fitting;
    return fitting.length === 1 && only !== undefined
      ? only
      : fitting.length === 0
        ? mismatch('no variant fits')
        : untold(type, [...before, { type: 'int', value: id }]);
  }

  /** The next entries, of which the last is a type id. */
  private tagged(slots: number): { id: bigint; before: StackValue[] } {
    const before = Array.from({ length: slots - 1 }, () => this.next());
    return { id: expectInt(this.next()).value, before };
  }
}

function mismatch(message: string): never {
  throw new Mismatch(message);
}

function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Mismatch) {
      return undefined;
    }
    throw error;
  }
}

function variantValue(values: readonly StackValue[], type: AbiType): TypedValue {
  const width = slotsOf(type) ?? mismatch('its width is not known');
  const own = values.length - width;
  if (values.slice(0, Math.max(own, 0)).some((value) => value.type !== 'null') || own < 0) {
    return mismatch('another width');
  }
  return { kind: 'variant', type, value: new Reader(values.slice(own)).read(type) };
}

/** The entries of a value as they are. */
function untold(type: AbiType, values: readonly StackValue[]): TypedValue {
  const parts = values.map((value, index) => ({
    name: index.toString(),
    value: { kind: 'plain', type: unknownType, value } as const,
  }));
  return { kind: 'parts', type, parts };
}

/** The items of a tuple. Services show a chain of pairs that ends with null as a list. */
function itemsOf(value: StackValue): StackValue[] {
  switch (value.type) {
    case 'tuple':
      return value.items;
    case 'list': {
      const [head, ...tail] = value.items;
      return head === undefined
        ? []
        : [head, tail.length === 0 ? { type: 'null' } : { type: 'list', items: tail }];
    }
    default:
      return mismatch(`${value.type} is not a tuple`);
  }
}

/** The items of a list: of a chain of pairs that ends with null, if it is not shown as one. */
function listItems(value: StackValue): StackValue[] {
  const items: StackValue[] = [];
  let rest = value;
  while (rest.type === 'tuple') {
    const [head, tail, other] = rest.items;
    if (head === undefined || tail === undefined || other !== undefined) {
      return mismatch('a tuple that is no pair');
    }
    items.push(head);
    rest = tail;
  }
  return rest.type === 'null'
    ? items
    : rest.type === 'list'
      ? [...items, ...rest.items]
      : mismatch('no list');
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
    case 'cellOf':
      return readCellOf(value, type);
    case 'cell':
    case 'slice':
    case 'builder':
    case 'bits':
      return { kind: 'plain', type, value: expectCell(value, type.kind) };
    case 'map':
      return readMap(value, type);
    case 'typedTuple':
      return readTuple(itemsOf(value), type);
    case 'list':
    case 'array':
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

function expectCell(
  value: StackValue,
  kind: 'cell' | 'slice' | 'builder' | 'bits',
): Extract<StackValue, { cell: Cell }> {
  if (!('cell' in value)) {
    throw new Mismatch(`expected ${kind}, got ${value.type}`);
  }
  return { type: kind === 'bits' ? 'slice' : kind, cell: value.cell };
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
  // An address with anycast is shown as a slice.
  return (
    readContent(cell, { kind: 'address', isAny: true }) ?? {
      kind: 'plain',
      type: { kind: 'slice' },
      value: { type: 'slice', cell },
    }
  );
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
  const cell = expectCell(value, 'cell');
  // Of another form of key or value, only the cell itself is known.
  return readEntries(cell.cell, type) ?? { kind: 'plain', type, value: cell };
}

/** The content of a typed cell; one with something else in it stays a cell. */
function readCellOf(value: StackValue, type: Extract<AbiType, { kind: 'cellOf' }>): TypedValue {
  const { cell } = expectCell(value, 'cell');
  const content = readContent(cell, type.inner);
  return content === undefined
    ? { kind: 'plain', type, value: { type: 'cell', cell } }
    : { kind: 'content', value: content, cell };
}

function readTuple(items: readonly StackValue[], type: Extract<AbiType, { kind: 'typedTuple' }>): TypedValue {
  if (items.length !== type.items.length) {
    throw new Mismatch(`a tuple of ${items.length}`);
  }
  const parts = type.items.map((item, index) => ({
    name: index.toString(),
    value: readItem(items[index] ?? { type: 'null' }, item),
  }));
  return { kind: 'parts', type, parts };
}

function readList(value: StackValue, type: Extract<AbiType, { kind: 'list' | 'array' }>): TypedValue {
  const items = type.kind === 'list' ? listItems(value) : itemsOf(value);
  const parts = items.map((item, index) => ({
    name: index.toString(),
    value: readItem(item, type.inner),
  }));
  return { kind: 'parts', type, parts };
}

/** In a tuple, a value of several entries is a tuple of them, and one of none an empty tuple. */
function readItem(value: StackValue, type: AbiType): TypedValue {
  const values = slotsOf(type) === 1 ? [value] : itemsOf(value);
  return readTyped(values, type) ?? mismatch('an item of another type');
}
