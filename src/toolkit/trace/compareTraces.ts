import { formatChange, formatCoins } from './figures';
import { feeText, traceFees } from './fees';
import { moneyOf } from './money';
import type { Money } from './money';
import { traceActions } from './traceActions';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import { nodeMessage, plainResult } from './traceText';
import { verdictOf } from './verdict';
import { formatTable } from '../formatTable';
import { groupBy } from '../groupBy';

/** One position in two traces. Either side may be missing. */
export interface ComparedNode {
  left: TraceNode | undefined;
  right: TraceNode | undefined;
  depth: number;
  /** The differences: account, message, value, result, gas; empty if there are none. */
  differences: string[];
}

/**
 * Two traces side by side, for example before and after a change to a contract. Transactions are matched from the
 * root down: children of matched parents in order, by account and message if possible, so that an added message does
 * not misalign the others.
 */
export function compareTraces(left: TraceContext, right: TraceContext): ComparedNode[] {
  const compared: ComparedNode[] = [];
  const stack: { left: TraceNode | undefined; right: TraceNode | undefined; depth: number }[] = [];
  const push = (a: readonly TraceNode[], b: readonly TraceNode[], depth: number): void => {
    for (const pair of match(a, b, left, right).reverse()) {
      stack.push({ ...pair, depth });
    }
  };
  push(left.model.roots, right.model.roots, 0);
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    compared.push({ ...pair, differences: differencesOf(pair.left, pair.right, left, right) });
    push(pair.left?.children ?? [], pair.right?.children ?? [], pair.depth + 1);
  }
  return compared;
}

function match(
  a: readonly TraceNode[],
  b: readonly TraceNode[],
  left: TraceContext,
  right: TraceContext,
): { left: TraceNode | undefined; right: TraceNode | undefined }[] {
  const keyOf = (node: TraceNode, context: TraceContext): string =>
    `${node.account ?? ''} ${nodeMessage(node, context)}`;
  const waiting = groupBy(b, (node) => keyOf(node, right));
  const taken = new Set<TraceNode>();
  const pairs: { left: TraceNode | undefined; right: TraceNode | undefined }[] = a.map((node) => {
    const partner = waiting.get(keyOf(node, left))?.shift();
    if (partner !== undefined) {
      taken.add(partner);
    }
    return { left: node, right: partner };
  });
  // Remaining nodes are paired in order: the same position with another account or message.
  const rest = b.filter((node) => !taken.has(node));
  for (const pair of pairs) {
    pair.right ??= rest.shift();
  }
  return [...pairs, ...rest.map((node) => ({ left: undefined, right: node }))];
}

function differencesOf(
  a: TraceNode | undefined,
  b: TraceNode | undefined,
  left: TraceContext,
  right: TraceContext,
): string[] {
  if (a === undefined || b === undefined) {
    return [a === undefined ? 'only on the right' : 'only on the left'];
  }
  const differences: string[] = [];
  const compare = (what: string, one: string, other: string): void => {
    if (one !== other) {
      differences.push(`${what} ${one || 'none'} → ${other || 'none'}`);
    }
  };
  compare('account', accountOf(a, left), accountOf(b, right));
  compare('message', nodeMessage(a, left), nodeMessage(b, right));
  compare('value', valueOf(a), valueOf(b));
  compare('result', plainResult(a, left), plainResult(b, right));
  compare('gas', gasOf(a), gasOf(b));
  compare('messages out', sentBy(a), sentBy(b));
  return differences;
}

function accountOf(node: TraceNode, context: TraceContext): string {
  return node.account === undefined ? '' : context.name(node.account);
}

function valueOf(node: TraceNode): string {
  const value = node.message?.value ?? undefined;
  return value === undefined ? '' : formatCoins(value);
}

function gasOf(node: TraceNode): string {
  return node.transaction?.description?.compute_ph?.gas_used?.toString() ?? '';
}

function sentBy(node: TraceNode): string {
  return String(node.transaction?.out_msgs?.length ?? 0);
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
      differences.join(', '),
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
