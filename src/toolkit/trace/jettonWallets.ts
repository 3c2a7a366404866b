import { addressOf } from './bodyFields';
import { isOwnBurnNotice, isRelayedBurn, lastOfBurn } from './burns';
import { initData } from './initData';
import { jettonOpcodes } from './jettonOpcodes';
import type { TraceView } from './traceView';
import { accountIn } from './traceKeys';
import type { TraceNode } from './traceModel';
import type { V3Message } from '../api/v3Objects';
import type { JettonWallet } from './traceKnowledge';

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
