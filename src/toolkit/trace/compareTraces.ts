import { formatChange } from './figures';
import { feeText, traceFees } from './fees';
import { matchNodes } from './matchNodes';
import type { MatchedNodes } from './matchNodes';
import { moneyOf } from './money';
import type { Money } from './money';
import { nodeChangeText } from './nodeChange';
import type { NodeChange } from './nodeChange';
import { nodeChanges } from './nodeChanges';
import { traceActions } from './traceActions';
import { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import { nodeMessage } from './traceText';
import { verdictOf } from './verdict';
import { formatTable } from '../formatTable';

/** One position in two traces. Either side may be missing. */
export interface ComparedNode {
  left: TraceNode | undefined;
  right: TraceNode | undefined;
  depth: number;
  /** What differs, the most important first; empty if nothing does, or if a side is missing. */
  differences: NodeChange[];
}

/**
 * Two traces side by side, for example before and after a change to a contract. Transactions are matched from the
 * root down: children of matched parents by what is alike, so that an added message does not misalign the others, and
 * messages that have nothing in common are not taken for each other.
 */
export function compareTraces(left: TraceContext, right: TraceContext): ComparedNode[] {
  const compared: ComparedNode[] = [];
  const stack: (MatchedNodes & { depth: number })[] = [];
  const push = (pairs: readonly MatchedNodes[], depth: number): void => {
    for (const pair of pairs.toReversed()) {
      stack.push({ ...pair, depth });
    }
  };
  push(matchNodes(left.model.roots, right.model.roots, left, right), 0);
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const { left: one, right: other, depth } = pair;
    const differences = one === undefined || other === undefined ? [] : nodeChanges(one, other, left, right);
    compared.push({ ...pair, differences });
    push(matchNodes(one?.children ?? [], other?.children ?? [], left, right), depth + 1);
  }
  return compared;
}

/** Both with the same letter for the same account: first the right trace's, then those of the left one alone. */
export function withSameLetters(left: TraceContext, right: TraceContext): [TraceContext, TraceContext] {
  const parties = [...new Set([...right.model.accounts, ...left.model.accounts])];
  const shared = ({ model, knowledge }: TraceContext): TraceContext =>
    new TraceContext(model, knowledge, parties);
  return [shared(left), shared(right)];
}

/** {@link compareTraces} as text: each side's actions, the tree with differences, the change in fees and amounts. */
export function comparisonText(left: TraceContext, right: TraceContext): string {
  const rows = compareTraces(left, right).map(({ left: a, right: b, depth, differences }) => {
    const node = b ?? a;
    const context = b === undefined ? left : right;
    const title = node?.account === undefined ? '?' : context.name(node.account);
    const message = node === undefined ? '' : nodeMessage(node, context);
    return [
      a === undefined ? '+' : b === undefined ? '-' : differences.length > 0 ? '≠' : '=',
      `${'  '.repeat(Math.min(depth, 16))}${title}`,
      message,
      a === undefined || b === undefined
        ? `only on the ${a === undefined ? 'right' : 'left'}`
        : differences.map(nodeChangeText).join(', '),
    ];
  });
  const side = (name: string, context: TraceContext): string[] => [
    `${name}: ${traceActions(context)[0]?.words ?? 'nothing'}`,
    ...(verdictOf(context) === undefined ? [] : [`  ${verdictOf(context) ?? ''}`]),
  ];
  return `${[
    ...side('left', left),
    ...side('right', right),
    '',
    ...formatTable(rows, ['left', 'left', 'left', 'left']),
    '',
    ...moneyComparison(left, right),
  ].join('\n')}\n`;
}

function moneyComparison(left: TraceContext, right: TraceContext): string[] {
  const [a, b] = [moneyOf(left), moneyOf(right)];
  const accounts = [...new Set([...a.rows, ...b.rows].map((row) => row.account))];
  const coinsOf = ({ rows: all }: Money, account: string): bigint =>
    all.filter((row) => row.account === account).reduce((sum, { coins }) => sum + coins, 0n);
  const rows = accounts.map((account) => {
    const [one, other] = [coinsOf(a, account), coinsOf(b, account)];
    return [right.name(account), formatChange(one, 9), formatChange(other, 9), formatChange(other - one, 9)];
  });
  const [fees, otherFees] = [traceFees(left.model), traceFees(right.model)];
  return formatTable(
    [
      [`money, ${right.coin}`, 'left', 'right', 'difference'],
      ...rows,
      [
        ...['fees', feeText(fees), feeText(otherFees)],
        fees.isKnown && otherFees.isKnown ? formatChange(otherFees.total - fees.total, 9) : 'unknown',
      ],
    ],
    ['left', 'decimal', 'decimal', 'decimal'],
  );
}
