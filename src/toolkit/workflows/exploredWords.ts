import { visibleText } from '../base/text';
import { TraceContext } from '../trace/traceContext';
import { counted, formatCoins, formatInteger } from '../trace/figures';
import type { Exploration } from '../explore/exploreOrders';
import { printOrder } from '../explore/printOrder';
import type { CrossingScenario } from './exploreThread';

/** What words need to know; also of a scenario that has not crossed threads. */
type ToldScenario = Omit<CrossingScenario, 'trace'>;

/**
 * How much of a scenario's orders was seen: `all 24 orders, 13 states, 3 different ends`.
 *
 * @param stopped words for the bound that ended it: `stopped by --seconds`
 */
export function seenWords(
  { exploration, fault, order }: ToldScenario,
  stopped: (by: NonNullable<Exploration<unknown>['stoppedBy']>) => string,
): string {
  if (exploration === undefined) {
    return `one order of ${counted(order.length, 'message')}`;
  }
  const { orders, covered, states, ends, share, cut, stoppedBy } = exploration;
  const facts = [counted(states, 'state')];
  if (fault !== undefined) {
    return [`found in order ${formatInteger(orders)}`, ...facts].join(', ');
  }
  const isWhole = stoppedBy === undefined && cut === 0;
  return [
    isWhole
      ? `all ${counted(Number(covered), 'order')}`
      : `${counted(orders, 'order')} run, ${shareText(share)}`,
    ...facts,
    counted(ends, 'different end'),
    ...(cut === 0 ? [] : [`${counted(cut, 'order')} cut because of too many deliveries`]),
    ...(stoppedBy === undefined ? [] : [stopped(stoppedBy)]),
  ].join(', ');
}

/** Rounded down: only the whole is 100 %. */
function shareText(share: number): string {
  const percent = Math.floor(share * 1000) / 10;
  return `${percent === 0 ? 'less than 0.1' : Math.min(percent, 99.9)} % of the space`;
}

/** What is wrong with an order, one sentence each, and the line of the sheet that it is about; none without a fault. */
export function faultWords({ fault, rows }: ToldScenario): { line?: number; text: string }[] {
  switch (fault?.kind) {
    case 'expect':
      return fault.failures.map((failure) => ({ line: fault.step.lineNumber, text: visibleText(failure) }));
    case 'exit': {
      const meaning = fault.meaning === undefined ? '' : ` (${visibleText(fault.meaning)})`;
      const name = visibleText(rows.at(-1)?.to ?? fault.account);
      const what = fault.phase === 'action' ? 'fails in its actions with code' : 'ends with exit code';
      const text = `${name} ${what} ${fault.code}${meaning}, which its source does not name.`;
      return [{ line: fault.step.lineNumber, text }];
    }
    case 'coins': {
      const text =
        fault.missing > 0n
          ? `${formatCoins(fault.missing)} TON are in no balance, fee, or message after the last delivery.`
          : `${formatCoins(-fault.missing)} TON came from nowhere in the last delivery.`;
      return [{ text }];
    }
    case undefined:
      return [];
  }
}

/**
 * The trace of an order, which says what is wrong with it.
 * @param file the sheet, for people
 */
export function orderContext(
  scenario: ToldScenario,
  { model, knowledge }: TraceContext,
  file: string,
): TraceContext {
  const problems = faultLines(scenario, file).map((text) => ({ code: 'broken-order' as const, text }));
  return new TraceContext({ ...model, problems: [...problems, ...model.problems] }, knowledge);
}

/** The text of a sheet that repeats exactly the order of a scenario. @param text of the sheet that was explored */
export function sheetOfOrder(text: string, { sends: [first], order }: ToldScenario): string {
  const mark = first?.concurrent;
  const kept = `@concurrent ${printOrder(order.map(({ number }) => number))}`;
  return mark === undefined
    ? text
    : text.slice(0, mark.offset) + kept + text.slice(mark.offset + mark.length);
}

/** What is wrong, each sentence with the place in the sheet that it is about. */
export function faultLines(scenario: ToldScenario, file: string): string[] {
  return faultWords(scenario).map(({ line, text }) =>
    line === undefined ? text : `${file}:${line} ${text}`,
  );
}

/** The accounts whose exit codes nobody can judge, as a sentence; none if there are no such. */
export function unjudgedWords({ unjudged }: ToldScenario): string[] {
  const names = unjudged.map((name) => visibleText(name)).join(', ');
  return names === '' ? [] : [`Exit codes of ${names} were not judged: no source is known.`];
}

/** What a whole sheet's exploration without a fault has seen, within which bounds. */
export function nothingFoundWords(
  explored: readonly ToldScenario[],
  bounds: { orders: number; seconds: number },
): string {
  const isWhole = explored.every(
    ({ exploration: seen }) => seen === undefined || (seen.stoppedBy === undefined && seen.cut === 0),
  );
  const stopped = { orders: 'stopped at the bound', seconds: `stopped after ${bounds.seconds} s` };
  return [
    isWhole ? 'No order breaks anything.' : 'No broken order was found so far.',
    ...explored.map((one) => `“${visibleText(one.title)}”: ${seenWords(one, (by) => stopped[by])}.`),
    ...explored.flatMap(unjudgedWords),
    `The bounds are ${counted(bounds.orders, 'order')} and ${bounds.seconds} s.`,
  ].join(' ');
}
