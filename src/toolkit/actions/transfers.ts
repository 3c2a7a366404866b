import type { Cell, Slice } from '@ton/core';
import { opcodeOf } from '../contracts/opcodes/opcodes';
import type { ActionEvent, ActionFacts, ActionNode } from './actionNode';
import { childOf, childrenOf, loadAccount, parentOf, present, readFields } from './actionNode';

/** Messages of jettons: TEP-74, and of the reference minter. */
export const jetton = {
  transfer: opcodeOf('jetton_transfer'),
  internalTransfer: opcodeOf('jetton_internal_transfer'),
  notify: opcodeOf('jetton_notify'),
  burn: opcodeOf('jetton_burn'),
  burnNotification: opcodeOf('jetton_burn_notification'),
  excess: opcodeOf('excess'),
  mint: 0x642b7d07,
} as const;

/** Coins that come with a message to a wallet of wrapped coins, since version 2 of the wrapper. */
export const wrappedCoinsTransfer = 0x01f3835d;

/** Masters of wrapped coins: amounts of theirs are coins. */
const wrappedCoins: ReadonlySet<string> = new Set([
  '0:8cdc1d7640ad5ee326527fc1ad0514f468b30dc84b0173f0e155f451b4e11f7c',
  '0:671963027f7f85659ab55b821671688601cdcf1ee674fc7fbbb1a776a18d34a3',
  '0:949c4c66760c002800e2fa3d8a3ca4e1c90a9373b53ae7472033483bf14cd95e',
]);

/** The amount after the query id: of orders, credits, burns, and notices of jettons, and of many that are like them. */
export function amountOf(node: ActionEvent | undefined): bigint | undefined {
  return readFields(node, (slice) => slice.skip(64).loadCoins());
}

/** What is known of the receiver as a jetton wallet. */
export function walletAt(
  node: ActionNode | undefined,
  facts: ActionFacts,
): ReturnType<ActionFacts['jettonWallet']> {
  return node?.account === undefined ? undefined : facts.jettonWallet(node.account);
}

/** The asset of a jetton wallet: its master, null for coins; undefined if the wallet is unknown. */
export function assetOf(facts: ActionFacts, wallet: string | null | undefined): string | null | undefined {
  const master = wallet == null ? undefined : facts.jettonWallet(wallet)?.master;
  return master === undefined ? undefined : isWrapped(master) ? null : master;
}

/** Whether a jetton stands for coins. */
export function isWrapped(master: string | undefined): boolean {
  return master !== undefined && wrappedCoins.has(master);
}

/** A transfer of jettons with all that follows from it by the standard. */
export interface JettonTransfer {
  sender: string | null;
  /** Null for wrapped coins, which have no wallets of their own. */
  senderWallet: string | null;
  receiver: string | null;
  receiverWallet: string | null;
  amount: bigint;
  /** The master; undefined if unknown. */
  master: string | undefined;
  /** Of the order: what the receiver is told. */
  payload: Cell | undefined;
  payloadOpcode: number | undefined;
  order: ActionNode;
  credit: ActionNode | undefined;
  notice: ActionNode | undefined;
  nodes: ActionNode[];
  isDone: boolean;
}

/** The transfer that a message orders; undefined for another message. */
export function transferAt(node: ActionNode | undefined, facts: ActionFacts): JettonTransfer | undefined {
  if (node?.opcode !== jetton.transfer || node.isBounced) {
    return undefined;
  }
  const order = readFields(node, (slice) => {
    slice.skip(64);
    const amount = slice.loadCoins();
    const destination = loadAccount(slice);
    slice.loadAddressAny();
    slice.loadMaybeRef();
    slice.loadCoins();
    return { amount, destination, payload: slice };
  });
  if (order === undefined) {
    return undefined;
  }
  const credit = childOf(node, jetton.internalTransfer);
  const ownMaster = walletAt(node, facts)?.master;
  const wrapped = credit === undefined && isWrapped(ownMaster);
  const notice = childOf(credit ?? (wrapped ? node : undefined), jetton.notify);
  const wallet = walletAt(credit, facts);
  const payload = payloadOf(order.payload);
  return {
    sender: node.source ?? null,
    senderWallet: wrapped ? null : (node.account ?? null),
    receiver: wallet?.owner ?? order.destination,
    receiverWallet: credit?.account ?? null,
    amount: order.amount,
    master: wallet?.master ?? ownMaster,
    payload,
    payloadOpcode: opcodeIn(payload),
    order: node,
    credit,
    notice,
    nodes: present(node, credit, notice, childOf(credit, jetton.excess)),
    isDone: node.isDone && (credit?.isDone ?? wrapped),
  };
}

/** The transfer whose notice, credit or order a message is. */
export function transferOf(node: ActionNode | undefined, facts: ActionFacts): JettonTransfer | undefined {
  for (let at = node, steps = 0; at !== undefined && steps < 3; at = at.parent, steps++) {
    if (at.opcode === jetton.transfer) {
      const transfer = transferAt(at, facts);
      return transfer?.nodes.includes(node as ActionNode) === true ? transfer : undefined;
    }
  }
  return undefined;
}

/** How jettons, or coins over a wallet of wrapped ones, came to somebody; neither if nothing came. */
export interface JettonArrival {
  transfer: JettonTransfer | undefined;
  coins: ActionNode | undefined;
  sender: string | null | undefined;
  nodes: ActionNode[];
}

/** What came before a message: the notice of it, or the credit or order if there is none. */
export function arrivalAt(told: ActionNode | undefined, facts: ActionFacts): JettonArrival {
  const transfer = transferOf(told, facts);
  const notice = told?.opcode === jetton.notify && !told.isBounced ? told : undefined;
  const coins = parentOf(notice, wrappedCoinsTransfer);
  return {
    ...{ transfer, coins },
    sender: transfer === undefined ? coins?.source : transfer.sender,
    nodes: transfer?.nodes ?? present(coins, notice),
  };
}

/** What was paid by a transfer of jettons; of wrapped ones, the wallet may send on the coins. */
export interface PaidOut {
  transfer: JettonTransfer;
  coins: ActionNode | undefined;
  /** Null for coins; undefined if unknown. */
  asset: string | null | undefined;
  amount: bigint;
}

/** What the receiver of an order to pay sent. */
export function paidOutBy(payTo: ActionNode | undefined, facts: ActionFacts): PaidOut[] {
  return childrenOf(payTo, jetton.transfer).flatMap((order) => {
    const transfer = transferAt(order, facts);
    const coins = childOf(order, wrappedCoinsTransfer);
    const amount = amountOf(coins);
    return transfer === undefined
      ? []
      : [
          amount === undefined
            ? { ...{ transfer, coins }, asset: transfer.master, amount: transfer.amount }
            : { ...{ transfer, coins }, asset: null, amount },
        ];
  });
}

/** (Either Cell ^Cell); undefined where nothing is said. */
export function payloadOf(slice: Slice): Cell | undefined {
  try {
    const cell = slice.remainingBits > 0 && slice.loadBit() ? slice.loadRef() : slice.asCell();
    return cell.bits.length === 0 && cell.refs.length === 0 ? undefined : cell;
  } catch {
    return undefined;
  }
}

export function opcodeIn(cell: Cell | undefined): number | undefined {
  return cell === undefined || cell.isExotic || cell.bits.length < 32
    ? undefined
    : cell.beginParse().loadUint(32);
}
