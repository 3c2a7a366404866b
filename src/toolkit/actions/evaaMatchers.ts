import type { Slice } from '@ton/core';
import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { childOf, childrenOf, loadAccount, present, readFields, readLayout } from './actionNode';
import { jetton, transferAt } from './transfers';

/** Messages of EVAA's lending pools (evaafi/contracts). */
const op = {
  supply: 0x1,
  withdraw: 0x2,
  liquidate: 0x3,
  supplyUser: 0x11,
  supplySuccess: 0x11a,
  supplyFail: 0x11f,
  withdrawUser: 0x21,
  withdrawCollateralized: 0x211,
  withdrawSuccess: 0x211a,
  withdrawFail: 0x211f,
  noFunds: 0x211fe8,
  liquidateUser: 0x31,
  liquidateSatisfied: 0x311,
  liquidateUnsatisfied: 0x31f,
  liquidateSuccess: 0x311a,
} as const;

/** Why a user's contract refuses a withdrawal. */
const refusals: ReadonlyMap<number, string> = new Map([
  [0x21e6, 'withdraw_locked_excess'],
  [0x21e7, 'withdraw_not_collateralized_excess'],
  [0x21e8, 'withdraw_missing_prices_excess'],
  [0x21ec, 'withdraw_execution_crashed'],
]);

/** SHA-256 of `TON`: what coins are called. */
const coinsId = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an;

export const evaaMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.supply, jetton.transfer], match: supply },
  { opcodes: [op.withdraw], match: withdraw },
  { opcodes: [op.liquidate, jetton.transfer], match: liquidate },
];

interface Told {
  node: ActionNode;
  /** The command's own opcode. */
  opcode: number;
  body: Slice;
}

/** Commands to a user's contract begin with what upgrades it: a version, code, and how. */
function commandAt(node: ActionNode): Told | undefined {
  return readLayout(node.body, (slice) => {
    slice.loadCoins();
    slice.loadMaybeRef();
    slice.skip(2);
    return { node, opcode: slice.loadUint(32), body: slice };
  });
}

function commandsOf(node: ActionNode | undefined, opcode: number): Told | undefined {
  return (node?.children ?? [])
    .map((child) => (child.isBounced ? undefined : commandAt(child)))
    .find((told) => told?.opcode === opcode);
}

function supply(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferAt(node, facts);
  if (transfer !== undefined && transfer.payloadOpcode !== op.supply) {
    return undefined;
  }
  const order =
    transfer === undefined
      ? readFields(node, (slice) => {
          slice.skip(64 + 2);
          return { amount: slice.loadUintBig(64), recipient: loadAccount(slice) };
        })
      : readLayout(transfer.payload, (slice) => {
          slice.skip(32 + 2);
          return { amount: transfer.amount, recipient: loadAccount(slice) };
        });
  const user = commandsOf(transfer === undefined ? node : transfer.notice, op.supplyUser);
  const assetId = user === undefined ? undefined : safely(() => user.body.clone().skip(64).loadUintBig(256));
  const success = childOf(user?.node, op.supplySuccess);
  const failure = childOf(user?.node, op.supplyFail) ?? childOf(user?.node, jetton.transfer);
  if (order === undefined || user === undefined || (success === undefined && failure === undefined)) {
    return undefined;
  }
  const supplied = readFields(success, (slice) => {
    slice.skip(64).loadAddressAny();
    return slice.skip(256).loadUintBig(64);
  });
  const sender = transfer === undefined ? (node.source ?? null) : transfer.sender;
  return {
    type: 'evaa_supply',
    details: {
      source: sender,
      source_wallet: transfer?.senderWallet ?? null,
      sender_jetton_wallet: transfer?.senderWallet ?? null,
      recipient: order.recipient,
      recipient_contract: user.node.account,
      recipient_jetton_wallet: sender === order.recipient ? (transfer?.senderWallet ?? null) : null,
      master_jetton_wallet: transfer?.receiverWallet ?? null,
      master: transfer === undefined ? node.account : transfer.receiver,
      asset: transfer?.master ?? null,
      asset_id: hex(assetId),
      is_ton: transfer === undefined,
      amount: supplied ?? order.amount,
    },
    nodes: present(...(transfer?.nodes ?? [node]), user.node, success, failure),
    success: success !== undefined,
  };
}

