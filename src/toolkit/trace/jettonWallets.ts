import { Cell } from '@ton/core';
import type { V3Message } from '../api/v3Objects';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { addressOf, integerOf } from '../contracts/opcodes/decodedBody';
import { opcodeOf } from '../contracts/opcodes/opcodes';
import { initData, accountIn } from './traceKeys';
import type { JettonWallet, TraceNode, TraceView } from './traceModel';

/**
 * Owners and masters of the jetton wallets in a trace: from the user's knowledge, the service's metadata, and TEP-74
 * messages. An owner commands a wallet by `transfer` and gets notified by `notify`; both ends of an
 * `internal_transfer` belong to one jetton; a `burn_notification` goes to the master; a new wallet carries its owner
 * and master in its state init.
 */
export function inferJettonWallets(context: TraceView): ReadonlyMap<string, JettonWallet> {
  const wallets = new Map<string, JettonWallet>();
  const learn = (
    account: string | undefined,
    owner: string | undefined,
    master: string | undefined,
  ): void => {
    if (account !== undefined) {
      const known = wallets.get(account) ?? {};
      wallets.set(account, { owner: known.owner ?? owner, master: known.master ?? master });
    }
  };
  for (const [account, wallet] of context.knowledge.jettonWallets ?? []) {
    learn(account, wallet.owner, wallet.master);
  }
  for (const account of context.model.metadata.keys()) {
    const extra = context.token(account, 'jetton_wallets')?.extra;
    if (extra != null) {
      learn(account, textKey(extra.owner), textKey(extra.jetton));
    }
  }
  const pairs: [string, string][] = [];
  for (const node of context.model.nodes) {
    learnFromNode(node, context, learn, pairs);
  }
  // Transfers chain (A's wallet to B's, B's to C's): passes in both directions reach a fixed point.
  for (const list of [pairs, [...pairs].reverse()]) {
    for (const [one, other] of list) {
      learn(one, undefined, wallets.get(other)?.master);
      learn(other, undefined, wallets.get(one)?.master);
    }
  }
  for (const wallet of wallets.values()) {
    if (wallet.owner === wallet.master && wallet.owner !== undefined) {
      // The commander of a wallet owns it, unless it is a master that may move its jettons by force.
      wallet.owner = undefined;
    }
  }
  return wallets;
}

type Learn = (account: string | undefined, owner: string | undefined, master: string | undefined) => void;

function learnFromNode(node: TraceNode, context: TraceView, learn: Learn, pairs: [string, string][]): void {
  const message = node.message;
  if (message == null || node.account === undefined || message.bounced === true) {
    return;
  }
  const source = textKey(message.source);
  switch (context.opcode(message)) {
    case jettonOpcodes.transfer:
    case jettonOpcodes.burn:
      if (node.outcome === 'ok') {
        learn(node.account, source, undefined);
      }
      return;
    case jettonOpcodes.internalTransfer: {
      if (source === undefined) {
        return;
      }
      const init = walletInit(message);
      learn(node.account, init?.owner, init?.master);
      if (isSentByWallet(node, context)) {
        pairs.push([source, node.account]);
        learn(node.account, orderedReceiver(node.parent, context), undefined);
        learn(source, addressOf(context.body(message), 'from'), undefined);
      } else {
        learn(node.account, orderedReceiver(node.parent, context), source);
      }
      return;
    }
    case jettonOpcodes.notify:
      learn(source, node.account, undefined);
      return;
    case jettonOpcodes.burnNotification:
      if (!isRelayedBurn(node, context)) {
        learn(source, addressOf(context.body(message), 'sender'), lastOfBurn(node, context).account);
      }
      return;
    default:
      if (source !== undefined && isOwnBurnNotice(node, context)) {
        learn(source, undefined, node.account);
      }
  }
}

/** Whether the sender of an internal transfer is a wallet; a minter sends them too. */
export function isSentByWallet(node: TraceNode, context: TraceView): boolean {
  const order = node.parent?.message;
  if (order != null && context.opcode(order) === jettonOpcodes.transfer) {
    return true;
  }
  const source = textKey(node.message?.source);
  return source !== undefined && context.token(source, 'jetton_wallets') !== undefined;
}

