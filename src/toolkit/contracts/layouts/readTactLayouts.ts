import * as z from 'zod';
import { readAbi } from '../abi/readAbi';
import type { LayoutSet } from './layoutSet';
import { initRow, TactAllocator } from './tactAllocator';
import type { TactStruct } from './tactAllocator';

const format = z.union([z.string(), z.number()]).nullish();
const typeRow = z.looseObject({
  kind: z.string(),
  type: z.string().optional(),
  optional: z.boolean().nullish(),
  format,
  key: z.string().optional(),
  keyFormat: format,
  value: z.string().optional(),
  valueFormat: format,
});
const fieldRow = z.looseObject({ name: z.string(), type: typeRow });
const structRow = z.looseObject({
  name: z.string(),
  header: z.number().nullish(),
  fields: z.array(fieldRow),
});
const receiverRow = z.looseObject({ message: z.looseObject({ type: z.string().optional() }) });
const tactAbi = z.looseObject({
  name: z.string().nullish(),
  types: z.array(structRow),
  receivers: z.array(receiverRow).nullish(),
});

/** The part of a package that says how the contract's data begins. */
const tactPackage = z.looseObject({
  init: z.looseObject({
    args: z.array(fieldRow).nullish(),
    prefix: z.unknown().optional(),
  }),
});

const dataName = /^(.+)\$Data$/;

/**
 * Reads the structs and messages from an ABI of the Tact compiler (.abi, or the `abi` text in a .pkg). Only a
 * .pkg says whether the contract has an `init`; an .abi is read as if it had one.
 * @throws WorkbenchError `abi-unreadable` (input), `over-limit` (input)
 */
export function readTactLayouts(origin: string, text: string): LayoutSet {
  const { name, types, receivers } = readAbi('Tact ABI', tactAbi, text);
  const ofPackage = tactPackage.safeParse(JSON.parse(text)).data;
  const data = ofPackage !== undefined && ofPackage.init.prefix === undefined ? 'bare' : 'flagged';
  const rows = new Map(
    types.map((row): [string, TactStruct] => [row.name, dataName.test(row.name) ? { ...row, data } : row]),
  );
  const allocator = new TactAllocator(rows, new Set((receivers ?? []).map(({ message }) => message.type)));
  // The ABI includes the data of every contract in its source.
  const own = (contract: string | undefined): boolean =>
    contract !== undefined && contract === (name ?? contract);
  const structs = new Map(
    [...rows].map(([key, row]) => [key, allocator.layout(row, own(dataName.exec(key)?.[1]))]),
  );
  const args = data === 'bare' ? undefined : ofPackage?.init.args;
  return {
    ...{ origin, contract: name ?? undefined, structs },
    ...(name == null || args == null ? {} : { initial: allocator.layout(initRow(name, args), false) }),
  };
}
