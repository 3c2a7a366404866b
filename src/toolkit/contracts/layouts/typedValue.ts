import { Cell, beginCell } from '@ton/core';
import type { AbiType } from '../abi/abiType';
import { withParts } from '../abi/abiType';
import type { LayoutSet, LayoutType, StructLayout } from './layoutSet';
import { decodeValue } from './decodeByLayout';
import type { TactStruct } from './tactAllocator';
import { TactAllocator, fieldLayout } from './tactAllocator';
import { TolkLayouts } from './tolkLayouts';
import type { BodyValue } from '../opcodes/decodedBody';
import type { StackValue } from '../../stack/stackValue';

/** What a cell holds by the type of its content; undefined if it is not exactly that. */
export function readContent(cell: Cell, type: AbiType): TypedValue | undefined {
  const { type: layout, set } = typeLayout(type);
  const value = decodeValue(cell, layout, set);
  return value === undefined ? undefined : storedValue(value, type);
}

/**
 * The entries of a dictionary's cell; undefined if it does not hold the type's keys and values. Values that the
 * source packs by its own code are slices.
 */
export function readEntries(
  cell: Cell,
  type: Extract<AbiType, { kind: 'map' }>,
): (TypedValue & { kind: 'map' }) | undefined {
  const { type: layout, set } = typeLayout(type);
  const stored = beginCell().storeBit(true).storeRef(cell).endCell();
  const value = decodeValue(stored, openMap(layout), set);
  return value?.type === 'map'
    ? {
        kind: 'map',
        entries: value.entries.map((entry) => ({
          key: storedValue(entry.key, type.key),
          value: storedValue(entry.value, type.value),
        })),
      }
    : undefined;
}

/** The map with values of an unknown form as the rest of their cells. */
export function openMap(layout: LayoutType): LayoutType {
  return layout.kind === 'map' && layout.value?.kind === 'unknown'
    ? { ...layout, value: { kind: 'rest' } }
    : layout;
}

/** A value that was read from a cell, with its type. */
function storedValue(value: BodyValue, type: AbiType): TypedValue {
  switch (value.type) {
    case 'none':
      return type.kind === 'slice' ? plain({ type: 'slice', cell: Cell.EMPTY }, type) : { kind: 'null' };
    case 'coins':
      return { kind: 'coins', value: value.value };
    case 'bool':
      return { kind: 'bool', value: value.value };
    case 'address':
      return storedAddress(value, type);
    case 'map': {
      const map = type.kind === 'map' ? type : undefined;
      const entries = value.entries.map((entry) => ({
        key: storedValue(entry.key, map?.key ?? unknown),
        value: storedValue(entry.value, map?.value ?? unknown),
      }));
      return { kind: 'map', entries };
    }
    default:
      return ofInner(value, type);
  }
}

const unknown: AbiType = { kind: 'unknown' };

function ofInner(value: BodyValue, type: AbiType): TypedValue {
  switch (type.kind) {
    case 'nullable':
      return storedValue(value, type.inner);
    case 'cellOf':
      return value.type === 'cell'
        ? plain({ type: 'cell', cell: Cell.fromBase64(value.value) }, type)
        : { kind: 'content', value: storedValue(value, type.inner) };
    case 'union':
      return ofVariant(value, type);
    case 'enum':
      return storedMember(value, type);
    default:
      return ofKind(value, type);
  }
}

function ofKind(value: BodyValue, type: AbiType): TypedValue {
  switch (value.type) {
    case 'int':
      return type.kind === 'bits'
        ? plain({ type: 'slice', cell: beginCell().storeUint(value.value, type.bits).endCell() }, type)
        : plain({ type: 'int', value: value.value }, type);
    case 'text':
      return { kind: 'text', text: value.value };
    case 'bytes': {
      const cell = beginCell().storeBuffer(Buffer.from(value.value, 'hex')).endCell();
      return plain({ type: 'slice', cell }, type);
    }
    case 'body': {
      const parts = value.value.fields.map((field, place) => ({
        name: field.name,
        value: storedValue(field.value, partAt(type, place)),
      }));
      return { kind: 'parts', type, parts };
    }
    case 'cell': {
      const isCell = type.kind === 'cell' || type.kind === 'unknown' || type.kind === 'builder';
      return plain({ type: isCell ? 'cell' : 'slice', cell: Cell.fromBase64(value.value) }, type);
    }
    default:
      return storedValue(value, type);
  }
}

