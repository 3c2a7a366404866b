import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { below, childOf, childrenOf, loadAccount, parentOf, present, readLayout } from './actionNode';
import { amountOf, jetton, transferAt, transferOf } from './transfers';

/** Messages of JVault's staking pools (jvault-labs). */
const op = {
  receive: 0xd68a4ac1,
  unstake: 0x499a9262,
  unstakeRequest: 0x0168d4b7,
  claim: 0x78d9f109,
  sendRewards: 0x44bc1fe3,
  requestUpdate: 0xf5c5baa3,
  update: 0xae9307ce,
  cancel: 0x9eada1d9,
  setData: 0x383411ea,
  requestReferrer: 0x55c35b40,
  updateReferrer: 0x076ee4e0,
} as const;

export const jvaultMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.receive], match: stake },
  { opcodes: [op.unstake, op.unstakeRequest], match: unstake },
  { opcodes: [op.claim], match: claim },
];

function stake(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferOf(node.parent, facts);
  const period = readLayout(transfer?.payload, (slice) => slice.skip(32).loadUint(32));
  const cancel = childOf(node, op.cancel);
  const request = childOf(node, op.requestUpdate);
  return transfer === undefined || (cancel === undefined && request === undefined)
    ? undefined
    : {
        type: 'jvault_stake',
        details: {
          source: transfer.sender,
          source_jetton_wallet: transfer.senderWallet,
          asset: transfer.master ?? null,
          pool: node.source,
          amount: transfer.amount,
          period: period ?? null,
          stake_wallet: node.account,
        },
        nodes: present(
          ...transfer.nodes,
          ...[node, cancel, request],
          ...updatesBelow(request),
          childOf(transfer.notice, op.setData),
        ),
        success: cancel === undefined && node.isDone && request?.isDone === true,
      };
}

function updatesBelow(request: ActionNode | undefined): ActionNode[] {
  return below(request, op.update, op.requestReferrer, op.updateReferrer);
}

/** The stake wallet's data begin with its pool and the jetton that stands for a stake. */
function unstake(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const amount = amountOf(node);
  const own = readLayout(node.data, (slice) => ({ pool: loadAccount(slice), minter: loadAccount(slice) }));
  const request = childOf(node, op.requestUpdate);
  const paid = transferAt(childOf(request, jetton.transfer), facts);
  const pool = request?.account ?? own?.pool;
  const jettons =
    pool == null ? [] : [...new Set(facts.jettonsOf(pool))].filter((one) => one !== own?.minter);
  const isRequest = node.opcode === op.unstakeRequest;
  if (amount === undefined || pool == null) {
    return undefined;
  }
  const done = request !== undefined && (isRequest || paid !== undefined);
  return {
    type: isRequest ? 'jvault_unstake_request' : 'jvault_unstake',
    details: {
      source: node.source,
      stake_wallet: node.account,
      pool,
      amount,
      asset: paid?.master ?? (jettons.length === 1 ? jettons[0] : null),
      staking_asset: own?.minter ?? null,
      exit_code: done ? null : (node.exitCode ?? null),
    },
    nodes: present(node, request, ...(paid?.nodes ?? []), ...updatesBelow(request)),
    success: node.isDone && done,
  };
}

function claim(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const send = childOf(node, op.sendRewards);
  const paid = childrenOf(send, jetton.transfer).flatMap((order) => transferAt(order, facts) ?? []);
  return send === undefined || paid.length === 0 || parentOf(node, op.claim) !== undefined
    ? undefined
    : {
        type: 'jvault_claim',
        details: {
          source: node.source,
          stake_wallet: node.account,
          pool: send.account,
          claimed_rewards: paid.map(({ amount, order }) => ({ jetton: order.account, amount })),
        },
        nodes: present(node, send, ...paid.flatMap(({ nodes }) => nodes), ...updatesBelow(send)),
        success: true,
      };
}
