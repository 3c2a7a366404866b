import type { Slice } from '@ton/core';
import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import {
  below,
  childOf,
  childrenOf,
  eventOf,
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
import { amountOf, jetton, payloadOf, transferAt, transferOf } from './transfers';

/** Messages of DeDust (docs.dedust.io). */
const op = {
  swap: 0xea06185d,
  swapExternal: 0x61ee542d,
  swapPeer: 0x72aca8aa,
  swapEvent: 0x9c610de3,
  payoutFromPool: 0xad4eb6f5,
  payout: 0x474f86cf,
  swapPayload: 0xe3a0d482,
  depositCoins: 0xd55e4686,
  depositPayload: 0x40e108d6,
  askFactory: 0xf04ec526,
  deployDeposit: 0x9b3aa3fa,
  topUp: 0x54240fe5,
  depositToPool: 0xb56b9598,
  rejected: 0xe1a36cd4,
  destroyDeposit: 0xaae79256,
  returnExcess: 0x6b0b787f,
} as const;

export const dedustMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.swapExternal], match: swap },
  { opcodes: [op.topUp], match: deposit },
  { opcodes: [op.payoutFromPool], match: withdraw },
];

/** Of the tag before an asset. */
const tagBits = 4;

function swap(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferOf(node.parent, facts);
  const order = parentOf(node, op.swap);
  const steps = hopsBy(node, op.swapPeer);
  const events = steps.map((step) => eventOf(step, op.swapEvent));
  const peers = events.flatMap((event): PeerSwap[] => {
    const read = readFields(event, (slice) => ({
      asset_in: loadAsset(slice, tagBits),
      asset_out: loadAsset(slice, tagBits),
      amount_in: slice.loadCoins(),
      amount_out: slice.loadCoins(),
    }));
    return read === undefined ? [] : [read];
  });
  const payoutOrder = childOf(steps.at(-1), op.payoutFromPool);
  const coinsOut = childOf(payoutOrder, op.payout);
  const jettonsOut = transferAt(childOf(payoutOrder, jetton.transfer), facts);
  const amountOut = readFields(payoutOrder, loadPayout);
  if ((transfer === undefined && order === undefined) || amountOut === undefined) {
    return undefined;
  }
  if (transfer !== undefined && transfer.payloadOpcode !== op.swapPayload) {
    return undefined;
  }
  const coinsIn = amountOf(order);
  const given: Paid =
    transfer === undefined
      ? coinsPaid({ amount: coinsIn ?? 0n, source: order?.source, destination: order?.account })
      : paidBy(transfer);
  const got: Paid =
    jettonsOut === undefined
      ? coinsPaid({
          amount: amountOut,
          source: coinsOut?.source,
          destination: coinsOut?.account ?? given.source,
        })
      : paidBy(jettonsOut);
  const [first] = peers;
  const last = peers.at(-1);
  const isPaid = jettonsOut?.isDone ?? coinsOut?.isDone === true;
  const success = isPaid && events.every((event) => event !== undefined);
  return swapOf({
    dex: 'dedust',
    sender: given.source,
    given: first === undefined ? given : { ...given, asset: first.asset_in, amount: first.amount_in },
    got: last === undefined ? got : { ...got, asset: last.asset_out, amount: last.amount_out },
    peers,
    nodes: present(
      ...(transfer?.nodes ?? [order]),
      ...steps,
      payoutOrder,
      ...(jettonsOut?.nodes ?? [coinsOut]),
    ),
    success,
  });
}

/** query_id proof:^Cell amount. */
function loadPayout(slice: Slice): bigint {
  slice.skip(64).loadRef();
  return slice.loadCoins();
}

interface Part {
  asset: string | null | undefined;
  amount: bigint;
  wallet: string | null;
  sender: string | null | undefined;
  targets: { asset: string | null; amount: bigint }[];
  nodes: ActionNode[];
}

/** What came into the vault before the contract of a deposit was told: coins or a jetton. */
function partOf(topUp: ActionNode, facts: ActionFacts): Part | undefined {
  const deploy = parentOf(topUp, op.deployDeposit, op.askFactory);
  const vault = (deploy?.opcode === op.askFactory ? deploy : parentOf(deploy, op.askFactory))?.parent;
  const coins = readFields(vault?.opcode === op.depositCoins ? vault : undefined, (slice) => {
    slice.skip(64);
    const amount = slice.loadCoins();
    return { amount, targets: loadTargets(slice, (one) => one.loadRef().beginParse()) };
  });
  const chain = [vault, deploy?.parent === vault ? undefined : deploy?.parent, deploy, topUp];
  if (coins !== undefined) {
    return { ...coins, asset: null, wallet: null, sender: vault?.source, nodes: present(...chain) };
  }
  const transfer = transferOf(vault, facts);
  const notice = readFields(vault?.opcode === jetton.notify ? vault : undefined, (slice) => {
    slice.skip(64);
    const [amount, sender] = [slice.loadCoins(), loadAccount(slice)];
    const payload = payloadOf(slice);
    const targets = readLayout(payload, (one) =>
      one.loadUint(32) === op.depositPayload ? loadTargets(one, (rest) => rest) : [],
    );
    return { amount, sender, targets: targets ?? [] };
  });
  const wallet = vault?.source === undefined ? undefined : facts.jettonWallet(vault.source);
  return notice === undefined
    ? undefined
    : {
        ...notice,
        asset: wallet?.master,
        wallet: transfer?.senderWallet ?? null,
        nodes: present(...(transfer?.nodes ?? []), ...chain),
      };
}

