import type { Slice } from '@ton/core';
import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import {
  childOf,
  childrenOf,
  eventOf,
  follow,
  hopsBy,
  loadAccount,
  loadAsset,
  parentOf,
  present,
  readFields,
  readLayout,
} from './actionNode';
import type { Payout } from './liquidity';
import { depositOf, payoutOf, withdrawalOf } from './liquidity';
import type { Paid, PeerSwap } from './swap';
import { coinsPaid, paidBy, swapOf } from './swap';
import type { JettonTransfer } from './transfers';
import { amountOf, jetton, transferAt, transferOf } from './transfers';

/** Messages of swap.coffee (docs.swap.coffee). */
const op = {
  swapNative: 0xc0ffee00,
  createPoolNative: 0xc0ffee02,
  depositNative: 0xc0ffee04,
  createVault: 0xc0ffee06,
  createPoolJetton: 0xc0ffee11,
  swapInternal: 0xc0ffee20,
  payoutInternal: 0xc0ffee21,
  deploy: 0xc0ffee22,
  createPoolCreator: 0xc0ffee23,
  createPool: 0xc0ffee25,
  createDepository: 0xc0ffee27,
  depositInternal: 0xc0ffee29,
  swapEvent: 0xc0ffee30,
  payout: 0xc0ffee32,
  depositEvent: 0xc0ffee33,
  withdrawalEvent: 0xc0ffee35,
  notification: 0xc0ffee36,
} as const;

export const coffeeMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.swapInternal], match: swap },
  { opcodes: [op.createDepository], match: deposit },
  { opcodes: [jetton.burnNotification], match: withdraw },
  { opcodes: [op.createVault], match: createVault },
  { opcodes: [op.createPoolCreator], match: createPool },
];

/** Of the tag before an asset. */
const tagBits = 2;

/** How a payment that a pool ordered left the exchange. */
interface Left {
  transfer: JettonTransfer | undefined;
  coins: ActionNode | undefined;
  nodes: ActionNode[];
}

function leftBy(payout: ActionNode | undefined, facts: ActionFacts): Left {
  const transfer = transferAt(childOf(payout, jetton.transfer), facts);
  const coins = childOf(payout, op.payout, op.notification);
  return { transfer, coins, nodes: present(payout, ...(transfer?.nodes ?? [coins])) };
}

function swap(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferOf(node.parent, facts);
  const order = parentOf(node, op.swapNative);
  const coinsIn = amountOf(order);
  const hops = hopsBy(node, op.swapInternal);
  const payout = childOf(hops.at(-1), op.payoutInternal);
  const left = leftBy(payout, facts);
  const events = hops.map((hop) =>
    readFields(eventOf(hop, op.swapEvent), (slice) => {
      slice.skip(64);
      return {
        asset_in: loadAsset(slice, tagBits),
        amount_in: slice.loadCoins(),
        amount_out: slice.loadCoins(),
      };
    }),
  );
  const given: Paid | undefined =
    transfer !== undefined
      ? paidBy(transfer)
      : order === undefined
        ? undefined
        : coinsPaid({ amount: coinsIn ?? 0n, source: order.source, destination: order.account });
  const paid = readFields(payout, (slice) => {
    slice.skip(64);
    return { recipient: loadAccount(slice), amount: slice.loadCoins() };
  });
  if (given === undefined || paid === undefined || payout === undefined || events[0] === undefined) {
    return undefined;
  }
  const notice = left.coins?.opcode === op.notification ? left.coins : undefined;
  const got: Paid =
    left.transfer === undefined
      ? coinsPaid({
          amount: notice?.value ?? paid.amount,
          source: notice === undefined ? payout.source : notice.source,
          destination: notice === undefined ? paid.recipient : notice.account,
        })
      : paidBy(left.transfer);
  const done = events.filter((event) => event !== undefined);
  const peers = done.map((event, index): PeerSwap => ({
    ...event,
    asset_out: index + 1 < done.length ? done[index + 1]?.asset_in : got.asset,
  }));
  return swapOf({
    dex: 'coffee',
    sender: given.source,
    ...{ given, got, peers },
    nodes: present(...(transfer?.nodes ?? [order]), ...hops, ...left.nodes),
    success: done.length === events.length && (left.transfer?.isDone ?? left.coins?.isDone === true),
  });
}

