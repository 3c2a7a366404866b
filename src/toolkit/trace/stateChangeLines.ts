import type { V3AccountState, V3Transaction } from '../api/v3Objects';
import { diffText } from '../cell/diffBocs';
import { readBoc } from '../cell/readBoc';
import { formatTable } from '../base/formatTable';
import { ownValue } from '../base/collections';
import type { ChangePathPart, StateChange } from '../contracts/layouts/initialLayout';
import { intText } from '../contracts/opcodes/bodyLines';
import type { BodyValue } from '../contracts/opcodes/decodedBody';
import { inlineValue, withTokenContent } from '../contracts/opcodes/decodedBody';
import { visibleText } from '../base/text';
import type { JettonFacts, TraceNode } from './traceModel';
import { fieldLines } from './fieldLines';
import { counted, formatChange, formatCoins } from './figures';
import { jettonsText } from './messageFacts';
import type { ReportLine } from './report';
import { titled } from './report';
import type { TraceContext } from './traceContext';
import { accountIn } from './traceKeys';

/** `count 0 → 1`, `guardians + bob: 5`, `guardians - bob: 5`, `limits.perTransfer 5 TON → 6 TON`. */
export function stateChangeText(
  change: StateChange,
  context: TraceContext,
  account: string | undefined,
): string {
  return stateChangeWords(change, context, account).join(' ');
}

/** What changed, and how: `count` and `0 → 1`, `guardians` and `+ bob: 5`. */
export function stateChangeWords(
  { path, before, after }: StateChange,
  context: TraceContext,
  account: string | undefined,
): [name: string, change: string] {
  const text = textIn(context, account);
  const last = path.at(-1);
  const isEntry = last !== undefined && 'key' in last;
  if (isEntry && (before === undefined || after === undefined)) {
    const value = before ?? after;
    const sign = before === undefined ? '+' : '-';
    const content = value === undefined || value.type === 'none' ? '' : `: ${text(value)}`;
    return [changePath(path.slice(0, -1), text), `${sign} ${text(last.key)}${content}`];
  }
  const [from, to] = [before, after].map((value) => (value === undefined ? 'none' : text(value)));
  return [changePath(path, text), `${from} → ${to}`];
}

/** What it is, and its value after the change: `guardians[bob]` and `5`; `removed` if there is none then. */
export function afterwardWords(
  { path, after }: StateChange,
  context: TraceContext,
  account: string | undefined,
): [name: string, value: string] {
  const text = textIn(context, account);
  return [changePath(path, text), after === undefined ? 'removed' : text(after)];
}

/** `limits.perTransfer`, `guardians[bob].weight`. */
export function changePath(path: readonly ChangePathPart[], text: (value: BodyValue) => string): string {
  return path
    .map((part, index) =>
      'key' in part ? `[${text(part.key)}]` : `${index === 0 ? '' : '.'}${visibleText(part.field, 60)}`,
    )
    .join('');
}

/** The text of a value of an account's data, whose jettons are those of the account. */
function textIn(context: TraceContext, account: string | undefined): (value: BodyValue) => string {
  const jetton = account === undefined ? undefined : context.jettonOf(account);
  return (value) => inlineValue(withTokenContent(value), (one) => plainText(one, context, jetton));
}

function plainText(
  value: Exclude<BodyValue, { type: 'map' | 'body' }>,
  context: TraceContext,
  jetton: JettonFacts | undefined,
): string {
  switch (value.type) {
    case 'int':
      return intText(value);
    case 'coins':
      return value.isJetton === true ? jettonsText(value.value, jetton) : context.coins(value.value);
    case 'bool':
      return value.value ? 'yes' : 'no';
    case 'address':
      return value.value === undefined ? 'no address' : context.name(accountIn(value.value));
    case 'text':
      return `"${visibleText(value.value, 80)}"`;
    case 'bytes':
      return value.value;
    case 'none':
      return 'none';
    case 'cell':
      return value.value.length > 60 ? `cell ${value.value.slice(0, 40)}…` : `cell ${value.value}`;
  }
}

/**
 * All decoded changes of a trace, with the account on the first of its lines. Beyond `most`, they are only
 * counted.
 */
export function stateChangeLines(context: TraceContext, most: number): string[] {
  const rows = context.model.nodes.flatMap((node) =>
    (context.stateChanges(node) ?? []).map((change, index) => [
      index === 0 && node.account !== undefined ? context.title(node.account) : '',
      stateChangeText(change, context, node.account),
    ]),
  );
  const more = rows.length - most;
  return [
    ...formatTable(rows.slice(0, most), ['left', 'left']),
    ...(more > 0 ? [`and ${counted(more, 'more change')}`] : []),
  ];
}

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
