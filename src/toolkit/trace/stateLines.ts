import { ownValue } from '../ownValue';
import { diffText } from '../cell/diffBocs';
import { readBoc } from '../cell/readBoc';
import { visibleText } from '../text';
import { fieldLines } from './fieldLines';
import { formatChange, formatCoins } from './figures';
import { titled } from './report';
import type { ReportLine } from './report';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import { stateChangeText } from './stateChangeLines';
import type { V3AccountState, V3Transaction } from '../api/v3Objects';
import { formatTable } from '../formatTable';

/** The account before and after a transaction, with the difference. */
export function stateLines(node: TraceNode, context: TraceContext): string[] {
  const { transaction } = node;
  const changes = context.stateChanges(node);
  const before = transaction?.account_state_before ?? undefined;
  const after = transaction?.account_state_after ?? undefined;
  if (before === undefined && after === undefined) {
    return ['the answer has no states'];
  }
  return [
    ...formatTable(stateRows(before, after, context), ['left', 'left']),
    ...cellDifference('code', before, after),
    ...(changes === undefined
      ? cellDifference('data', before, after)
      : changes.map((change) => `  ${stateChangeText(change, context, node.account)}`)),
  ];
}

/** Balance, status, code and data before and after, each with its name. */
export function stateRows(
  before: V3AccountState | undefined,
  after: V3AccountState | undefined,
  context: TraceContext,
): [name: string, text: string][] {
  return [
    balanceRow(before, after, context),
    wordRow('status', before?.account_status, after?.account_status),
    hashRow('code', before, after, 'code'),
    hashRow('data', before, after, 'data'),
  ];
}

/** All fields of the account's state before and after a transaction. */
export function accountStateFields(transaction: V3Transaction, context: TraceContext): ReportLine[] {
  const { account_state_before: before, account_state_after: after } = transaction;
  return [
    ...titled('Account state before', before == null ? [] : fieldLines(before, 'state', context)),
    ...titled('Account state after', after == null ? [] : fieldLines(after, 'state', context)),
  ];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function balanceRow(
  before: V3AccountState | undefined,
  after: V3AccountState | undefined,
  context: TraceContext,
): [string, string] {
  const from = before?.balance ?? undefined;
  const to = after?.balance ?? undefined;
  const text = (amount: bigint | undefined): string =>
    amount === undefined ? 'unknown' : formatCoins(amount);
  const change = from === undefined || to === undefined ? '' : ` (${formatChange(to - from, 9)})`;
  return ['balance', `${text(from)} → ${text(to)} ${context.coin}${change}`];
}

/** What the service's words for an account's status mean. */
const statusWords: Readonly<Record<string, string>> = {
  nonexist: 'does not exist yet',
  uninit: 'uninitialized',
};

function wordRow(
  name: string,
  before: string | null | undefined,
  after: string | null | undefined,
): [string, string] {
  const word = (text: string | null | undefined): string =>
    ownValue(statusWords, text ?? 'unknown') ?? visibleText(text ?? 'unknown', 24);
  return [name, before === after ? `${word(before)}, unchanged` : `${word(before)} → ${word(after)}`];
}

/** States not indexed by the service have only their hash. */
function isKnown(state: V3AccountState | undefined): boolean {
  return state != null && (state.account_status != null || state.balance != null);
}

/** Code and data by hash; the cells themselves are compared if the answer has them. */
function hashRow(
  name: string,
  before: V3AccountState | undefined,
  after: V3AccountState | undefined,
  part: 'code' | 'data',
): [string, string] {
  const from = before?.[`${part}_hash`];
  const to = after?.[`${part}_hash`];
  if (!isKnown(before) || !isKnown(after)) {
    const side = isKnown(before) ? 'after' : isKnown(after) ? 'before' : 'before and after';
    return [name, `unknown: the answer has only the hash of the state ${side}`];
  }
  if (from === to) {
    return [name, from == null ? 'none' : 'unchanged'];
  }
  const text = (hash: string | null | undefined): string => (hash == null ? 'none' : hash);
  const hasCells = before?.[`${part}_boc`] != null && after?.[`${part}_boc`] != null;
  const why = hasCells || from == null || to == null ? '' : ' (the answer has only the hashes)';
  return [name, `changed, ${text(from)} → ${text(to)}${why}`];
}

/** Where the cells differ, for answers that contain them. */
function cellDifference(
  part: 'code' | 'data',
  before: V3AccountState | undefined,
  after: V3AccountState | undefined,
): string[] {
  const from = before?.[`${part}_boc`];
  const to = after?.[`${part}_boc`];
  if (from == null || to == null || from === to) {
    return [];
  }
  try {
    const text = diffText(readBoc(Buffer.from(from, 'base64')), readBoc(Buffer.from(to, 'base64')));
    return [`${part}, cell by cell`, ...indented(text.trimEnd().split('\n'))];
  } catch {
    return [`${part}, cell by cell: one of the two bags of cells cannot be read`];
  }
}
