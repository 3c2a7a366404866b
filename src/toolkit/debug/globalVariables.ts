import type { Registers } from '../recording/followRegisters';
import type { SourceGlobal } from '../sourceMap/sourceMap';
import { unknownValue, vmValue } from './debugValues';
import type { AccountNames, DebugValue, DebugVariable } from './debugValues';
import { foldParts } from './foldParts';
import { globalOf } from './globalOf';
import type { WatchedData } from './watchedData';

/** A global variable by its name in the source, structs with their fields. */
export function globalVariable(
  { name, index, fields }: SourceGlobal,
  c7: Registers['c7'],
  nameOf: AccountNames,
): DebugVariable {
  const valueOf = (part?: number): DebugValue => {
    const value = globalOf(c7, index, part);
    return value === undefined ? unknownValue : vmValue(value, nameOf);
  };
  const watched = (path: string): WatchedData => {
    const at = fields.findIndex((field) => `${name}.${field}` === path);
    return { kind: 'global', index, part: at < 0 ? undefined : at };
  };
  const isSet = globalOf(c7, index)?.type !== 'null';
  const parts =
    fields.length > 0 && isSet
      ? fields.map((field, at) => ({ name: `${name}.${field}`, value: valueOf(at) }))
      : [{ name, value: valueOf() }];
  const [variable] = foldParts(parts, watched);
  return variable!;
}

/** The globals by their numbers, as c7 holds them. */
export function slotsValue(c7: NonNullable<Registers['c7']>, nameOf: AccountNames): DebugValue {
  const value = vmValue({ type: 'tuple', items: c7 }, nameOf);
  return {
    ...value,
    parts: () =>
      value.parts?.().map((part, index) => ({
        ...part,
        expression: `c7${part.name}`,
        watched: { kind: 'global', index },
      })) ?? [],
  };
}
