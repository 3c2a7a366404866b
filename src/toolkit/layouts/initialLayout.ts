import type { Cell } from '@ton/core';
import type { StructLayout } from './cellLayout';
import { decodeByLayout } from './decodeByLayout';
import type { StorageLayout } from './findStorage';

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
