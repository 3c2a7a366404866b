import { Cell } from '@ton/core';
import { shortenMiddle, visibleText } from '../text';
import type { V3AccountState, V3Message } from '../api/v3Objects';
import { decodedRows } from './decodedRows';
import { feesOf, feeText } from './fees';
import { formatInteger } from './figures';
import { jettonOfMessage } from './messageFacts';
import { afterwardWords } from './stateChangeLines';
import type { NodeChange } from './nodeChange';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import { nodeMessage, plainResult } from './traceText';

/** Maximum length of a value, longer than an address with its name: what is longer is not read, but compared. */
const longest = 72;

/** What differs, the most important first: how it ended, what it was told, what came of it, what it cost. */
export function nodeChanges(
  a: TraceNode,
  b: TraceNode,
  left: TraceContext,
  right: TraceContext,
): NodeChange[] {
  const [sent, otherSent] = [a, b].map(({ transaction }) => transaction?.out_msgs?.length ?? 0);
  const differing = (what: string, from: string, to: string): NodeChange[] =>
    from === to ? [] : [{ what, from: from || 'none', to: to || 'none' }];
  const fields = bodyFieldChanges(a.message, b.message, left, right);
  return [
    ...differing('result', plainResult(a, left), plainResult(b, right)),
    ...(a.account === b.account ? [] : differing('account', ...accountNames(a, b, left, right))),
    ...differing('message', nodeMessage(a, left), nodeMessage(b, right)),
    ...fields.filter((change) => !isLong(change)),
    ...differing('value', valueText(a, left), valueText(b, right)),
    ...stateDifferences(a, b, left, right),
    ...differing('messages out', String(sent), String(otherSent)),
    ...differing('gas', gasText(a), gasText(b)),
    ...feeChange(a, b, right),
    ...fields.filter(isLong),
  ];
}

/** Cells and signatures: they differ because something else does. */
function isLong({ from, to }: NodeChange): boolean {
  return Math.max(from.length, to.length) >= longest;
}

/** Different accounts of one name are told apart by their addresses. */
function accountNames(
  { account: a = '' }: TraceNode,
  { account: b = '' }: TraceNode,
  left: TraceContext,
  right: TraceContext,
): [from: string, to: string] {
  const [from, to] = [a === '' ? '' : left.name(a), b === '' ? '' : right.name(b)];
  return from === to
    ? [`${from} (${shortenMiddle(visibleText(a))})`, `${to} (${shortenMiddle(visibleText(b))})`]
    : [from, to];
}

function valueText({ message }: TraceNode, context: TraceContext): string {
  const value = message?.value ?? undefined;
  return value === undefined ? '' : context.coins(value);
}

function gasText({ transaction }: TraceNode): string {
  const gas = transaction?.description?.compute_ph?.gas_used ?? undefined;
  return gas === undefined ? '' : formatInteger(gas);
}

function feeChange(a: TraceNode, b: TraceNode, { coin }: TraceContext): NodeChange[] {
  const [from, to] = [a, b].map(({ transaction }) => feeText(feesOf(transaction))) as [string, string];
  return from === to ? [] : [{ what: 'fee', from, to: `${to} ${coin}` }];
}

/** Fields by their paths, as the details write them; what cannot be decoded by its hash. */
function bodyFieldChanges(
  a: V3Message | undefined,
  b: V3Message | undefined,
  left: TraceContext,
  right: TraceContext,
): NodeChange[] {
  const [one, other] = [a, b].map((message) => message?.message_content?.body ?? undefined);
  if (a === undefined || b === undefined || one === undefined || other === undefined || one === other) {
    return [];
  }
  const jetton = jettonOfMessage(b, right) ?? jettonOfMessage(a, left);
  // The same words for the same value: both with the names and letters of one trace.
  const fieldsOf = (message: V3Message, context: TraceContext): Map<string, string> => {
    const body = context.body(message);
    const rows = body === undefined ? [] : decodedRows(body, right, jetton);
    return new Map(
      rows.flatMap(({ path, kind, text }) =>
        kind === 'field' || (kind === 'title' && path.length > 0) ? [[path.join('.'), text]] : [],
      ),
    );
  };
  const [from, to] = [fieldsOf(a, left), fieldsOf(b, right)];
  const changes = [...new Set([...from.keys(), ...to.keys()])]
    .filter((path) => from.get(path) !== to.get(path))
    .map((what) => fieldChange(what, from.get(what) ?? 'none', to.get(what) ?? 'none'));
  const [hash, otherHash] = [one, other].map(bodyHash);
  return changes.length > 0 || (hash !== undefined && hash === otherHash)
    ? changes
    : [{ what: 'body', from: hash ?? 'unreadable', to: otherHash ?? 'unreadable' }];
}

/** Of long values what differs: the beginnings of two cells are mostly alike. */
function fieldChange(what: string, from: string, to: string): NodeChange {
  let same = 0;
  while (same < from.length && from.charAt(same) === to.charAt(same)) {
    same++;
  }
  const cut = (text: string): string =>
    text.length <= longest ? text : `${same === 0 ? '' : '…'}${visibleText(text.slice(same), longest)}`;
  return { what, from: cut(from), to: cut(to) };
}

/** Services write the same cell in different ways. */
function bodyHash(boc: string): string | undefined {
  try {
    return shortenMiddle(Cell.fromBase64(boc).hash().toString('hex'));
  } catch {
    return undefined;
  }
}

/** The contract's data afterward, field by field if both are decoded. */
function stateDifferences(a: TraceNode, b: TraceNode, left: TraceContext, right: TraceContext): NodeChange[] {
  const [one, other] = [a, b].map(({ transaction }) =>
    dataWord(transaction?.account_state_before, transaction?.account_state_after),
  );
  // Services leave out data that did not change.
  const before = one === 'unchanged' ? [] : left.stateChanges(a);
  const after = other === 'unchanged' ? [] : right.stateChanges(b);
  if (before === undefined || after === undefined) {
    return one === undefined || other === undefined || one === other
      ? []
      : [{ what: 'data', from: one, to: other }];
  }
  const [from, to] = [before, after].map(
    (changes) => new Map(changes.map((change) => afterwardWords(change, right, b.account))),
  ) as [Map<string, string>, Map<string, string>];
  const paths = [...new Set([...from.keys(), ...to.keys()])];
  return paths
    .map((path) => ({
      what: `${path} afterward`,
      from: from.get(path) ?? 'unchanged',
      to: to.get(path) ?? 'unchanged',
    }))
    .filter(({ from: value, to: otherValue }) => value !== otherValue);
}

/** Only whether it changed: between two traces, the data of most contracts differ anyway. */
function dataWord(
  before: V3AccountState | null | undefined,
  after: V3AccountState | null | undefined,
): string | undefined {
  return before?.data_hash == null || after?.data_hash == null
    ? undefined
    : before.data_hash === after.data_hash
      ? 'unchanged'
      : 'changed';
}
