import { WorkbenchError } from '../toolkit/base/errors';
import { counted, formatCoins, formatInteger } from '../toolkit/trace/figures';
import { formatTable } from '../toolkit/base/formatTable';
import { visibleText } from '../toolkit/base/text';
import { printOrder } from '../toolkit/explore/printOrder';
import type { ExploredScenario } from '../toolkit/workflows/exploreSheet';
import type { OrderRow } from '../toolkit/workflows/orderRows';

/** A scenario for people: what was seen, and the order of a fault as a list. */
export function exploreText(scenario: ExploredScenario, file: string): string {
  const { title, fault, rows, unjudged } = scenario;
  return [
    `${fault === undefined ? '✓' : '✗'} ${visibleText(title)}  ${seenText(scenario)}`,
    ...(fault === undefined ? [] : faultLines(scenario, file).map((line) => `    ${line}`)),
    ...rowLines(rows).map((line) => `  ${line}`),
    ...(unjudged.length === 0
      ? []
      : [
          `  Exit codes of ${unjudged.map((name) => visibleText(name)).join(', ')} were not judged: no source is known.`,
        ]),
  ].join('\n');
}

/** `concurrent-fault` (failed): what is wrong, and how to repeat it. */
export function faultError(scenario: ExploredScenario, file: string): WorkbenchError {
  const order = printOrder(scenario.order.map(({ number }) => number));
  return new WorkbenchError({
    code: 'concurrent-fault',
    kind: 'failed',
    message: `“${visibleText(scenario.title)}” breaks in one order of deliveries. ${faultLines(scenario, file).join(' ')}`,
    hint: `Repeat this order with @concurrent ${order}, which --keep FILE writes, or with --order ${order}.`,
  });
}

function seenText({ exploration, fault, order }: ExploredScenario): string {
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
    ...(stoppedBy === undefined ? [] : [`stopped by --${stoppedBy}`]),
  ].join(', ');
}

/** Rounded down: only the whole is 100 %. */
function shareText(share: number): string {
  const percent = Math.floor(share * 1000) / 10;
  return `${percent === 0 ? 'less than 0.1' : Math.min(percent, 99.9)} % of the space`;
}

function faultLines({ fault, rows }: ExploredScenario, file: string): string[] {
  switch (fault?.kind) {
    case 'expect':
      return fault.failures.map((failure) => `${file}:${fault.step.lineNumber} ${visibleText(failure)}`);
    case 'exit': {
      const meaning = fault.meaning === undefined ? '' : ` (${visibleText(fault.meaning)})`;
      const name = visibleText(rows.at(-1)?.to ?? fault.account);
      const what = fault.phase === 'action' ? 'fails in its actions with code' : 'ends with exit code';
      return [
        `${file}:${fault.step.lineNumber} ${name} ${what} ${fault.code}${meaning}, which its source does not name.`,
      ];
    }
    case 'coins':
      return [
        fault.missing > 0n
          ? `${formatCoins(fault.missing)} TON are in no balance, fee, or message after the last delivery.`
          : `${formatCoins(-fault.missing)} TON came from nowhere in the last delivery.`,
      ];
    case undefined:
      return [];
  }
}

/** One line per delivery, in columns. */
function rowLines(rows: readonly OrderRow[]): string[] {
  const cells = rows.map(({ number, from, to, name, value, exitCode, exitName, sent }) => [
    String(number),
    visibleText(`${from} → ${to}`),
    visibleText(name),
    `${formatCoins(value)} TON`,
    exitCode === null
      ? 'no code ran'
      : `exit ${exitCode}${exitName === undefined ? '' : ` ${visibleText(exitName)}`}`,
    sent.length === 0 ? '' : `sends ${sent.join(', ')}`,
  ]);
  return formatTable(cells, ['right', 'left', 'left', 'left', 'left', 'left']);
}
