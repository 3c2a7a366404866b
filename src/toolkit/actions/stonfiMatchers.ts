import type { Cell, Slice } from '@ton/core';
import { opcodeOf } from '../contracts/opcodes/opcodes';
import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import {
  below,
  childOf,
  childrenOf,
  loadAccount,
  parentOf,
  present,
  readFields,
  readLayout,
} from './actionNode';
import type { Paid } from './swap';
import { paidBy, peersFrom, swapOf, wrappedCoinsPaid } from './swap';
import type { JettonTransfer } from './transfers';
import {
  arrivalAt,
  assetOf,
  jetton,
  paidOutBy,
  transferAt,
  transferOf,
  wrappedCoinsTransfer,
} from './transfers';

/** Messages of STON.fi v1 (ston-fi/dex-core) and v2 (docs.ston.fi). */
const v1 = { swap: opcodeOf('stonfi_swap'), payment: opcodeOf('stonfi_payment_request') } as const;
export const stonfiV2 = { swap: 0x6664de2a, crossSwap: 0x69cf1a5b, payTo: 0x657b54f5 } as const;

/** Why a pool orders a payment: a swap was done; its referrer is paid; it was not done, and the reason. */
const reasons = { done: 0xc64370e5, referral: 0x45078540, noLiquidity: 0x5ffe1295, reserves: 0x38976e9b };
const toSender: readonly number[] = [reasons.done, reasons.noLiquidity, reasons.reserves];

export const stonfiMatchers: readonly ActionMatcher[] = [
  { opcodes: [v1.swap], match: swapOfV1 },
  { opcodes: [stonfiV2.swap], match: swapOfV2 },
];

function swapOfV1(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const order = readFields(node, (slice) => {
    slice.skip(64);
    const receiver = loadAccount(slice);
    const tokenWallet = loadAccount(slice);
    const amount = slice.loadCoins();
    return { receiver, tokenWallet, amount, user: readLayout(slice.loadRef(), loadAccount) };
  });
  const transfer = transferOf(node.parent, facts);
  const payments = childrenOf(node, v1.payment).flatMap((payment) => {
    const read = readFields(payment, paymentOfV1);
    const out = transferAt(childOf(payment, jetton.transfer), facts);
    return read === undefined ? [] : [{ ...read, out, node: payment }];
  });
  const own = payments
    .filter(({ reason }) => toSender.includes(reason))
    .sort((a, b) => Number(b.amount - a.amount))[0];
  if (order === undefined || transfer === undefined || own?.out === undefined || order.tokenWallet === null) {
    return undefined;
  }
  const requested = readLayout(transfer.payload, (slice) => loadAccount(slice.skip(32)));
  const asked = transfer.payloadOpcode === v1.swap ? readLayout(transfer.payload, askedOfV1) : undefined;
  const { out } = own;
  const inWallet = facts.jettonWallet(order.tokenWallet);
  const masterOf = (wallet: string | null | undefined): string | null =>
    (wallet == null ? undefined : facts.jettonWallet(wallet)?.master) ?? null;
  const given: Paid = {
    asset: inWallet?.master ?? null,
    amount: order.amount,
    source: order.user,
    source_jetton_wallet: transfer.credit === undefined ? null : transfer.senderWallet,
    destination: inWallet?.owner,
    destination_jetton_wallet: order.tokenWallet,
  };
  const got: Paid = {
    asset: masterOf(own.token),
    amount: own.amount,
    source: out.sender,
    source_jetton_wallet: out.senderWallet,
    destination: out.credit === undefined ? (asked?.user ?? order.receiver) : out.receiver,
    destination_jetton_wallet: out.receiverWallet,
  };
  return swapOf({
    dex: 'stonfi',
    sender: order.user,
    given,
    got,
    wanted: masterOf(asked === undefined ? own.token : requested),
    nodes: present(...transfer.nodes, node, own.node, ...out.nodes, ...out.order.children),
    success: own.reason === reasons.done && transfer.isDone && out.isDone,
  });
}

function askedOfV1(slice: Slice): { user: string | null } {
  slice.skip(32);
  slice.loadAddressAny();
  slice.loadCoins();
  return { user: loadAccount(slice) };
}

function paymentOfV1(slice: Slice): { reason: number; amount: bigint; token: string | null } {
  slice.skip(64).loadAddressAny();
  const reason = slice.loadUint(32);
  return { reason, ...largerOf(slice.loadRef().beginParse()) };
}

/** amount0 token0 amount1 token1: what is paid is one of them. */
function largerOf(slice: Slice): { amount: bigint; token: string | null } {
  const first = { amount: slice.loadCoins(), token: loadAccount(slice) };
  const second = { amount: slice.loadCoins(), token: loadAccount(slice) };
  return first.amount > second.amount ? first : second;
}

interface HopOfV2 {
  swap: ActionNode;
  payTo: ActionNode;
  tokenWallet: string | null;
  /** Wallets of the routers through which the swap was to go from here. */
  wanted: (string | null)[];
  reason: number;
  amount: bigint;
  token: string | null;
}

