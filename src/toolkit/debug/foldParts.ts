import { visibleText } from '../text';
import { partsSummary } from './partsSummary';
import type { DebugValue, DebugVariable } from './debugValues';
import type { WatchedData } from './watchedData';
import { groupBy } from '../groupBy';

/** A value with its name; those with a dot in their names are parts of a struct. */
export interface NamedPart {
  name: string;
  value: DebugValue;
}

/**
 * Folds `st.owner` and `st.value` into `st`.
 * @param watched how changes of the variable or struct with a name are watched; undefined if they cannot be
 */
export function foldParts(
  parts: readonly NamedPart[],
  watched: (name: string) => WatchedData | undefined,
): DebugVariable[] {
  const fold = (members: readonly NamedPart[], prefix: string): DebugVariable[] => {
    const groups = groupBy(members, ({ name }) => name.slice(prefix.length).split('.', 1)[0] ?? '');
    return [...groups].map(([head, group]) => {
      const name = `${prefix}${head}`;
      const own = group.filter((one) => one.name === name);
      const [only] = own;
      if (only !== undefined && group.length === 1) {
        return { name: visibleText(head), value: only.value, expression: name, watched: watched(name) };
      }
      const inside = group.filter((one) => one.name !== name);
      const fields = fold(inside, `${name}.`);
      return {
        name: visibleText(head),
        value: {
          text: partsSummary(fields),
          note: noteOf(fields),
          parts: () => [...own.map(({ value }) => ({ name: '(itself)', value })), ...fields],
        },
        watched: watched(name),
      };
    });
  };
  return fold(parts, '');
}

/** Where all of these are known from; undefined if not all of them are from the same. */
function noteOf(fields: readonly DebugVariable[]): string | undefined {
  const notes = new Set(fields.map(({ value }) => value.note));
  return notes.size === 1 ? fields[0]?.value.note : undefined;
}
