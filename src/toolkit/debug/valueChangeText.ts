import { namedWords } from '../sourceMap/namedValues';
import type { AccountNames, DebugValue, WatchedData } from './debugValue';
import { actionsValue, bodyValue, cellValue, vmValue, wordValue } from './debugValue';
import { globalOf } from './globalOf';
import type { RunView } from './runView';

/** How many changed fields are told. */
const most = 3;
/** How many steps back the last value of a variable is looked for. */
const farthest = 2_000;

/** What has changed of a watched value before a step: `c4.total 2 TON → 1.1 TON`. */
export function valueChangeText(
  view: RunView,
  data: WatchedData,
  step: number,
  nameOf: AccountNames,
): string {
  const changes =
    data.kind === 'name'
      ? namedChanges(view, data.name, step, nameOf)
      : difference(
          titleOf(view, data),
          registerValue(view, data, step - 1, nameOf),
          registerValue(view, data, step, nameOf),
        );
  return shortChanges(changes);
}

/** The first changes, and how many there are besides. */
export function shortChanges(changes: readonly string[]): string {
  const rest = changes.length - most;
  return [...changes.slice(0, most), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

function titleOf({ run }: RunView, data: Exclude<WatchedData, { kind: 'name' }>): string {
  if (data.kind !== 'global') {
    return data.kind;
  }
  const known = run.lines?.map.globals.find(({ index }) => index === data.index);
  const field = data.part === undefined ? undefined : known?.fields[data.part];
  return known === undefined
    ? `c7[${data.index}]`
    : field === undefined
      ? known.name
      : `${known.name}.${field}`;
}

function registerValue(
  { run }: RunView,
  data: Exclude<WatchedData, { kind: 'name' }>,
  step: number,
  nameOf: AccountNames,
): DebugValue | undefined {
  const registers = run.registers?.before(Math.max(0, step));
  switch (data.kind) {
    case 'c4': {
      const body = registers?.c4 && run.readStorage(registers.c4);
      return body === undefined
        ? registers?.c4 && cellValue(registers.c4, 'cell', nameOf)
        : bodyValue(body, nameOf);
    }
    case 'c5':
      return registers?.c5 && { ...actionsValue(registers.c5, nameOf), parts: undefined };
    case 'c7':
      return registers?.c7 && vmValue({ type: 'tuple', items: registers.c7 }, nameOf);
    case 'global': {
      const value = globalOf(registers?.c7, data.index, data.part);
      return value && vmValue(value, nameOf);
    }
  }
}

/** Compares a variable and its fields with the values that they had last in the same run of the function. */
function namedChanges({ run, calls }: RunView, name: string, step: number, nameOf: AccountNames): string[] {
  const { lines } = run;
  const changes: string[] = [];
  for (const [field, word] of lines === undefined ? [] : namedWords(lines, step)) {
    if (field !== name && !field.startsWith(`${name}.`)) {
      continue;
    }
    for (let at = step - 1; lines !== undefined && at >= Math.max(0, step - farthest); at -= 1) {
      const before = calls.at[at] === calls.at[step] ? namedWords(lines, at).get(field) : undefined;
      if (before !== undefined) {
        changes.push(
          ...(before === word ? [] : difference(field, wordValue(before, nameOf), wordValue(word, nameOf))),
        );
        break;
      }
    }
  }
  return changes;
}

/** The innermost parts that differ, as `c4.total 2 TON → 1.1 TON`; empty if none does. */
export function difference(
  name: string,
  before: DebugValue | undefined,
  now: DebugValue | undefined,
): string[] {
  const [old, fresh] = [partsOf(before), partsOf(now)];
  if (old !== undefined && fresh !== undefined) {
    return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((part) =>
      difference(part.startsWith('[') ? `${name}${part}` : `${name}.${part}`, old.get(part), fresh.get(part)),
    );
  }
  if (identityOf(before) === identityOf(now)) {
    return [];
  }
  const [from, to] = [before?.text ?? 'nothing', now?.text ?? 'nothing'];
  return [from === to ? `${name} has changed` : `${name} ${from} → ${to}`];
}

function partsOf(value: DebugValue | undefined): Map<string, DebugValue> | undefined {
  return value?.parts === undefined || ['cell', 'slice', 'builder'].includes(value.type ?? '')
    ? undefined
    : new Map(value.parts().map((part) => [part.name, part.value]));
}

/** Cells with the same text can differ. */
function identityOf(value: DebugValue | undefined): string | undefined {
  const read = value?.value?.();
  return read !== undefined && 'cell' in read ? read.cell.hash().toString('hex') : value?.text;
}