function withdraw(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const order = readFields(node, (slice) => {
    slice.skip(64);
    const [assetId, amount] = [slice.loadUintBig(256), slice.loadUintBig(64)];
    return { assetId, amount, recipient: loadAccount(slice) };
  });
  const user = commandsOf(node, op.withdrawUser);
  const answer = childOf(user?.node, op.withdrawCollateralized);
  const noFunds = commandsOf(answer, op.withdrawFail);
  const refusal = user?.node.children.find(({ opcode }) => opcode !== undefined && refusals.has(opcode));
  if (order === undefined || user === undefined || (answer ?? refusal) === undefined) {
    return undefined;
  }
  const success = answer !== undefined && noFunds === undefined;
  const paid = transferAt(childOf(answer, jetton.transfer), facts);
  const amount = readFields(success ? answer : undefined, (slice) => {
    slice.skip(64).loadAddressAny();
    return slice.skip(256).loadUintBig(64);
  });
  const reason = refusal?.opcode === undefined ? undefined : refusals.get(refusal.opcode);
  return {
    type: 'evaa_withdraw',
    details: {
      source: node.source,
      recipient: order.recipient,
      owner_contract: user.node.account,
      master: node.account,
      recipient_jetton_wallet: paid?.receiverWallet ?? null,
      master_jetton_wallet: paid?.senderWallet ?? null,
      asset: order.assetId === coinsId ? null : (paid?.master ?? null),
      asset_id: hex(order.assetId),
      is_ton: order.assetId === coinsId,
      amount: amount ?? order.amount,
      fail_reason: success ? null : (reason ?? 'withdraw_no_funds_excess'),
    },
    nodes: present(
      ...[node, user.node, answer, refusal, noFunds?.node],
      ...(noFunds === undefined ? [] : childrenOf(noFunds.node, op.noFunds)),
      ...(paid?.nodes ?? childrenOf(answer, op.withdrawSuccess)),
      commandsOf(answer, op.withdrawSuccess)?.node,
    ),
    success,
  };
}

function liquidate(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferAt(node, facts);
  if (transfer !== undefined && transfer.payloadOpcode !== op.liquidate) {
    return undefined;
  }
  const order = readLayout(transfer === undefined ? node.body : transfer.payload, (slice) => {
    slice.skip(32 + 64);
    const borrower = loadAccount(slice);
    slice.loadAddressAny();
    const collateral = slice.loadUintBig(256);
    return { borrower, collateral, amount: slice.skip(64 + 2).loadUintBig(64) };
  });
  const master = transfer === undefined ? node : transfer.notice;
  const user = commandsOf(master, op.liquidateUser);
  const satisfied = childOf(user?.node, op.liquidateSatisfied);
  const unsatisfied = childOf(user?.node, op.liquidateUnsatisfied);
  const success = commandsOf(satisfied, op.liquidateSuccess);
  if (order === undefined || (satisfied ?? unsatisfied) === undefined) {
    return undefined;
  }
  const done = readFields(success === undefined ? undefined : satisfied, (slice) => {
    const owner = loadAccount(slice.skip(64));
    const more = slice.loadRef().beginParse().skip(64);
    const debt = more.loadUintBig(64);
    const collateral = more.skip(64 + 64).loadUintBig(256);
    return { owner, debt, collateral, reward: more.skip(64).loadUintBig(64) };
  });
  const reason = unsatisfied === undefined ? 'master_not_enough_liquidity' : 'liquidation_error';
  return {
    type: 'evaa_liquidate',
    details: {
      source: transfer === undefined ? node.source : transfer.sender,
      borrower: done?.owner ?? order.borrower,
      borrower_contract: user?.node.account ?? null,
      asset_id: hex(done?.collateral ?? order.collateral),
      amount: done?.reward ?? 0n,
      debt_amount: done?.debt ?? order.amount,
      fail_reason: done === undefined ? reason : null,
    },
    nodes: present(...(transfer?.nodes ?? [node]), user?.node, satisfied, unsatisfied, success?.node),
    success: done !== undefined,
  };
}

function hex(value: bigint | undefined): string | null {
  return value === undefined ? null : `0x${value.toString(16)}`;
}

function safely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
