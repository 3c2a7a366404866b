import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { childOf, present, readFields } from './actionNode';
import { jetton, transferAt, transferOf } from './transfers';

/** Messages of swap.coffee beside its exchange: staking, and what protects swaps. */
const op = {
  serviceFee: 0xc0ffeea0,
  mevHold: 0x6bc79e7e,
  stakingDeposit: 0xf9471134,
  stakingInitialize: 0xbe5a7595,
  stakingWithdraw: 0xcb03bfaf,
  stakingClaim: 0xb30c7310,
} as const;

export const coffeeStakingMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.mevHold, jetton.transfer], match: mevHold },
  { opcodes: [op.stakingDeposit], match: stakingDeposit },
  { opcodes: [op.stakingWithdraw], match: stakingWithdraw },
  { opcodes: [op.stakingClaim], match: stakingClaim },
];

function mevHold(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferAt(node, facts);
  if (node.opcode === jetton.transfer && transfer?.payloadOpcode !== op.mevHold) {
    return undefined;
  }
  return {
    type: 'coffee_mev_protect_hold_funds',
    details: {
      source: transfer === undefined ? node.source : transfer.sender,
      source_jetton_wallet: transfer?.senderWallet ?? null,
      mev_contract: transfer === undefined ? node.account : transfer.receiver,
      mev_contract_jetton_wallet: null,
      asset: transfer?.master ?? null,
      amount: transfer?.amount ?? node.value,
    },
    nodes: present(...(transfer?.nodes ?? [node]), childOf(node.parent, op.serviceFee)),
    success: transfer?.isDone ?? node.isDone,
  };
}

function stakingDeposit(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferOf(node.parent, facts);
  const position = childOf(node, op.stakingInitialize);
  return transfer === undefined || position?.account === undefined
    ? undefined
    : {
        type: 'coffee_staking_deposit',
        details: {
          source: transfer.sender,
          source_jetton_wallet: transfer.senderWallet,
          pool: node.account,
          pool_jetton_wallet: transfer.receiverWallet,
          asset: transfer.master ?? null,
          amount: transfer.amount,
          minted_item_address: position.account,
          minted_item_index: facts.nftItem(position.account)?.index ?? null,
        },
        nodes: present(...transfer.nodes, node, position),
        success: true,
      };
}

/** The owner tells the position, it tells the pool, and that the vault, which pays. */
function stakingWithdraw(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const pool = childOf(node, op.stakingWithdraw);
  const vault = childOf(pool, op.stakingWithdraw);
  const transfer = transferAt(childOf(vault, jetton.transfer), facts);
  const read = readFields(pool, (slice) => {
    const index = slice.skip(64).loadUintBig(64);
    slice.loadAddressAny();
    const points = slice.loadCoins();
    return { index, points };
  });
  return transfer === undefined || read === undefined
    ? undefined
    : {
        type: 'coffee_staking_withdraw',
        details: {
          source: node.source,
          source_jetton_wallet: transfer.receiverWallet,
          pool: pool?.account,
          pool_jetton_wallet: transfer.senderWallet,
          asset: transfer.master ?? null,
          amount: transfer.amount,
          nft_address: node.account,
          nft_index: read.index,
          points: read.points,
        },
        nodes: present(node, pool, vault, ...transfer.nodes),
        success: transfer.isDone,
      };
}

function stakingClaim(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferAt(childOf(node, jetton.transfer), facts);
  return transfer === undefined
    ? undefined
    : {
        type: 'coffee_staking_claim_rewards',
        details: {
          pool: transfer.sender,
          pool_jetton_wallet: transfer.senderWallet,
          recipient: transfer.receiver,
          recipient_jetton_wallet: transfer.receiverWallet,
          asset: transfer.master ?? null,
          amount: transfer.amount,
        },
        nodes: present(node, ...transfer.nodes),
        success: transfer.isDone,
      };
}
