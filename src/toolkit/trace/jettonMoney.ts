import type { V3Message } from '../api/v3Objects';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { integerOf } from '../contracts/opcodes/decodedBody';
import { shortenMiddle } from '../base/text';
import {
  burnOrder,
  isOwnBurnNotice,
  isRelayedBurn,
  isSentByWallet,
  jettonOpcodes,
  lastOfBurn,
} from './jettonWallets';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';

/** Changes of jetton balances by owner and master. */
export interface JettonMoney {
  changes: ReadonlyMap<string, Map<string, bigint>>;
  /** Minted less burned, by master. */
  supply: ReadonlyMap<string, bigint>;
  /** What the changes and the supply are the sums of, in the order of the transactions. */
  movements: readonly JettonMovement[];
  unknown: string[];
}

/** Where jettons came from or went to. */
export type JettonHolder =
  /** `account` is the owner. */
  | { kind: 'owner'; account: string }
  /** `account` is a jetton wallet whose owner or jetton is unknown. */
  | { kind: 'wallet'; account: string }
  | { kind: 'minted' | 'burned' | 'onTheWay' | 'lost' };

/** Jettons that changed hands. */
export interface JettonMovement {
  master: string;
  from: JettonHolder;
  to: JettonHolder;
  /** Base units. */
  amount: bigint;
}

/**
 * Jettons by the rules of TEP-74: sending an `internal_transfer` debits the sender's wallet (nothing, if the minter
 * sends it), receiving it credits; notifying the minter of a burn destroys them; a bounce of either reverses it.
 */
export function jettonMoney(context: TraceContext): JettonMoney {
  const books = new Books(context);
  for (const node of context.model.nodes) {
    const message = node.message;
    const source = message?.source ?? undefined;
    if (message == null || source === undefined || node.account === undefined) {
      continue;
    }
    const isBurn = isBurnNotice(node, context);
    if (!isBurn && context.opcode(message) !== jettonOpcodes.internalTransfer) {
      continue;
    }
    const amount = integerOf(isBurn ? noticeBody(node, message, context) : context.body(message), 'amount');
    if (amount === undefined) {
      books.unknown.push(
        `A jetton message to ${context.title(node.account)} could not be decoded; its amount is unknown.`,
      );
      continue;
    }
    if (message.bounced === true) {
      // Booked with the bounced message.
      continue;
    }
    book(node, isBurn, { source, account: node.account, amount }, books, context);
  }
  return books.close();
}

/**
 * Whether a message notifies a master of a burn: TEP-74's notification from the wallet itself (not relayed), or a
 * wallet's substitute: sent to its master, or with the same query id and amount.
 */
function isBurnNotice(node: TraceNode, context: TraceContext): boolean {
  const { message, parent } = node;
  if (message == null) {
    return false;
  }
  if (context.opcode(message) === jettonOpcodes.burnNotification) {
    return !isRelayedBurn(node, context);
  }
  if (burnOrder(parent, context) === undefined || parent?.children.some(isNotification) === true) {
    return false;
  }
  const master = parent?.account === undefined ? undefined : context.jettonWallet(parent.account)?.master;
  return master === undefined
    ? isOwnBurnNotice(node, context)
    : parent?.children.find(({ account }) => account === master) === node;

  function isNotification({ message: told }: TraceNode): boolean {
    return told != null && context.opcode(told) === jettonOpcodes.burnNotification;
  }
}

/** The body with the amount: a wallet's own notification format is unknown, but the burn order is not. */
function noticeBody(node: TraceNode, message: V3Message, context: TraceContext): DecodedBody | undefined {
  return context.opcode(message) === jettonOpcodes.burnNotification
    ? context.body(message)
    : burnOrder(node.parent, context);
}

interface Movement {
  source: string;
  account: string;
  amount: bigint;
}