interface PoolParams {
  first: string | null;
  second: string | null;
}

function loadPoolParams(slice: Slice): PoolParams {
  return { first: loadAsset(slice, tagBits), second: loadAsset(slice, tagBits) };
}

function deposit(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferOf(node.parent, facts);
  const order = parentOf(node, op.depositNative);
  const place = childOf(node, op.deploy);
  const read = readFields(node, (slice) => {
    const amount = slice.skip(64).loadCoins();
    slice.loadRef();
    const pool = readLayout(slice.loadRef(), loadPoolParams);
    return { amount, pool, sender: loadAccount(slice) };
  });
  const asset = transfer === undefined ? null : transfer.master;
  const { pool } = read ?? {};
  const isKnown = pool !== undefined && (pool.first === asset || pool.second === asset);
  if (read === undefined || !isKnown || place === undefined || (transfer ?? order) === undefined) {
    return undefined;
  }
  const isFirst = pool.first === asset;
  const whole = childOf(place, op.depositInternal);
  const credit = childOf(whole, jetton.internalTransfer);
  const minted =
    readFields(eventOf(whole, op.depositEvent), (slice) => {
      slice.skip(64).loadCoins();
      slice.loadCoins();
      return slice.loadCoins();
    }) ?? amountOf(credit);
  const left = leftBy(childOf(whole, op.payoutInternal), facts);
  const back =
    left.transfer !== undefined
      ? [{ asset: left.transfer.master ?? null, amount: left.transfer.amount }]
      : left.coins !== undefined
        ? [{ asset: null, amount: left.coins.value }]
        : [];
  const side = { asset, amount: read.amount, wallet: transfer?.senderWallet ?? null };
  const none = { amount_1: null, asset_1: null, user_jetton_wallet_1: null };
  return depositOf({
    dex: 'coffee',
    source: read.sender,
    pool: minted === undefined ? undefined : whole?.account,
    sides: [side],
    targets: isFirst
      ? [{ asset: pool.first }, { asset: pool.second }]
      : [{ asset: pool.second }, { asset: pool.first }],
    ...{ minted, excesses: back },
    ...(isFirst
      ? {}
      : {
          more: {
            ...none,
            ...{ amount_2: side.amount, asset_2: asset, user_jetton_wallet_2: side.wallet },
          },
        }),
    nodes: present(...(transfer?.nodes ?? [order]), node, place, whole, credit, ...left.nodes),
    success: true,
  });
}

function withdraw(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const burn = parentOf(node, jetton.burn);
  const event = readFields(eventOf(node, op.withdrawalEvent), (slice) => {
    slice.skip(64);
    return [slice.loadCoins(), slice.loadCoins()];
  });
  if (burn === undefined || event === undefined) {
    return undefined;
  }
  const paid = inOrder(childrenOf(node, op.payoutInternal), event).map(({ order, amount }) => {
    const { transfer, coins, nodes } = leftBy(order, facts);
    const payout: Payout =
      transfer === undefined
        ? { asset: null, amount, from: order.source, fromWallet: null, wallet: coins?.account ?? null }
        : { ...payoutOf(transfer), amount, from: order.source };
    return { payout, nodes };
  });
  return withdrawalOf({
    dex: 'coffee',
    source: burn.source,
    pool: node.account,
    burnt: amountOf(burn),
    payouts: paid.map(({ payout }) => payout),
    nodes: present(burn, node, ...paid.flatMap(({ nodes }) => nodes)),
    success: true,
  });
}