function partAt(type: AbiType, place: number): AbiType {
  const found =
    type.kind === 'struct' ? type.fields[place]?.type : 'items' in type ? type.items[place] : undefined;
  return found ?? unknown;
}

/** Structs are told by their names; of other variants, the value says which it is as far as that shows. */
function ofVariant(value: BodyValue, { variants }: Extract<AbiType, { kind: 'union' }>): TypedValue {
  const found =
    value.type === 'body'
      ? variants.find((one) => one.kind === 'struct' && one.name === value.value.name)
      : undefined;
  return found === undefined
    ? ofKind(value, unknown)
    : { kind: 'variant', type: found, value: storedValue(value, found) };
}

/** A number that no member has stays a number. */
function storedMember(value: BodyValue, type: Extract<AbiType, { kind: 'enum' }>): TypedValue {
  const text = value.type === 'text' ? value.value : '';
  const member = type.members.find(({ name }) => `${type.name}.${name}` === text);
  return member === undefined ? ofKind(value, type) : { kind: 'member', name: text, value: member.value };
}

function storedAddress(value: BodyValue & { type: 'address' }, type: AbiType): TypedValue {
  if (value.external !== undefined) {
    return { kind: 'external', ...value.external };
  }
  const isMissing = value.value === undefined;
  return isMissing && type.kind === 'nullable'
    ? { kind: 'null' }
    : { kind: 'address', address: value.value ?? null };
}

function plain(value: StackValue, type: AbiType): TypedValue {
  return { kind: 'plain', type, value };
}

/** A value with its type from the source. */
export type TypedValue =
  | { kind: 'plain'; type: AbiType; value: StackValue }
  | { kind: 'coins'; value: bigint }
  | { kind: 'bool'; value: boolean }
  /** Raw address, lowercase; null is the empty address. */
  | { kind: 'address'; address: string | null }
  /** An external address: a number of so many bits. */
  | { kind: 'external'; bits: number; value: bigint }
  | { kind: 'text'; text: string }
  | { kind: 'member'; name: string; value: bigint }
  | { kind: 'null' }
  /** A variant of a union. */
  | { kind: 'variant'; type: AbiType; value: TypedValue }
  /** What a typed cell holds; `cell` if it was on the stack itself. */
  | { kind: 'content'; value: TypedValue; cell?: Cell }
  /** A struct, tensor, or tuple: `name` is the field's, or the index. */
  | { kind: 'parts'; type: AbiType; parts: { name: string; value: TypedValue }[] }
  | { kind: 'map'; entries: { key: TypedValue; value: TypedValue }[] };

/** How values of a type lie in a cell. */
interface TypeLayout {
  type: LayoutType;
  /** The structs in it. */
  set: LayoutSet;
}

const known = new WeakMap<AbiType, TypeLayout>();

/**
 * How values of a declared type lie in a cell, by the rules of its language.
 * @throws WorkbenchError `over-limit` (input)
 */
export function typeLayout(type: AbiType): TypeLayout {
  const found = known.get(type) ?? (isTactMap(type) ? tactMapLayout(type) : tolkLayout(type));
  known.set(type, found);
  return found;
}

function tolkLayout(type: AbiType): TypeLayout {
  const layouts = new TolkLayouts();
  return withStructs(layouts.layoutOf(type), layouts.structs);
}

type TactMap = Extract<AbiType, { kind: 'map' }> & { stored: NonNullable<unknown> };

/** Only maps hold cells of known types in Tact. */
function isTactMap(type: AbiType): type is TactMap {
  return type.kind === 'map' && type.stored !== undefined;
}

function tactMapLayout(type: TactMap): TypeLayout {
  const rows = new Map<string, TactStruct>();
  collectStructs(type.value, rows);
  const allocator = new TactAllocator(rows, new Set());
  const structs = [...rows].map(([name, row]) => [name, allocator.layout(row, false)] as const);
  return withStructs(fieldLayout(type.stored), new Map(structs));
}

function collectStructs(type: AbiType, rows: Map<string, TactStruct>): AbiType {
  if (type.kind === 'struct' && type.customName === undefined && !rows.has(type.name)) {
    const fields = type.fields.flatMap(({ name, stored }) =>
      stored === undefined ? [] : [{ name, type: stored }],
    );
    rows.set(type.name, { name: type.name, header: type.prefix && Number(type.prefix.value), fields });
  }
  return withParts(type, (part) => collectStructs(part, rows));
}

function withStructs(type: LayoutType, structs: ReadonlyMap<string, StructLayout>): TypeLayout {
  return { type, set: { origin: '', contract: undefined, structs } };
}
