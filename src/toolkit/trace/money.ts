import type { V3Message, V3Transaction } from '../api/v3Objects';
import type { TraceModel, TraceNode } from './traceModel';
import type { Fees } from './figures';
import { counted, traceFees } from './figures';
import type { JettonMovement } from './jettonMoney';
import { jettonMoney } from './jettonMoney';
import type { TraceContext } from './traceContext';
import { compareLt } from './traceKeys';

/** One account's result. Amounts are changes, in base units. */
interface MoneyRow {
  account: string;
  /** Nanocoins. */
  coins: bigint;
  /** By jetton master. */
  jettons: ReadonlyMap<string, bigint>;
  /** By extra currency id. */
  extra: ReadonlyMap<string, bigint>;
  /**
   * What came from the account before the trace: by a transaction that is not part of it, or without any if the
   * message was sent in its name on a local network. If the account is also a party, it has a row of its own for that.
   */
  outside: boolean;
}

/**
 * Balance changes. If `unknown` is empty, the coins of all rows and `fees.total` add up to zero; each jetton's rows
 * add up to minted less burned.
 */
export interface Money {
  rows: MoneyRow[];
  fees: Fees;
  /** Change of each jetton's supply. */
  supply: ReadonlyMap<string, bigint>;
  /** The jettons that changed hands: what the rows and the supply are the sums of. */
  movements: readonly JettonMovement[];
  /** Unaccounted items, each as one sentence. */
  unknown: string[];
  /** Those of them that are about jettons. */
  unknownJettons: readonly string[];
  /** False if the answer omits amounts: then rows and fees need not add up. */
  isWhole: boolean;
}

interface Draft {
  coins: bigint;
  jettons: Map<string, bigint>;
  extra: Map<string, bigint>;
  outside: boolean;
}

/** The balance sheet of a trace, exact in base units. */
export function moneyOf(context: TraceContext): Money {
  const missing = missingAmounts(context.model);
  const unknown: string[] = [...missing];
  const rows = new Map<string, Draft>();
  const row = (account: string): Draft => {
    let found = rows.get(account);
    if (found === undefined) {
      found = emptyDraft();
      rows.set(account, found);
    }
    return found;
  };
  const balances = new Balances();
  for (const node of chronological(context.model.nodes)) {
    if (node.account === undefined) {
      continue;
    }
    if (node.transaction === undefined) {
      unknown.push(waiting(node, context));
      continue;
    }
    const draft = row(node.account);
    draft.coins += changeOf(node.transaction);
    addExtra(draft, node.transaction);
    balances.note(node.account, node.transaction);
  }
  const before = bookRoots(context, row, unknown);
  checkBalances(balances, rows, context, unknown);
  const { changes, supply, movements, unknown: unknownJettons } = jettonMoney(context);
  for (const [account, jettons] of changes) {
    row(account).jettons = jettons;
  }
  unknown.push(...unknownJettons);
  for (const problem of context.model.problems) {
    if (problem.code === 'too-large' || problem.code === 'incomplete') {
      unknown.push(problem.text);
    }
  }
  return {
    rows: [...rows, ...before].map(([account, draft]) => ({ account, ...draft })),
    fees: traceFees(context.model),
    supply,
    movements,
    unknown,
    unknownJettons,
    isWhole: missing.length === 0,
  };
}

function chronological(nodes: readonly TraceNode[]): TraceNode[] {
  return [...nodes].sort((a, b) => compareLt(a.transaction?.lt, b.transaction?.lt) || a.index - b.index);
}

/**
 * Change of the balance by one transaction: value received, less fees collected, less value sent with its forwarding
 * fees. The chain's own conservation law, valid for every kind of transaction.
 */
function changeOf(transaction: V3Transaction): bigint {
  let change = carriedCoins(transaction.in_msg) - (transaction.total_fees ?? 0n);
  for (const message of transaction.out_msgs ?? []) {
    change -= carriedCoins(message) + (message?.fwd_fee ?? 0n);
  }
  return change;
}

/**
 * The largest `extra_flags`. Since version 12 of the TVM they stand where the fee for instant routing was, so a service
 * or a saved answer may still call them `ihr_fee`. A real one, of older blocks, was never this small.
 */
const mostExtraFlags = 3n;

/** Coins inside a message: its value, and in older blocks the instant routing fee, which was always returned. */
export function carriedCoins(message: V3Message | null | undefined): bigint {
  const fee = message?.ihr_fee ?? 0n;
  return (message?.value ?? 0n) + (fee > mostExtraFlags ? fee : 0n);
}

function addExtra(draft: Draft, transaction: V3Transaction): void {
  const add = (amounts: Record<string, bigint | null> | null | undefined, sign: bigint): void => {
    for (const [id, amount] of Object.entries(amounts ?? {})) {
      draft.extra.set(id, (draft.extra.get(id) ?? 0n) + sign * (amount ?? 0n));
    }
  };
  add(transaction.in_msg?.value_extra_currencies, 1n);
  add(transaction.total_fees_extra_currencies, -1n);
  for (const message of transaction.out_msgs ?? []) {
    add(message?.value_extra_currencies, -1n);
  }
}

