import { Cell } from '@ton/core';
import type { V3AccountState, V3Message } from '../api/v3Objects';
import { formatTable } from '../base/formatTable';
import { groupBy } from '../base/collections';
import { shortenMiddle, visibleText } from '../base/text';
import { decodedRows } from './decodedRows';
import type { TraceNode } from './traceModel';
import { feeText, feesOf, formatChange, formatInteger, traceFees } from './figures';
import { jettonOfMessage } from './messageFacts';
import type { Money } from './money';
import { moneyOf } from './money';
import type { NodeChange } from './nodeChange';
import { nodeChangeText } from './nodeChange';
import { afterwardWords } from './stateChangeLines';
import { traceActions } from './traceActions';
import { TraceContext } from './traceContext';
import { nodeMessage, plainResult } from './traceText';
import { verdictOf } from './verdict';

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

/** A transaction and its partner in another trace. Either may be missing. */
interface MatchedNodes {
  left: TraceNode | undefined;
  right: TraceNode | undefined;
}

type KeyOf = (node: TraceNode, context: TraceContext) => string;

/**
 * Pairs siblings of two traces by what is alike, each time in order: the same account, opcode, value, and body; then
 * the same account and opcode; then the same opcode. An account that each side sent one other message to had the same
 * message changed. What is left has no partner, unless they are the roots: those are what is compared.
 *
 * @returns pairs in the left trace's order, then what only the right one has
 */
function matchNodes(
  a: readonly TraceNode[],
  b: readonly TraceNode[],
  left: TraceContext,
  right: TraceContext,
): MatchedNodes[] {
  const partners = new Map<TraceNode, TraceNode>();
  let [ofLeft, ofRight] = [a, b];
  const pairBy = (keyOf: KeyOf, isOnlyOne = false): void => {
    if (ofLeft.length === 0 || ofRight.length === 0) {
      return;
    }
    const others = groupBy(ofRight, (node) => keyOf(node, right));
    const taken = new Set<TraceNode>();
    for (const [key, group] of groupBy(ofLeft, (node) => keyOf(node, left))) {
      const alike = others.get(key) ?? [];
      if (isOnlyOne && Math.max(group.length, alike.length) > 1) {
        continue;
      }
      alike.slice(0, group.length).forEach((other, index) => {
        partners.set(group[index] as TraceNode, other);
        taken.add(other);
      });
    }
    ofLeft = ofLeft.filter((node) => !partners.has(node));
    ofRight = ofRight.filter((node) => !taken.has(node));
  };
  pairBy((node, context) => `${accountAndKind(node, context)} ${contentOf(node)}`);
  pairBy(accountAndKind);
  pairBy(kindOf);
  pairBy((node) => `${node.account ?? ''} ${node.message?.bounced === true}`, true);
  if (a[0]?.depth === 0) {
    pairBy(() => 'root');
  }
  return [
    ...a.map((node) => ({ left: node, right: partners.get(node) })),
    ...ofRight.map((node) => ({ left: undefined, right: node })),
  ];
}

const accountAndKind: KeyOf = (node, context) => `${node.account ?? ''} ${kindOf(node, context)}`;

/** By opcode, because names depend on what is known; the first bits of an external message are a signature's. */
function kindOf(node: TraceNode, context: TraceContext): string {
  const { message } = node;
  const opcode = message?.source == null || message.destination == null ? undefined : context.opcode(message);
  return opcode === undefined
    ? nodeMessage(node, context)
    : `${message?.bounced === true ? 'bounced ' : ''}${opcode}`;
}

function contentOf({ message }: TraceNode): string {
  return `${message?.value ?? ''} ${message?.message_content?.body ?? ''}`;
}

/** Maximum length of a value, longer than an address with its name: what is longer is not read, but compared. */
const longest = 72;

/** What differs, the most important first: how it ended, what it was told, what came of it, what it cost. */
function nodeChanges(a: TraceNode, b: TraceNode, left: TraceContext, right: TraceContext): NodeChange[] {
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