function swapOfV2(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const hops = hopsOfV2(node);
  const [first] = hops;
  const last = hops.at(-1);
  const { transfer, coins, sender, nodes } = arrivalAt(node.parent, facts);
  const isFirst =
    parentOf(node.parent, stonfiV2.payTo) === undefined && parentOf(node, stonfiV2.payTo) === undefined;
  if (first === undefined || last === undefined || !isFirst || isLaterHop(node)) {
    return undefined;
  }
  const given = transfer === undefined ? wrappedCoinsPaid(coins, node) : paidBy(transfer);
  const [paid] = paidOutBy(last.payTo, facts);
  const { transfer: out, coins: coinsOut } = paid ?? {};
  if (given === undefined || paid === undefined || out === undefined) {
    return undefined;
  }
  const got: Paid =
    coinsOut === undefined || paid.asset !== null
      ? paidBy(out)
      : {
          ...paidBy(out),
          asset: null,
          amount: paid.amount,
          source_jetton_wallet: out.order.account ?? null,
          destination: coinsOut.account,
          destination_jetton_wallet: null,
        };
  const success = hops.every(({ reason }) => reason === reasons.done);
  const gave = hops
    .filter(({ reason }, index) => index === 0 || reason === reasons.done)
    .map(({ token, amount }) => ({ asset: assetOf(facts, token), amount }));
  return swapOf({
    dex: 'stonfi_v2',
    sender,
    given,
    got,
    ...(success ? {} : { wanted: assetOf(facts, first.wanted.at(-1)) ?? null }),
    peers: peersFrom(given, gave),
    nodes: present(
      ...nodes,
      ...hops.flatMap((hop) => [hop.swap, hop.payTo, ...between(hop, facts)]),
      coinsOut,
    ),
    success: success && out.isDone,
  });
}

/** A swap that another one's payment ordered belongs to that one. */
function isLaterHop(node: ActionNode): boolean {
  let at = node.parent;
  for (let steps = 0; at !== undefined && steps < 5; steps++, at = at.parent) {
    if (at.opcode === stonfiV2.payTo) {
      return true;
    }
  }
  return false;
}

function between({ payTo }: HopOfV2, facts: ActionFacts): ActionNode[] {
  const transfer: JettonTransfer | undefined = transferAt(childOf(payTo, jetton.transfer), facts);
  return [...(transfer?.nodes ?? []), ...childrenOf(transfer?.order, wrappedCoinsTransfer)];
}

function hopsOfV2(start: ActionNode): HopOfV2[] {
  const hops: HopOfV2[] = [];
  for (let swap: ActionNode | undefined = start; swap !== undefined;) {
    const asked = readFields(swap, swapMessageOfV2);
    const payTo: ActionNode | undefined = childrenOf(swap, stonfiV2.payTo).find((one) => {
      const reason = readFields(one, paymentOfV2)?.reason;
      return reason !== undefined && reason !== reasons.referral;
    });
    const paid = readFields(payTo, paymentOfV2);
    if (asked === undefined || payTo === undefined || paid === undefined || hops.length > 20) {
      break;
    }
    hops.push({ swap, payTo, ...asked, ...paid });
    swap = below(payTo, stonfiV2.swap)[0];
  }
  return hops;
}

function swapMessageOfV2(slice: Slice): Pick<HopOfV2, 'tokenWallet' | 'wanted'> {
  slice.skip(64).loadAddressAny();
  slice.loadCoins();
  slice.loadCoins();
  const order = slice.loadRef().beginParse().skip(32);
  const tokenWallet = loadAccount(order);
  order.loadAddressAny();
  order.loadAddressAny();
  order.skip(64);
  const wanted = [tokenWallet];
  const swap = order.loadRef().beginParse();
  swap.loadCoins();
  swap.loadAddressAny();
  swap.loadCoins();
  let next = swap.loadMaybeRef();
  for (let depth = 0; next !== null && depth < 20; depth++) {
    const cross: CrossSwap | undefined = readLayout(next, crossSwapOfV2);
    wanted.push(...(cross === undefined ? [] : [cross.wallet]));
    next = cross?.next ?? null;
  }
  return { tokenWallet, wanted };
}

interface CrossSwap {
  wallet: string | null;
  next: Cell | null;
}

/** A swap after the one before, in the same router; another router's has more fields, and is the last that is read. */
function crossSwapOfV2(slice: Slice): CrossSwap | undefined {
  const opcode = slice.loadUint(32);
  if (opcode !== stonfiV2.swap && opcode !== stonfiV2.crossSwap) {
    return undefined;
  }
  const wallet = loadAccount(slice);
  const next = readLayout(slice.remainingRefs > 0 ? slice.loadRef() : undefined, (cross) => {
    cross.loadCoins();
    cross.loadCoins();
    return cross.loadMaybeRef();
  });
  return { wallet, next: next ?? null };
}

function paymentOfV2(slice: Slice): Pick<HopOfV2, 'reason' | 'amount' | 'token'> {
  slice.skip(64).loadAddressAny();
  slice.loadAddressAny();
  slice.loadAddressAny();
  const reason = slice.loadUint(32);
  slice.loadMaybeRef();
  const more = slice.loadRef().beginParse();
  more.loadCoins();
  return { reason, ...largerOf(more) };
}
