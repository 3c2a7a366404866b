import { changedSourceText } from '../../contracts/abi/sourceLanguage';
import type { V3Message, V3Transaction } from '../../api/v3Objects';
import type { StateChange } from '../../contracts/layouts/initialLayout';
import { visibleText } from '../../base/text';
import { decodedRows } from '../decodedRows';
import { isEmulated } from '../isEmulated';
import type { TraceNode } from '../traceModel';
import { counted, feeKinds, feeText, feesOf, formatCoins, formatInteger, formatTime } from '../figures';
import { jettonOfMessage } from '../messageFacts';
import { actionResult, bounceResult, computedExit, gasText } from '../outcomeOf';
import { stateChangeWords, stateRows } from '../stateChangeLines';
import type { TraceContext } from '../traceContext';
import { nodeMessage, plainResult } from '../traceText';
import { codeMeaning, engineFailure, transactionHeadline } from '../transactionText';
import { causeOf } from '../verdict';
import type { DetailRow, PageCommand, PageDetails } from './tracePage';

/** Maximum rows of one kind; the transaction's document has all of them. */
const mostRows = 60;

/** Maximum fields of a message: a wallet's has two for each of its up to 255 orders. */
const mostFields = 24;

/** Maximum length of a field's value, longer than an address with its name: cells and signatures would take too much room. */
const longest = 100;

/** What {@link pageDetails} is told about the transaction. */
export interface DetailsOrigin {
  /** What the editor can do with this transaction. */
  commands: readonly PageCommand[];
  /** A restore has undone it. */
  isUndone: boolean;
}

/** What is known about one transaction, in the order in which it is asked: why, what, cost, and what came of it. */
export function pageDetails(node: TraceNode, context: TraceContext, origin: DetailsOrigin): PageDetails {
  const { model } = context;
  const { transaction, account } = node;
  const who = account === undefined ? 'unknown account' : context.name(account);
  const noun = transaction === undefined ? 'message' : 'transaction';
  const sections: PageDetails['sections'] = [
    { title: 'Status', rows: statusRows(node, context, origin) },
    { title: 'Money', rows: failedMoney(node, context) },
    { title: 'Message', rows: node.message == null ? [] : messageRows(node.message, context) },
    {
      title: 'Execution',
      rows: transaction === undefined ? [] : executionRows(node, transaction, context, origin),
    },
    { title: 'State', rows: transaction === undefined ? [] : changeRows(node, transaction, context) },
    { title: 'Sent', rows: sentRows(transaction, context) },
    { title: 'Fees', rows: transaction === undefined ? [] : feeRows(transaction, context) },
    { title: 'Transaction', rows: transaction === undefined ? [] : idRows(transaction) },
  ];
  return {
    node: node.index,
    title: `${who}, ${noun} ${formatInteger(node.index + 1)} of ${formatInteger(model.nodes.length)}`,
    sentence: sentenceOf(node, context),
    sections: sections
      .filter(({ rows }) => rows.length > 0)
      // Only what can be run again can be followed back.
      .map((section) => (origin.commands.includes('steps') ? section : withoutQuestions(section))),
    commands: [...origin.commands],
  };
}

/** The page's headline says why the trace failed: of that transaction, only how it ended is said again. */
function sentenceOf(node: TraceNode, context: TraceContext): string {
  return node === causeOf(context.model)
    ? `${nodeMessage(node, context)}, ${plainResult(node, context)}`
    : transactionHeadline(node, context, plainResult);
}

/** What sets the transaction apart from one that is done, and what its code means. */
function statusRows(node: TraceNode, context: TraceContext, { isUndone }: DetailsOrigin): DetailRow[] {
  const meaning = codeMeaning(node, context);
  const changed = node.account === undefined ? undefined : context.knowledge.changedSource?.(node.account);
  const rows: (DetailRow | undefined)[] = [
    isUndone ? { label: 'undone', text: 'A restore of the local network has undone it.' } : undefined,
    isEmulated(node) ? { label: 'predicted', text: 'It is not in a block.' } : undefined,
    ...(node.failure === undefined
      ? []
      : engineFailure(node.failure).map((text): DetailRow => ({ label: 'engine', text, tone: 'failed' }))),
    node.transaction === undefined && node.failure === undefined
      ? { label: 'transaction', text: plainResult(node, context) }
      : undefined,
    meaning === '' ? undefined : { label: 'meaning', text: meaning },
    changed === undefined ? undefined : { label: 'source', text: changedSourceText(changed) },
  ];
  return rows.filter((row) => row !== undefined);
}

