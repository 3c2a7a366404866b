import type { Slice } from '@ton/core';
import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { below, childOf, follow, loadAccount, parentOf, present, readFields, readLayout } from './actionNode';
import type { Payout } from './liquidity';
import { depositOf, payoutOf, withdrawalOf } from './liquidity';
import type { Paid } from './swap';
import { paidBy, peersFrom, swapOf, wrappedCoinsPaid } from './swap';
import { arrivalAt, assetOf, isWrapped, jetton, paidOutBy, payloadOf, transferAt } from './transfers';

/** Messages of TONCO (docs.tonco.io). */
const op = {
  swap: 0xa7fb58f8,
  payTo: 0xa1daa96d,
  addLiquidity: 0x3ebe5431,
  fund: 0x4468de77,
  mint: 0x81702ef8,
  positionInit: 0xd5ecca2a,
  startBurn: 0x530b5f2c,
  positionBurn: 0x46ca335a,
  burn: 0xd73ac09d,
  createPool: 0x2e3034ef,
  initPool: 0x441c39ed,
} as const;

/** Why a pool orders a payment: a swap, a burn; 0 in older ones. */
const swapDone: readonly number[] = [0, 200];
const burnDone: readonly number[] = [0, 201];

export const toncoMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.swap], match: swap },
  { opcodes: [op.addLiquidity], match: deposit },
  { opcodes: [op.startBurn], match: withdraw },
  { opcodes: [op.createPool], match: deployPool },
];

interface PayTo {
  reason: number;
  sides: { amount: bigint; wallet: string | null }[];
}

function loadPayTo(slice: Slice): PayTo {
  slice.skip(64).loadAddressAny();
  slice.loadAddressAny();
  const reason = slice.loadUint(32);
  slice.skip(64);
  const coins = slice.loadMaybeRef()?.beginParse();
  const side = (one: Slice): PayTo['sides'][number] => ({
    amount: one.loadCoins(),
    wallet: loadAccount(one),
  });
  return { reason, sides: coins === undefined ? [] : [side(coins), side(coins)] };
}

interface Hop {
  swap: ActionNode;
  payTo: ActionNode;
  paid: PayTo;
}

/** The router sends what it got for one swap to itself, to begin the next. */
function hopsFrom(start: ActionNode): Hop[] {
  const hops: Hop[] = [];
  for (let at: ActionNode | undefined = start; at !== undefined && hops.length < 20;) {
    const payTo: ActionNode | undefined = childOf(at, op.payTo);
    const paid = readFields(payTo, loadPayTo);
    if (payTo === undefined || paid === undefined) {
      break;
    }
    hops.push({ swap: at, payTo, paid });
    at = below(payTo, op.swap)[0];
  }
  return hops;
}

function swap(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const hops = hopsFrom(node);
  const last = hops.at(-1);
  const { transfer, coins, sender, nodes } = arrivalAt(parentOf(node, jetton.notify), facts);
  const given = transfer === undefined ? wrappedCoinsPaid(coins, node) : paidBy(transfer);
  const out = transferAt(childOf(last?.payTo, jetton.transfer), facts);
  if (last === undefined || given === undefined || out === undefined) {
    return undefined;
  }
  const success = hops.every(({ paid }) => swapDone.includes(paid.reason));
  const gave = hops.flatMap(({ paid }, index) => {
    const [side] = [...paid.sides].sort((a, b) => Number(b.amount - a.amount));
    return side === undefined || (index > 0 && !swapDone.includes(paid.reason))
      ? []
      : [{ asset: assetOf(facts, side.wallet) ?? null, amount: side.amount }];
  });
  const paid = paidBy(out);
  const got: Paid = isWrapped(out.master)
    ? { ...paid, source_jetton_wallet: null, destination_jetton_wallet: null }
    : paid;
  const targets = success ? [] : targetsIn(transfer?.payload ?? payloadOfCoins(coins));
  const target = targets.at(-1);
  return swapOf({
    dex: 'tonco',
    sender,
    given,
    got,
    ...(target === undefined ? {} : { wanted: assetOf(facts, target.wallet) ?? got.asset }),
    peers: peersFrom(given, gave),
    nodes: present(...nodes, ...hops.flatMap((hop) => [hop.swap, hop.payTo, ...paidOut(hop.payTo, facts)])),
    success: success && out.isDone,
    more: { min_out_amount: target?.least ?? got.amount },
  });
}