/** The payments in the order of the pool's assets, which is that of the logged amounts. */
function inOrder(
  orders: readonly ActionNode[],
  amounts: readonly bigint[],
): { order: ActionNode; amount: bigint | undefined }[] {
  const left = [...orders];
  return amounts.flatMap((amount) => {
    const isPaid = (order: ActionNode): boolean => readFields(order, loadPaid) === amount;
    const at = Math.max(left.findIndex(isPaid), 0);
    return left.splice(at, 1).map((order) => ({ order, amount }));
  });
}

function loadPaid(slice: Slice): bigint {
  slice.skip(64).loadAddressAny();
  return slice.loadCoins();
}

function createVault(node: ActionNode): NamedAction | undefined {
  const vault = childOf(node, op.deploy);
  const asset = readFields(node, (slice) => loadAsset(slice.skip(64), tagBits));
  return vault === undefined || asset === undefined
    ? undefined
    : {
        type: 'coffee_create_vault',
        details: { source: node.source, vault: vault.account, asset, value: node.value },
        nodes: present(node, vault),
        success: true,
      };
}

/** A pool is begun by one who brings one asset, and made by the one who brings the other. */
function createPool(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferOf(node.parent, facts);
  const order = parentOf(node, op.createPoolNative);
  const creator = childOf(node, op.deploy);
  const loadParams = (slice: Slice): PoolParams & { recipient: string | null } => {
    const params = loadPoolParams(slice);
    slice.skip(3).loadMaybeRef();
    return { ...params, recipient: loadAccount(slice) };
  };
  const coins = readFields(order, (slice) => {
    const amount = slice.skip(64).loadCoins();
    return { amount, ...loadParams(slice) };
  });
  const jettons =
    transfer?.payloadOpcode === op.createPoolJetton
      ? readLayout(transfer.payload, (slice) => ({ amount: transfer.amount, ...loadParams(slice.skip(32)) }))
      : undefined;
  const read = jettons ?? coins;
  if (read === undefined || creator === undefined) {
    return undefined;
  }
  const provided = jettons === undefined ? null : (transfer?.master ?? null);
  const isSecond = provided === read.second && provided !== read.first;
  const begin = transfer?.nodes ?? [order];
  const common = {
    source: transfer === undefined ? order?.source : transfer.sender,
    source_jetton_wallet: transfer?.senderWallet ?? null,
    provided_asset: provided,
    amount: read.amount,
    pool_creator_contract: creator.account,
  };
  const request = childOf(creator, op.createPool);
  const pool = childOf(request, op.deploy);
  const made = readFields(request, (slice) => {
    slice.skip(64);
    return { amounts: [slice.loadCoins(), slice.loadCoins()], initiator: loadAccount(slice) };
  });
  const minted = readFields(eventOf(pool, op.depositEvent), (slice) => {
    slice.skip(64).loadCoins();
    slice.loadCoins();
    return slice.loadCoins();
  });
  if (made === undefined || pool === undefined || minted === undefined) {
    return {
      type: 'coffee_create_pool_creator',
      details: {
        ...common,
        deposit_recipient: read.recipient,
        asset_1: provided,
        asset_2: isSecond ? read.first : read.second,
      },
      nodes: present(...begin, node, creator),
      success: true,
    };
  }
  const [amount1 = null, amount2 = null] = isSecond ? [...made.amounts].reverse() : made.amounts;
  const parties = [common.source, made.initiator];
  return {
    type: 'coffee_create_pool',
    details: {
      ...common,
      pool: pool.account,
      initiator_1: parties[isSecond ? 1 : 0],
      initiator_2: parties[isSecond ? 0 : 1],
      asset_1: provided,
      asset_2: isSecond ? read.first : read.second,
      amount_1: amount1,
      amount_2: amount2,
      lp_tokens_minted: minted,
    },
    nodes: present(
      ...begin,
      ...[node, creator, request, pool],
      follow(pool, jetton.internalTransfer),
      follow(pool, op.notification),
    ),
    success: true,
  };
}