/** The payee given to the sender: the destination of a transfer, the receiver of a mint. */
function orderedReceiver(parent: TraceNode | undefined, context: TraceView): string | undefined {
  const body = parent?.message == null ? undefined : context.body(parent.message);
  return addressOf(body, 'destination') ?? addressOf(body, 'to_address');
}

/** Data of a new wallet: `[status] balance owner master …` in the reference contracts. */
function walletInit(message: V3Message): JettonWallet | undefined {
  const data = initData(message);
  if (data === undefined) {
    return undefined;
  }
  try {
    for (const skip of [0, 4]) {
      const slice = data.beginParse().skip(skip);
      if (slice.loadCoins() === 0n) {
        const owner = slice.loadMaybeAddress();
        const master = slice.loadMaybeAddress();
        if (owner !== null && master !== null) {
          return { owner: owner.toRawString(), master: master.toRawString() };
        }
      }
    }
  } catch {
    return undefined;
  }
  return undefined;
}

function textKey(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? accountIn(value) : undefined;
}

/**
 * Whether a burn notification only relays the previous one, through a contract between a wallet and its master (a
 * bridge's): one burn, two notifications.
 */
export function isRelayedBurn(node: TraceNode, context: TraceView): boolean {
  const { parent } = node;
  return parent !== undefined && isSameBurn(parent, node, context);
}

/** The final recipient of a burn notification, relayed or not: the master. */
export function lastOfBurn(node: TraceNode, context: TraceView): TraceNode {
  let last = node;
  for (let next: TraceNode | undefined = node; next !== undefined;) {
    last = next;
    next = last.children.find((child) => isSameBurn(last, child, context));
  }
  return last;
}

function isSameBurn(one: TraceNode, next: TraceNode, context: TraceView): boolean {
  const [before, after] = [one.message, next.message].map((message) =>
    message == null || message.bounced === true || context.opcode(message) !== jettonOpcodes.burnNotification
      ? undefined
      : context.body(message),
  );
  return (
    before !== undefined &&
    after !== undefined &&
    integerOf(before, 'amount') === integerOf(after, 'amount') &&
    addressOf(before, 'sender') === addressOf(after, 'sender')
  );
}

/**
 * Whether a message is a wallet's burn notification with a nonstandard opcode: like TEP-74's, it repeats the query id
 * and amount of the burn order.
 */
export function isOwnBurnNotice({ message, parent }: TraceNode, context: TraceView): boolean {
  const order = burnOrder(parent, context);
  if (order === undefined || message?.destination == null || message.bounced === true) {
    return false;
  }
  const head = headOf(message);
  return (
    head !== undefined &&
    head.code !== jettonOpcodes.burnNotification &&
    head.queryId === integerOf(order, 'query_id') &&
    head.amount === integerOf(order, 'amount')
  );
}

/** The contents of an executed burn order. */
export function burnOrder(node: TraceNode | undefined, context: TraceView): DecodedBody | undefined {
  const order = node?.message;
  const isOrder = order != null && order.bounced !== true && context.opcode(order) === jettonOpcodes.burn;
  return isOrder && node?.outcome === 'ok' ? context.body(order) : undefined;
}

/** Opcode, query id, and amount, with which nearly all jetton messages begin. */
function headOf({
  message_content: content,
}: V3Message): { code: number; queryId: bigint; amount: bigint } | undefined {
  try {
    const slice = Cell.fromBase64(content?.body ?? '').beginParse();
    return { code: slice.loadUint(32), queryId: slice.loadUintBig(64), amount: slice.loadCoins() };
  } catch {
    return undefined;
  }
}

/** First 32 bits of the messages of TEP-74. */
export const jettonOpcodes = {
  transfer: opcodeOf('jetton_transfer'),
  internalTransfer: opcodeOf('jetton_internal_transfer'),
  notify: opcodeOf('jetton_notify'),
  burn: opcodeOf('jetton_burn'),
  burnNotification: opcodeOf('jetton_burn_notification'),
} as const;