function paidOut(payTo: ActionNode, facts: ActionFacts): ActionNode[] {
  return paidOutBy(payTo, facts).flatMap(({ transfer, coins }) =>
    present(...transfer.nodes, coins, childOf(coins, jetton.notify)),
  );
}

function payloadOfCoins(coins: ActionNode | undefined): ReturnType<typeof payloadOf> {
  return readFields(coins, (slice) => {
    slice.skip(64).loadCoins();
    slice.loadAddressAny();
    return payloadOf(slice);
  });
}

/** Where a swap was to go, and the least that it was to bring, hop by hop. */
function targetsIn(payload: ReturnType<typeof payloadOf>): { wallet: string | null; least: bigint }[] {
  const targets: { wallet: string | null; least: bigint }[] = [];
  for (let at = payload; at !== undefined && targets.length < 20;) {
    const read = readLayout(at, (slice) => {
      const opcode = slice.loadUint(32);
      const wallet = loadAccount(slice);
      slice.skip(160);
      const least = slice.loadCoins();
      slice.loadAddressAny();
      return { opcode, wallet, least, next: slice.loadMaybeRef() ?? undefined };
    });
    if (read?.opcode !== op.swap) {
      break;
    }
    targets.push(read);
    at = read.next;
  }
  return targets;
}

/** One side of a deposit; the one that completes it also mints the position, an NFT. */
function deposit(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const order = readFields(node, (slice) => {
    slice.skip(64);
    const [amount] = [slice.loadCoins(), slice.loadCoins()];
    const targets = [slice.loadCoins(), slice.loadCoins()].map((one) => ({ amount: one }));
    slice.skip(128);
    return { isFirst: amount > 0n, targets, ticks: [slice.loadInt(24), slice.loadInt(24)] };
  });
  const fund = parentOf(node, op.fund);
  const notice = parentOf(fund, jetton.notify);
  const { transfer, coins, nodes } = arrivalAt(notice, facts);
  const told = readFields(notice, (slice) => {
    slice.skip(64);
    const [amount, sender] = [slice.loadCoins(), loadAccount(slice)];
    const other = readLayout(payloadOf(slice), (payload) => loadAccount(payload.skip(32)));
    return { amount, sender, other };
  });
  if (order === undefined || told === undefined || (transfer === undefined && coins === undefined)) {
    return undefined;
  }
  const mint = childOf(node, op.mint);
  const init = childOf(mint, op.positionInit);
  const position = readFields(init, (slice) => {
    slice.skip(64).loadAddressAny();
    const liquidity = slice.loadUintBig(128);
    return { liquidity, index: slice.loadRef().beginParse().skip(512).loadUintBig(64) };
  });
  const payTo = childOf(mint, op.payTo);
  const excesses = paidOutBy(payTo, facts).map(({ asset = null, amount }) => ({ asset, amount }));
  const asset = notice?.source === undefined ? undefined : assetOf(facts, notice.source);
  const wallet = transfer?.senderWallet ?? null;
  const other = assetOf(facts, told.other) ?? null;
  const assets = order.isFirst ? [asset ?? null, other] : [other, asset ?? null];
  return depositOf({
    dex: 'tonco',
    source: told.sender,
    pool: node.source,
    sides: [{ asset: asset ?? null, amount: told.amount, wallet: order.isFirst ? wallet : null }],
    targets: order.targets.map((target, index) => ({ ...target, asset: assets[index] })),
    minted: position?.liquidity,
    excesses,
    more: {
      tick_lower: order.ticks[0],
      tick_upper: order.ticks[1],
      nft_index: position?.index ?? null,
      nft_address: init?.account ?? null,
      ...(order.isFirst ? {} : { user_jetton_wallet_2: wallet }),
    },
    nodes: present(
      ...nodes,
      ...[fund, node, mint, init, payTo],
      ...(payTo === undefined ? [] : paidOut(payTo, facts)),
    ),
    success: true,
  });
}

