import { decodeByLayout } from '../layouts/decodeByLayout';
import type { SourceMap, VariableSlot } from '../sourceMap/sourceMap';
import { kindText } from '../sourceMap/namedValues';
import { bodyValue, wordValue } from './debugValues';
import type { AccountNames, DebugValue } from './debugValues';

/** What the source says about a value. */
export interface ValueType extends Pick<VariableSlot, 'kind' | 'cell'>, Pick<SourceMap, 'layouts'> {}

/** An entry of a stack by its declared type: coins as coins, and a cell of a known struct with its fields. */
export function typedValue(
  word: string,
  { kind, cell, layouts }: ValueType,
  nameOf: AccountNames,
): DebugValue {
  const value = wordValue(word, nameOf);
  const text = kindText(word, kind);
  if (text !== undefined) {
    return { ...value, text, type: kind };
  }
  const layout = cell === undefined ? undefined : layouts?.structs.get(cell);
  const read = layout === undefined ? undefined : value.value?.();
  if (layout === undefined || layouts === undefined || read === undefined || !('cell' in read)) {
    return value;
  }
  const body = bodyValue(decodeByLayout(read.cell, layout, layouts), nameOf);
  return {
    ...value,
    text: body.text,
    type: `Cell<${layout.name}>`,
    parts: () => [...(body.parts?.() ?? []), { name: '(cell)', value }],
  };
}