/** Of a call that failed: what of its coins came back, what the account has now, and what is gone. */
function failedMoney(node: TraceNode, context: TraceContext): DetailRow[] {
  const { outcome, message, transaction, children } = node;
  const value = message?.value ?? undefined;
  if (outcome !== 'failed' || transaction === undefined || message?.source == null || !value) {
    return [];
  }
  const returned = children.find((child) => child.message?.bounced === true)?.message;
  const back = returned === undefined ? 0n : (returned?.value ?? undefined);
  const before = transaction.account_state_before?.balance ?? undefined;
  const after = transaction.account_state_after?.balance ?? undefined;
  const kept = before === undefined || after === undefined ? undefined : after - before;
  const lost = back === undefined || kept === undefined ? undefined : value - back - kept;
  const rows: (DetailRow | undefined)[] = [
    { label: 'attached', text: context.coins(value), question: 'tx.value' },
    back === undefined
      ? undefined
      : {
          label: isEmulated(node) ? 'would return' : 'came back',
          text:
            back === 0n
              ? 'nothing'
              : `${context.coins(back)}, bounced to ${context.title(returned?.destination ?? '')}`,
        },
    kept === undefined || kept <= 0n
      ? undefined
      : { label: 'stays', text: `${context.coins(kept)} in the account` },
    lost === undefined
      ? undefined
      : {
          label: 'lost to fees',
          text: `${context.coins(lost)}${kept !== undefined && kept < 0n ? `, of it ${context.coins(-kept)} from the account` : ''}`,
        },
  ];
  return rows.filter((row) => row !== undefined);
}

function messageRows(message: V3Message, context: TraceContext): DetailRow[] {
  const comment = context.comment(message);
  const value = message.value ?? undefined;
  return [
    partyRow('from', message.source, context),
    partyRow('to', message.destination, context),
    ...(value === undefined ? [] : [{ label: 'value', text: context.coins(value), question: 'tx.value' }]),
    ...Object.entries(message.value_extra_currencies ?? {}).map(([id, amount]) => ({
      label: 'value',
      text: `${formatInteger(amount ?? 0n)} of currency ${visibleText(id, 20)}`,
    })),
    ...(message.bounced === true ? [{ label: 'bounced', text: 'yes' }] : []),
    ...(comment === undefined ? [] : [{ label: 'comment', text: `"${visibleText(comment, 1_000)}"` }]),
    ...bodyRows(message, context),
  ];
}

/** The body by its layout; a nested body's fields are named by their path. */
function bodyRows(message: V3Message, context: TraceContext): DetailRow[] {
  const body = context.body(message);
  if (body === undefined) {
    return message.message_content?.body == null
      ? []
      : [{ label: 'body', text: 'not decoded', tone: 'quiet', command: 'text' }];
  }
  const rows = decodedRows(body, context, jettonOfMessage(message, context)).flatMap(
    ({ path, kind, text }): DetailRow[] => {
      const label = path.join('.');
      switch (kind) {
        case 'title':
          return [{ label: label === '' ? 'body' : label, text }];
        case 'field':
          return [
            text.length > longest
              ? { label, text: visibleText(text, longest), command: 'text' }
              : { label, text, question: `tx.body.${label}` },
          ];
        case 'remark':
          return [{ label: label === '' ? 'body' : label, text, tone: 'quiet' }];
        case 'body':
          return [];
      }
    },
  );
  return most(rows, 'more field', mostFields);
}

function executionRows(
  node: TraceNode,
  transaction: V3Transaction,
  context: TraceContext,
  { commands }: DetailsOrigin,
): DetailRow[] {
  const { compute_ph: compute, action, bounce } = transaction.description ?? {};
  const line = context.thrownLine(node);
  const command = (one: PageCommand): Pick<DetailRow, 'command'> =>
    commands.includes(one) ? { command: one } : {};
  const rows: (DetailRow | undefined)[] = [
    compute == null
      ? undefined
      : {
          label: 'result',
          text: computedExit(transaction, context),
          ...(compute.skipped !== true && compute.success === false
            ? ({ tone: 'failed', ...command('line') } as const)
            : {}),
        },
    line === undefined
      ? undefined
      : { label: 'line', text: `${line.place}  ${line.text}`, ...command('line') },
    ...(line?.values ?? []).map((text) => ({ label: 'with', text })),
    compute == null || compute.skipped === true
      ? undefined
      : { label: 'gas', text: gasText(transaction), question: 'tx.gas' },
    compute?.vm_steps == null || compute.skipped === true
      ? undefined
      : { label: 'steps', text: formatInteger(compute.vm_steps), ...command('steps') },
    action == null
      ? undefined
      : {
          label: 'actions',
          text: actionResult(action),
          ...(action.success === false ? ({ tone: 'failed', ...command('line') } as const) : {}),
        },
    bounce == null ? undefined : { label: 'bounce', text: bounceResult(bounce) },
    ...(transaction.debug_output ?? [])
      .slice(0, mostRows)
      .map((text) => ({ label: 'debug', text: visibleText(String(text), 1_000) })),
  ];
  return rows.filter((row) => row !== undefined);
}

