import type { Cell } from '@ton/core';
import { canonicalAddress } from '../../address/canonicalAddress';
import { WorkbenchError } from '../../base/errors';
import { counted } from '../../trace/figures';
import { placeAt } from '../../sourceMap/mapSteps';
import type { DebugValue } from '../debugValue';
import { bodyValue, shownText } from '../debugValue';
import { evaluate } from '../evaluate';
import { difference, shortChanges } from '../valueChangeText';
import type { AskedRun, FoundHit, RunHits } from './queryHit';
import { undoneAt } from './queryHit';
import type { Question } from './readQuestion';

/** The writes of the data that changed a field, with the field before and after; the step is that of the write. */
export function writeHits(
  run: AskedRun,
  { contract, field }: Extract<Question, { kind: 'writes' }>,
): RunHits {
  const { view, names, nameOf } = run;
  const { recording } = view;
  const { registers, readStorage, lines } = view.run;
  if (contract !== undefined && !isContractNamed(run, contract)) {
    return { hits: [], notes: [], instead: names.slice(0, 1) };
  }
  const caught = recording.exceptions.map(({ step }) => step);
  const steps = [...new Set([...recording.writes, ...caught])].sort((one, other) => one - other);
  const isCaught = new Set(caught);
  const hits: FoundHit[] = [];
  const fields = new Set<string>();
  /** Writes of data that is unknown, or that its layout does not fit. */
  let unread = 0;
  let unchanged = 0;
  const valueOf = (data: Cell | undefined): DebugValue | undefined => {
    const body = data && readStorage(data);
    body?.fields.forEach(({ name }) => fields.add(name));
    return body && fieldIn(bodyValue(body, nameOf), field, nameOf);
  };
  let data = registers?.before(0).c4;
  let value = valueOf(data);
  for (const step of steps) {
    const next = registers?.before(step + 1).c4;
    if (next === data || (next !== undefined && data !== undefined && next.equals(data))) {
      continue;
    }
    const [before, after] = [value, valueOf(next)];
    [data, value] = [next, after];
    if (after === undefined) {
      unread += 1;
      continue;
    }
    const changes = difference(field, before, after);
    if (changes.length === 0) {
      unchanged += 1;
      continue;
    }
    hits.push({
      step,
      tell: () => ({
        title: `${shortChanges(changes)}${isCaught.has(step) ? ', as an exception was caught' : ''}`,
        values: [{ name: field, value: shownText(after), before: before && shownText(before) }],
        place: lines && placeAt(lines, step),
        undone: undoneAt(view, step),
      }),
    });
  }
  if (fields.size > 0 && hits.length === 0 && value === undefined) {
    return { hits, notes: [], instead: [...fields].map((one) => `${names[0] ?? 'c4'}.${one}`) };
  }
  const lacksLayout = fields.size === 0 && (contract !== undefined || unread > 0);
  return {
    hits,
    notes: [
      ...(lacksLayout || unread > 0
        ? [
            `${counted(unread, 'write')} of its data cannot be read: no known layout fits, or the log does not tell.`,
          ]
        : []),
      ...(unchanged > 0 ? [`${counted(unchanged, 'other write')} of its data left ${field} as it was.`] : []),
    ],
  };
}

/** Whether a contract is meant by one of its names, or by its address in any form. */
export function isContractNamed(
  { account, names }: Pick<AskedRun, 'account' | 'names'>,
  wanted: string,
): boolean {
  return names.includes(wanted) || (account !== undefined && canonicalAddress(wanted) === account);
}

/** Undefined if the data has no such field. */
function fieldIn(data: DebugValue, field: string, nameOf: AskedRun['nameOf']): DebugValue | undefined {
  try {
    return evaluate(`c4.${field}`, { find: (name) => (name === 'c4' ? data : undefined), nameOf });
  } catch (error) {
    if (WorkbenchError.is(error, 'expression-invalid')) {
      return undefined;
    }
    throw error;
  }
}