function waiting(node: TraceNode, context: TraceContext): string {
  const value = node.message?.value ?? undefined;
  const account = node.account === undefined ? 'an unnamed account' : context.title(node.account);
  const amount = value === undefined ? 'A message' : context.coins(value);
  return context.model.state === 'pending'
    ? `${amount} ${value === undefined ? '' : 'is '}on the way to ${account}: no transaction yet.`
    : `${amount} for ${account}: the answer does not include the transaction.`;
}

function emptyDraft(): Draft {
  return { coins: 0n, jettons: new Map(), extra: new Map(), outside: false };
}

/**
 * A root caused by an internal message got its coins from outside the trace. Those of an account that is also a party
 * are returned: they are no part of its balance's change in the trace.
 */
function bookRoots(
  context: TraceContext,
  row: (account: string) => Draft,
  unknown: string[],
): [account: string, draft: Draft][] {
  const before: [string, Draft][] = [];
  const { roots } = context.model;
  for (const root of roots) {
    const source = root.message?.source;
    if (root.transaction === undefined || source == null) {
      continue;
    }
    const value = carriedCoins(root.message);
    if (roots.length > 1) {
      unknown.push(
        `${context.coins(value)} came to ${context.title(root.account ?? '')} in a message whose sending transaction is missing.`,
      );
      continue;
    }
    const account = source;
    const known = context.model.nodes.some((node) => node.account === account);
    const draft = known ? emptyDraft() : row(account);
    if (known) {
      before.push([account, draft]);
    }
    draft.coins -= value;
    draft.outside = true;
    for (const [id, amount] of Object.entries(root.message?.value_extra_currencies ?? {})) {
      draft.extra.set(id, (draft.extra.get(id) ?? 0n) - (amount ?? 0n));
    }
  }
  return before;
}

/** First and last balance of each account, if the answer has its states, to check the sums against. */
class Balances {
  readonly accounts = new Map<string, { first: bigint | undefined; last: bigint | undefined }>();
  readonly #byState = new Map<string, bigint>();

  note(account: string, transaction: V3Transaction): void {
    const before = this.#balance(transaction.account_state_before);
    const after = this.#balance(transaction.account_state_after);
    const known = this.accounts.get(account);
    if (known === undefined) {
      this.accounts.set(account, { first: before, last: after });
    } else {
      known.last = after;
    }
  }

  #balance(state: V3Transaction['account_state_before']): bigint | undefined {
    const balance = state?.balance ?? undefined;
    const hash = state?.hash ?? undefined;
    if (hash === undefined) {
      return balance;
    }
    if (balance !== undefined) {
      this.#byState.set(hash, balance);
    }
    return balance ?? this.#byState.get(hash);
  }
}

/**
 * The states must match the change explained by the messages; coins can also vanish (burned by a special account).
 */
function checkBalances(
  balances: Balances,
  rows: ReadonlyMap<string, Draft>,
  context: TraceContext,
  unknown: string[],
): void {
  for (const [account, { first, last }] of balances.accounts) {
    if (first === undefined || last === undefined) {
      continue;
    }
    const draft = rows.get(account);
    if (draft === undefined || draft.outside) {
      continue;
    }
    const own = draft.coins;
    const difference = last - first - own;
    if (difference !== 0n && !isInterleaved(account, context)) {
      draft.coins += difference;
      unknown.push(
        `The balance of ${context.title(account)} changed by ${context.coins(last - first)}, but its messages and fees explain ${context.coins(own)}.`,
      );
    }
  }
}

/** Transactions of other traces may lie between two of this one; then first and last balance prove nothing. */
function isInterleaved(account: string, context: TraceContext): boolean {
  const own = chronological(context.model.nodes.filter((node) => node.account === account));
  return own.some((node, index) => {
    const previous = own[index - 1]?.transaction?.hash;
    const named = node.transaction?.prev_trans_hash;
    return previous != null && named != null && previous !== named;
  });
}

/**
 * Amounts missing from an answer's transactions, a sentence each. If there are any, the trace's balance sheet is
 * incomplete.
 */
function missingAmounts({ nodes }: TraceModel): string[] {
  const transactions = nodes.flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction]));
  // A message that was sent and received is in the answer twice.
  const messages = new Map(
    transactions
      .flatMap(({ in_msg: received, out_msgs: sent }) => [
        ...(sent ?? []),
        ...(received == null ? [] : [received]),
      ])
      .map((message) => [message.hash ?? message, message]),
  );
  const gaps: [count: number, text: string][] = [
    [count(transactions, ({ total_fees: fees }) => fees == null), 'the fees of'],
    [count(transactions, ({ out_msgs: sent }) => sent === undefined), 'the messages sent by'],
    [count(transactions, isWithoutCause), 'the message received by'],
  ];
  const values = count([...messages.values()], (message) => isInternal(message) && message.value == null);
  return [
    ...gaps.flatMap(([many, text]) => (many === 0 ? [] : `${text} ${counted(many, 'transaction')}`)),
    ...(values === 0 ? [] : [`the value of ${counted(values, 'message')}`]),
  ].map((text) => `The answer leaves out ${text}.`);
}

/** Null means that there is none, as for tick-tock. */
function isWithoutCause({ in_msg: message, description }: V3Transaction): boolean {
  return message === undefined && (description?.type == null || description.type === 'ord');
}

function isInternal({ source, destination }: V3Message): boolean {
  return source != null && destination != null;
}

function count<T>(items: readonly T[], isMissing: (item: T) => boolean): number {
  return items.filter(isMissing).length;
}