function withoutQuestions({ title, rows }: PageDetails['sections'][number]): PageDetails['sections'][number] {
  return { title, rows: rows.map(({ question: _, ...row }) => row) };
}

/** Of an entry of a map, the map is asked about. */
function fieldQuestion({ path }: StateChange): Pick<DetailRow, 'question'> {
  const end = path.findIndex((part) => 'key' in part);
  const fields = (end < 0 ? path : path.slice(0, end)).flatMap((part) => ('field' in part ? part.field : []));
  return fields.length === 0 ? {} : { question: `c4.${fields.join('.')}` };
}

/** Balance and data before and after; what is unchanged is one quiet row. */
function changeRows(node: TraceNode, transaction: V3Transaction, context: TraceContext): DetailRow[] {
  const before = transaction.account_state_before ?? undefined;
  const after = transaction.account_state_after ?? undefined;
  if (before?.balance == null || after?.balance == null) {
    const isTold = before !== undefined || after !== undefined;
    return isTold ? [{ label: 'state', text: 'not in the answer', tone: 'quiet' }] : [];
  }
  const changes = context.stateChanges(node);
  const hasData = changes !== undefined && changes.length > 0;
  return [
    ...stateRows(before, after, context)
      .filter(([label]) => !(hasData && label === 'data'))
      .map(([label, text], index): DetailRow => ({
        ...{ label, text },
        ...(index === 0 ? { question: 'tx.balance' } : { tone: 'quiet' }),
      })),
    ...most(
      (changes ?? []).map((change): DetailRow => {
        const [label, text] = stateChangeWords(change, context, node.account);
        return { label, text, tone: 'changed', ...fieldQuestion(change) };
      }),
      'more change',
    ),
  ];
}

function sentRows(transaction: V3Transaction | undefined, context: TraceContext): DetailRow[] {
  const rows = (transaction?.out_msgs ?? []).map((message) => {
    const value = message.value ?? undefined;
    const amount = value === undefined ? '' : `, ${context.coins(value)}`;
    return {
      ...partyRow('to', message.destination, context),
      label: message.destination == null ? 'outside' : context.name(message.destination),
      text: `${context.messageName(message)}${amount}`,
    };
  });
  return most(rows, 'more message');
}

function feeRows(transaction: V3Transaction, context: TraceContext): DetailRow[] {
  const fees = feesOf(transaction);
  return [
    { label: 'all', text: `${feeText(fees)} ${context.coin}`, question: 'tx.fees' },
    ...feeKinds
      .filter((kind) => fees[kind] !== 0n)
      .map((kind): DetailRow => ({
        ...{ label: kind, text: formatCoins(fees[kind]), tone: 'quiet' },
        question: `tx.fees.${kind}`,
      })),
  ];
}

function idRows({ hash, lt, now, mc_block_seqno: block }: V3Transaction): DetailRow[] {
  return [
    ...(hash == null ? [] : [{ label: 'hash', text: visibleText(hash, 80) }]),
    ...(lt == null ? [] : [{ label: 'logical time', text: formatInteger(lt) }]),
    ...(now == null ? [] : [{ label: 'time', text: formatTime(now) }]),
    ...(block == null ? [] : [{ label: 'block', text: formatInteger(block) }]),
  ];
}

function partyRow(label: string, account: string | null | undefined, context: TraceContext): DetailRow {
  return account == null
    ? { label, text: 'outside' }
    : { label, text: context.title(account), account: visibleText(account, 80) };
}

function most(rows: readonly DetailRow[], noun: string, limit = mostRows): DetailRow[] {
  const more = rows.length - limit;
  return more <= 0
    ? [...rows]
    : [
        ...rows.slice(0, limit),
        { label: '', text: `and ${counted(more, noun)}`, tone: 'quiet', command: 'text' },
      ];
}
