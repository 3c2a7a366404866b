import type { Cell } from '@ton/core';
import type { BodyValue, DecodedBody } from '../opcodes/decodedBody';
import { decodeByLayout } from './decodeByLayout';
import type { StorageLayout, StructLayout } from './layoutSet';

/**
 * The layout of the data that a contract is deployed with. Of a Tact contract with init() that is init's arguments,
 * which give it the address of the compiler's `fromInit`. Of data that has several forms, it is the one that the text
 * names or whose fields it gives, else the one that the source says.
 *
 * @param text the data as typed: with `initialized: …` it is the storage of a contract whose init() has run
 */
export function initialLayout(storage: StorageLayout, text = ''): StorageLayout {
  const { initial } = storage.set;
  if (initial !== undefined && !skipsInit(storage, text)) {
    return { ...storage, layout: initial };
  }
  const [, name] = /^\s*([\p{L}_]\w*)\s*\{/u.exec(text) ?? [];
  const fields = new Set([...text.matchAll(/[{,]\s*(\w+)\s*:/g)].map(([, field]) => field));
  const forms = formsOf(storage);
  const layout =
    forms.find((form) => form.name === name) ??
    (fields.size === 0 ? undefined : forms.find((form) => hasExactly(form, fields))) ??
    forms.find(({ isDeployed }) => isDeployed) ??
    storage.layout;
  return { ...storage, layout };
}

/** Whether the text gives all fields that have no default, and the struct has all that are given at its top. */
function hasExactly({ cells }: StructLayout, given: ReadonlySet<string | undefined>): boolean {
  return cells.flat().every(({ name, defaultText }) => given.has(name) || defaultText !== undefined);
}

/** All structs that a contract loads its data as. */
export function formsOf({ layout, others = [] }: StorageLayout): readonly StructLayout[] {
  return [layout, ...others];
}

/** Whether typed data makes a contract that starts without its init(), and with another address than `fromInit` has. */
export function skipsInit({ set }: StorageLayout, text: string): boolean {
  return set.initial !== undefined && /[{,\s]initialized\s*:/.test(text);
}

/**
 * The layout of a contract's data as it is: before init() has run, that is init's arguments; of several forms, it is
 * the one that the data fits.
 */
export function layoutOfData(storage: StorageLayout, data: Cell): StorageLayout {
  const { initial } = storage.set;
  const isBefore = initial !== undefined && data.bits.length > 0 && !data.bits.at(0);
  if (isBefore) {
    return { ...storage, layout: initial };
  }
  const forms = formsOf(storage);
  const fits = (form: StructLayout): boolean => {
    const { broken, left } = decodeByLayout(data, form, storage.set);
    return !broken && left.bits + left.refs === 0;
  };
  const layout = forms.length === 1 ? undefined : forms.find(fits);
  return layout === undefined ? storage : { ...storage, layout };
}

/** A step from a struct to a field, or from a map to the entry of a key. */
export type ChangePathPart = { field: string } | { key: BodyValue };

/** A value that differs between two states of a contract. */
export interface StateChange {
  path: readonly ChangePathPart[];
  /** Undefined for an entry that was added to a map. */
  before?: BodyValue;
  /** Undefined for an entry that was removed from a map. */
  after?: BodyValue;
}

/**
 * Compares a contract's data before and after, field by field, by the layout of its storage.
 *
 * @returns undefined if one of the cells does not fit the layout
 */
export function stateChanges(before: Cell, after: Cell, storage: StorageLayout): StateChange[] | undefined {
  const [from, to] = [before, after].map((cell) => {
    const { layout, set } = layoutOfData(storage, cell);
    return decodeByLayout(cell, layout, set);
  });
  return from === undefined || to === undefined || !isWhole(from) || !isWhole(to)
    ? undefined
    : bodyChanges(from, to);
}

/**
 * The differences of two bodies, in field order. Structs of the same name and maps are compared by their
 * parts, any other value as a whole.
 */
export function bodyChanges(
  before: DecodedBody,
  after: DecodedBody,
  path: readonly ChangePathPart[] = [],
): StateChange[] {
  const now = new Map(after.fields.map(({ name, value }) => [name, value]));
  return before.fields.flatMap(({ name, value }) => {
    const other = now.get(name);
    return other === undefined ? [] : valueChanges(value, other, [...path, { field: name }]);
  });
}

function valueChanges(before: BodyValue, after: BodyValue, path: readonly ChangePathPart[]): StateChange[] {
  if (before.type === 'body' && after.type === 'body' && isSameStruct(before.value, after.value)) {
    return bodyChanges(before.value, after.value, path);
  }
  if (before.type === 'map' && after.type === 'map') {
    return mapChanges(before, after, path);
  }
  return canonical(before) === canonical(after) ? [] : [{ path, before, after }];
}

type MapValue = Extract<BodyValue, { type: 'map' }>;

/** Kept and removed entries in key order, then the added ones. */
function mapChanges(before: MapValue, after: MapValue, path: readonly ChangePathPart[]): StateChange[] {
  const now = new Map(after.entries.map((entry) => [canonical(entry.key), entry.value]));
  const had = new Set(before.entries.map(({ key }) => canonical(key)));
  return [
    ...before.entries.flatMap(({ key, value }): StateChange[] => {
      const other = now.get(canonical(key));
      const inside = [...path, { key }];
      return other === undefined ? [{ path: inside, before: value }] : valueChanges(value, other, inside);
    }),
    ...after.entries
      .filter(({ key }) => !had.has(canonical(key)))
      .map(({ key, value }): StateChange => ({ path: [...path, { key }], after: value })),
  ];
}

function isSameStruct(a: DecodedBody, b: DecodedBody): boolean {
  const names = ({ fields }: DecodedBody): string => fields.map(({ name }) => name).join('\n');
  return a.name === b.name && a.opcode === b.opcode && names(a) === names(b);
}

function isWhole({ broken, left }: DecodedBody): boolean {
  return !broken && left.bits + left.refs === 0;
}

/** Equal values have equal texts. */
function canonical(value: BodyValue): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}