function book(
  node: TraceNode,
  isBurn: boolean,
  { source, account, amount }: Movement,
  books: Books,
  context: TraceContext,
): void {
  const fromWallet = isBurn || isSentByWallet(node, context);
  const end = isBurn ? lastOfBurn(node, context) : node;
  const arrived = end.outcome === 'ok' || end.outcome === 'partial';
  const given = arrived ? 'arrived' : returned(node) ? 'returned' : 'lost';
  if (given === 'returned') {
    return;
  }
  const from = fromWallet ? books.wallet(source, -amount) : books.supply(source, account, amount);
  if (given === 'lost') {
    books.unknown.push(lostText(node, amount, context));
    const kind = node.transaction === undefined ? 'onTheWay' : 'lost';
    books.move(from, { master: from.master, holder: { kind } }, amount);
    return;
  }
  const to = isBurn ? books.supply(end.account ?? account, source, -amount) : books.wallet(account, amount);
  books.move(from, to, amount);
}

/** Whether the bounce of a failed message reached its sender and was handled there. */
function returned(node: TraceNode): boolean {
  return node.children.some(
    (child) => child.message?.bounced === true && (child.outcome === 'ok' || child.outcome === 'partial'),
  );
}

function lostText(node: TraceNode, amount: bigint, context: TraceContext): string {
  const where = context.title(node.account ?? '');
  return node.transaction === undefined
    ? `${amount} units of a jetton are on the way to ${where}.`
    : `${amount} units of a jetton sent to ${where} did not arrive and did not come back.`;
}

/** One side of a movement. */
interface Side {
  master: string | undefined;
  holder: JettonHolder;
}

class Books {
  readonly unknown: string[] = [];
  readonly #movements: JettonMovement[] = [];
  readonly #changes = new Map<string, Map<string, bigint>>();
  readonly #supply = new Map<string, bigint>();
  readonly #nameless = new Map<string, bigint>();

  constructor(readonly context: TraceContext) {}

  wallet(account: string, amount: bigint): Side {
    const wallet = this.context.jettonWallet(account);
    if (wallet?.master === undefined || wallet.owner === undefined) {
      this.#nameless.set(account, (this.#nameless.get(account) ?? 0n) + amount);
      return { master: wallet?.master, holder: { kind: 'wallet', account } };
    }
    const jettons = this.#changes.get(wallet.owner) ?? new Map<string, bigint>();
    jettons.set(wallet.master, (jettons.get(wallet.master) ?? 0n) + amount);
    this.#changes.set(wallet.owner, jettons);
    return { master: wallet.master, holder: { kind: 'owner', account: wallet.owner } };
  }

  /** `master` minted or burned; if it is not known as a master, the wallet's facts decide. */
  supply(master: string, wallet: string, amount: bigint): Side {
    const key = this.context.jettonWallet(wallet)?.master ?? master;
    this.#supply.set(key, (this.#supply.get(key) ?? 0n) + amount);
    return { master: key, holder: { kind: amount > 0n ? 'minted' : 'burned' } };
  }

  /** A side whose jetton is unknown has the other's; sides that contradict each other move apart. */
  move(from: Side, to: Side, amount: bigint): void {
    const master = from.master ?? to.master;
    if (master === undefined) {
      return;
    }
    if (to.master === undefined || to.master === master) {
      this.#movements.push({ master, from: from.holder, to: to.holder, amount });
      return;
    }
    this.#movements.push(
      { master, from: from.holder, to: { kind: 'lost' }, amount },
      { master: to.master, from: { kind: 'lost' }, to: to.holder, amount },
    );
  }

  close(): JettonMoney {
    for (const [account, amount] of this.#nameless) {
      const short = shortenMiddle(this.context.name(account));
      this.unknown.push(
        `The jetton wallet ${short} changed by ${amount} units; its owner and jetton are unknown.`,
      );
    }
    for (const jettons of this.#changes.values()) {
      for (const [master, amount] of jettons) {
        if (amount === 0n) {
          jettons.delete(master);
        }
      }
    }
    return {
      changes: this.#changes,
      supply: this.#supply,
      movements: this.#movements,
      unknown: this.unknown,
    };
  }
}