function withdraw(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const begin = readFields(node, (slice) => ({
    index: slice.skip(64).loadUintBig(64),
    burnt: slice.loadUintBig(128),
    ticks: [slice.loadInt(24), slice.loadInt(24)],
  }));
  const position = childOf(node, op.positionBurn);
  const burn = childOf(position, op.burn);
  const payTo = childOf(burn, op.payTo);
  const paid = readFields(payTo, loadPayTo);
  if (begin === undefined || paid === undefined) {
    return undefined;
  }
  const transfers = paidOutBy(payTo, facts).map(({ transfer, asset, amount }) => ({
    router: transfer.order.account,
    payout: { ...payoutOf(transfer), asset, amount },
  }));
  const payouts = paid.sides.map(({ amount, wallet }): Payout => {
    const sent = transfers.find(({ router }) => router === wallet);
    return (
      sent?.payout ?? {
        asset: assetOf(facts, wallet),
        amount,
        from: node.account,
        fromWallet: wallet,
        wallet: null,
      }
    );
  });
  return withdrawalOf({
    dex: 'tonco',
    source: readFields(position, (slice) => loadAccount(slice.skip(64))),
    pool: node.account,
    burnt: begin.burnt,
    payouts,
    more: {
      burnt_nft_index: readFields(burn, loadBurnedIndex) ?? begin.index,
      burnt_nft_address: position?.account ?? null,
      tick_lower: begin.ticks[0],
      tick_upper: begin.ticks[1],
    },
    nodes: present(node, position, burn, payTo, ...(payTo === undefined ? [] : paidOut(payTo, facts))),
    success: burnDone.includes(paid.reason),
  });
}

function loadBurnedIndex(slice: Slice): bigint {
  slice.skip(64).loadAddressAny();
  return slice.loadUintBig(64);
}

function deployPool(node: ActionNode): NamedAction | undefined {
  const init = follow(node, op.initPool);
  const order = readFields(node, (slice) => {
    slice.skip(64);
    const wallets = [loadAccount(slice), loadAccount(slice)];
    const tick_spacing = slice.loadInt(24);
    const initial_price_x96 = slice.loadUintBig(160);
    const [protocol_fee, lp_fee_base, lp_fee_current] = [
      slice.loadUint(16),
      slice.loadUint(16),
      slice.loadUint(16),
    ];
    slice.loadRef();
    slice.loadRef();
    const minters = slice.loadRef().beginParse();
    return {
      router_jetton_wallet_1: wallets[0],
      router_jetton_wallet_2: wallets[1],
      jetton_minter_1: loadAccount(minters),
      jetton_minter_2: loadAccount(minters),
      ...{ tick_spacing, initial_price_x96, protocol_fee, lp_fee_base, lp_fee_current },
    };
  });
  const isActive = readFields(init, (slice) => {
    slice.skip(64 + 2).loadAddressAny();
    slice.skip(1).loadAddressAny();
    slice.skip(1 + 24 + 1 + 160 + 1);
    return slice.loadBit();
  });
  return order === undefined || init === undefined
    ? undefined
    : {
        type: 'tonco_deploy_pool',
        details: {
          source: node.source,
          router: node.account,
          pool: init.account,
          ...order,
          pool_active: isActive ?? null,
        },
        nodes: present(node, init, childOf(init, jetton.excess)),
        success: true,
      };
}