/** pool_type asset0 asset1, then (in `more`) min_lp_amount and how much of both the pool is to get. */
function loadTargets(slice: Slice, more: (slice: Slice) => Slice): Part['targets'] {
  slice.skip(1);
  const [first, second] = [loadAsset(slice, tagBits), loadAsset(slice, tagBits)];
  const params = more(slice);
  params.loadCoins();
  return [
    { asset: first, amount: params.loadCoins() },
    { asset: second, amount: params.loadCoins() },
  ];
}

/** Each side of a deposit is told to a contract of its own; the one that completes it, tells the pool. */
function deposit(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const part = partOf(node, facts);
  if (part === undefined) {
    return undefined;
  }
  const toPool = childOf(node, op.depositToPool);
  const others = otherTopUps(node, part);
  const [other] = others;
  if (toPool === undefined && others.length === 1 && childOf(other, op.depositToPool) !== undefined) {
    // It is told with the one that completes the deposit.
    return undefined;
  }
  const credit = childOf(toPool, jetton.internalTransfer);
  const rejection = childOf(toPool, op.rejected);
  const order = readFields(toPool, (slice) => {
    slice.skip(64).loadRef();
    const owner = loadAccount(slice);
    slice.loadCoins();
    const assets = slice.loadRef().beginParse();
    const targets = [0, 1].map(() => ({ asset: loadAsset(assets, tagBits), amount: assets.loadCoins() }));
    return { owner, targets };
  });
  const returned = [
    toPool,
    rejection,
    childOf(toPool, op.destroyDeposit),
    childOf(rejection, op.destroyDeposit),
  ];
  const excessOrders = returned.flatMap((one) => childrenOf(one, op.returnExcess));
  const excesses = [
    ...excessOrders.flatMap((one) =>
      childrenOf(one, op.payout).map(({ value }) => ({ asset: null, amount: value })),
    ),
    ...excessOrders.flatMap((one) =>
      childrenOf(one, jetton.transfer).flatMap((sent) => {
        const transfer = transferAt(sent, facts);
        return transfer === undefined ? [] : [{ asset: transfer.master ?? null, amount: transfer.amount }];
      }),
    ),
  ];
  const first = others.length === 1 && other !== undefined ? partOf(other, facts) : undefined;
  const sides = [...(first === undefined ? [] : [first]), part].map(({ asset, amount, wallet }) => ({
    asset,
    amount,
    wallet,
  }));
  return depositOf({
    dex: 'dedust',
    source: order === undefined ? part.sender : order.owner,
    pool: credit === undefined ? rejection?.source : toPool?.account,
    place: node.account,
    sides,
    targets: order?.targets ?? part.targets,
    minted: amountOf(credit),
    excesses,
    nodes: present(
      ...(first?.nodes ?? []),
      ...part.nodes,
      ...returned,
      credit,
      ...excessOrders,
      ...excessOrders.flatMap((one) => childrenOf(one, op.payout, jetton.transfer)),
    ),
    success: toPool === undefined || credit !== undefined,
  });
}

/** What else came to the same contract in this trace. */
function otherTopUps(node: ActionNode, part: Part): ActionNode[] {
  const root = part.nodes[0]?.parent;
  return below(root, op.topUp).filter((one) => one !== node && one.account === node.account);
}

/** A burn of the pool's tokens, for which the pool pays out both assets. */
function withdraw(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const notice = parentOf(node, jetton.burnNotification);
  const burn = parentOf(notice, jetton.burn);
  if (notice === undefined || burn === undefined) {
    return undefined;
  }
  const paid = childrenOf(notice, op.payoutFromPool).map((order) => {
    const coins = childOf(order, op.payout);
    const transfer = transferAt(childOf(order, jetton.transfer), facts);
    const amount = readFields(order, loadPayout);
    const payout: Payout =
      transfer === undefined
        ? { asset: null, amount, from: coins?.source, fromWallet: null, wallet: null }
        : { ...payoutOf(transfer), amount };
    return {
      payout,
      nodes: [order, ...(transfer?.nodes ?? [coins])],
      isPaid: (transfer ?? coins) !== undefined,
    };
  });
  return withdrawalOf({
    dex: 'dedust',
    source: burn.source,
    pool: notice.account,
    burnt: amountOf(burn),
    payouts: paid.map(({ payout }) => payout),
    nodes: present(burn, notice, ...paid.flatMap(({ nodes }) => nodes)),
    success: paid.every(({ isPaid }) => isPaid),
  });
}
