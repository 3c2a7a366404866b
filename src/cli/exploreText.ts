import { WorkbenchError } from '../toolkit/base/errors';
import { formatCoins } from '../toolkit/trace/figures';
import { formatTable } from '../toolkit/base/formatTable';
import { visibleText } from '../toolkit/base/text';
import { printOrder } from '../toolkit/explore/printOrder';
import { faultLines, seenWords, unjudgedWords } from '../toolkit/workflows/exploredWords';
import type { ExploredScenario } from '../toolkit/workflows/exploreSheet';
import type { OrderRow } from '../toolkit/workflows/orderRows';

/** A scenario for people: what was seen, and the order of a fault as a list. */
export function exploreText(scenario: ExploredScenario, file: string): string {
  const { title, fault, rows } = scenario;
  const seen = seenWords(scenario, (by) => `stopped by --${by}`);
  return [
    `${fault === undefined ? '✓' : '✗'} ${visibleText(title)}  ${seen}`,
    ...(fault === undefined ? [] : faultLines(scenario, file).map((line) => `    ${line}`)),
    ...rowLines(rows).map((line) => `  ${line}`),
    ...unjudgedWords(scenario).map((line) => `  ${line}`),
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
