import type { Cell, Slice } from '@ton/core';
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
import type { Paid, PeerSwap } from './swap';
import { paidBy, swapOf } from './swap';
import type { JettonTransfer } from './transfers';
import { assetOf, jetton, transferAt, transferOf, wrappedCoinsTransfer } from './transfers';

/** Messages of STON.fi v1 (ston-fi/dex-core) and v2 (docs.ston.fi). */
const v1 = { swap: 0x25938561, payment: 0xf93bb43f } as const;
const v2 = { swap: 0x6664de2a, crossSwap: 0x69cf1a5b, payTo: 0x657b54f5, payVault: 0x63381632 } as const;

/** Why a pool orders a payment: a swap was done; its referrer is paid; it was not done, and the reason. */
const reasons = { done: 0xc64370e5, referral: 0x45078540, noLiquidity: 0x5ffe1295, reserves: 0x38976e9b };
const toSender: readonly number[] = [reasons.done, reasons.noLiquidity, reasons.reserves];

export const stonfiMatchers: readonly ActionMatcher[] = [
  { opcodes: [v1.swap], match: swapOfV1 },
  { opcodes: [v2.swap], match: swapOfV2 },
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
  const transfer = transferOf(node.parent, facts);
  const coins = parentOf(parentOf(node, jetton.notify), wrappedCoinsTransfer);
  const isFirst = parentOf(node.parent, v2.payTo) === undefined && parentOf(node, v2.payTo) === undefined;
  if (first === undefined || last === undefined || !isFirst || isLaterHop(node)) {
    return undefined;
  }
  const given = transfer === undefined ? coinsGiven(coins, node) : paidBy(transfer);
  const out = transferAt(childOf(last.payTo, jetton.transfer), facts);
  const coinsOut = childOf(out?.order, wrappedCoinsTransfer);
  const amountOut = readFields(coinsOut, (slice) => slice.skip(64).loadCoins());
  if (given === undefined || out === undefined) {
    return undefined;
  }
  const got: Paid =
    coinsOut === undefined || amountOut === undefined
      ? paidBy(out)
      : {
          ...paidBy(out),
          asset: null,
          amount: amountOut,
          source_jetton_wallet: out.order.account ?? null,
          destination: coinsOut.account,
          destination_jetton_wallet: null,
        };
  const success = hops.every(({ reason }) => reason === reasons.done);
  const peers = hops
    .filter(({ reason }, index) => index === 0 || reason === reasons.done)
    .reduce<PeerSwap[]>((before, { token, amount }) => {
      const previous = before.at(-1);
      const asset_in = previous === undefined ? given.asset : previous.asset_out;
      const amount_in = previous === undefined ? given.amount : previous.amount_out;
      return [...before, { asset_in, amount_in, asset_out: assetOf(facts, token), amount_out: amount }];
    }, []);
  return swapOf({
    dex: 'stonfi_v2',
    sender: transfer === undefined ? coins?.source : transfer.sender,
    given,
    got,
    ...(success ? {} : { wanted: assetOf(facts, first.wanted.at(-1)) ?? null }),
    peers: hops.length > 1 ? peers : [],
    nodes: present(
      ...(transfer?.nodes ?? [coins, parentOf(node, jetton.notify)]),
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
    if (at.opcode === v2.payTo) {
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
    const payTo: ActionNode | undefined = childrenOf(swap, v2.payTo).find((one) => {
      const reason = readFields(one, paymentOfV2)?.reason;
      return reason !== undefined && reason !== reasons.referral;
    });
    const paid = readFields(payTo, paymentOfV2);
    if (asked === undefined || payTo === undefined || paid === undefined || hops.length > 20) {
      break;
    }
    hops.push({ swap, payTo, ...asked, ...paid });
    swap = below(payTo, v2.swap)[0];
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
  if (opcode !== v2.swap && opcode !== v2.crossSwap) {
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

/** Coins that came over a wallet of wrapped coins, which told the router. */
export function coinsGiven(coins: ActionNode | undefined, swap: ActionNode): Paid | undefined {
  const amount = readFields(coins, (slice) => slice.skip(64).loadCoins());
  return coins === undefined || amount === undefined
    ? undefined
    : {
        asset: null,
        amount,
        source: coins.source,
        source_jetton_wallet: null,
        destination: swap.source,
        destination_jetton_wallet: coins.account ?? null,
      };
}
