import { opcodeOf } from '../contracts/opcodes/opcodes';
import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { childOf, follow, loadAccount, parentOf, present, readFields } from './actionNode';
import { amountOf, jetton, transferAt, walletAt } from './transfers';

/** Messages of liquid staking (tonstakers), of the elector, and of Ethena's wrapped dollars. */
const op = {
  stake: 0x47d54391,
  mint: 0x1674b0a0,
  withdraw: 0x319b0cdc,
  poolWithdrawal: 0x0a77535c,
  initNft: 0x132f9a45,
  nftBurn: 0xf127fe4e,
  nftBurnNotification: 0xed58b0b2,
  distributedAsset: 0xdb3b8abd,
  startDistribution: 0x1140a64f,
  electionStake: opcodeOf('elector_new_stake'),
  electionStakeTaken: opcodeOf('elector_new_stake_ok'),
  electionRecover: opcodeOf('elector_recover_stake'),
  electionRecovered: opcodeOf('elector_stake_recovered'),
  lockedTransfer: 0xb2583ed5,
} as const;

/** What a deposit costs that the pool keeps, and that is no stake. */
const depositFee = 1_000_000_000n;

/** Ethena's dollar, and its staked form. */
const usde = '0:086fa2a675f74347b08dd4606a549b8fdb98829cb282bc1949d3b12fbaed9dcc';
const stakedUsde = '0:d0e545323c7acb7102653c073377f7e3c67f122eb94d430a250739f109d4a57d';

export const stakingMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.stake], match: stake },
  { opcodes: [op.withdraw], match: withdraw },
  { opcodes: [op.distributedAsset], match: payout },
  { opcodes: [op.electionStake], match: electionDeposit },
  { opcodes: [op.electionRecovered], match: electionRecover },
  { opcodes: [jetton.transfer], match: ethena },
];

function stake(node: ActionNode): NamedAction {
  const mint = childOf(node, op.mint);
  const credit = childOf(mint, jetton.internalTransfer);
  return {
    type: 'stake_deposit',
    details: {
      provider: 'liquid_staking',
      stake_holder: node.source,
      pool: node.account,
      amount: node.value - depositFee,
      tokens_minted: amountOf(credit) ?? null,
      asset: credit?.source ?? null,
    },
    nodes: present(node, mint, credit, childOf(credit, jetton.notify), childOf(credit, jetton.excess)),
    success: credit !== undefined,
  };
}

/** A burn of the pool's tokens: paid at once, or by an NFT that is a claim. */
function withdraw(node: ActionNode): NamedAction | undefined {
  const notice = parentOf(node, jetton.burnNotification);
  const burn = parentOf(notice, jetton.burn);
  const burnt = amountOf(burn);
  const immediate = childOf(node, op.poolWithdrawal);
  const mint = childOf(node, op.mint);
  const nft = childOf(mint, op.initNft) ?? mint?.children.find(({ isDeploy }) => isDeploy);
  if (burn === undefined || (immediate === undefined && mint === undefined)) {
    return undefined;
  }
  const common = {
    provider: 'liquid_staking',
    stake_holder: burn.source,
    pool: node.account,
    asset: node.source,
  };
  return immediate === undefined
    ? {
        type: 'stake_withdrawal_request',
        details: { ...common, payout_nft: nft?.account ?? null, tokens_burnt: burnt },
        nodes: present(burn, notice, node, mint),
        success: nft !== undefined,
      }
    : {
        type: 'stake_withdrawal',
        details: { ...common, amount: immediate.value - node.value, payout_nft: null, tokens_burnt: burnt },
        nodes: present(burn, notice, node, immediate),
        success: true,
      };
}

/** The claim is paid, and burned. */
function payout(node: ActionNode): NamedAction | undefined {
  const notice = parentOf(node, op.nftBurnNotification);
  const burn = parentOf(notice, op.nftBurn);
  const read = readFields(notice, (slice) => {
    const amount = slice.skip(64).loadCoins();
    return { amount, owner: loadAccount(slice) };
  });
  return read === undefined || burn === undefined
    ? undefined
    : {
        type: 'stake_withdrawal',
        details: {
          provider: 'liquid_staking',
          stake_holder: read.owner,
          pool: distributorOf(burn) ?? null,
          amount: node.value,
          payout_nft: notice?.source,
          tokens_burnt: read.amount,
          asset: null,
        },
        nodes: present(burn, notice, node),
        success: true,
      };
}

/** The claims are paid one after the other; the pool began that. */
function distributorOf(burn: ActionNode): string | undefined {
  const passed: readonly number[] = [op.nftBurnNotification, op.nftBurn, op.distributedAsset];
  let at = burn.parent;
  for (let steps = 0; at !== undefined && steps < 5000; at = at.parent, steps++) {
    if (at.opcode === op.startDistribution) {
      return at.source;
    }
    if (at.opcode === undefined || !passed.includes(at.opcode)) {
      return undefined;
    }
  }
  return undefined;
}

function electionDeposit(node: ActionNode): NamedAction {
  return {
    type: 'election_deposit',
    details: { stake_holder: node.source, amount: node.value },
    nodes: present(node, childOf(node, op.electionStakeTaken)),
    success: node.isDone && childOf(node, op.electionStakeTaken) !== undefined,
  };
}

function electionRecover(node: ActionNode): NamedAction | undefined {
  const order = parentOf(node, op.electionRecover);
  return order === undefined
    ? undefined
    : {
        type: 'election_recover',
        details: { stake_holder: node.account, amount: node.value },
        nodes: present(order, node),
        success: true,
      };
}

function ethena(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const transfer = transferAt(node, facts);
  const mint = follow(transfer?.credit, jetton.notify, jetton.mint);
  const minted = childOf(mint, jetton.internalTransfer);
  if (transfer?.master === usde && minted?.source === stakedUsde) {
    return {
      type: 'stake_deposit',
      details: {
        provider: 'ethena',
        stake_holder: transfer.sender,
        pool: transfer.receiver,
        amount: transfer.amount,
        tokens_minted: amountOf(minted),
        asset: stakedUsde,
        source_asset: usde,
      },
      nodes: present(
        ...transfer.nodes,
        mint,
        minted,
        childOf(minted, jetton.notify),
        childOf(minted, jetton.excess),
      ),
      success: transfer.isDone,
    };
  }
  const locked = childOf(mint, op.lockedTransfer);
  return transfer === undefined || mint === undefined || locked?.account === undefined
    ? undefined
    : {
        type: 'stake_withdrawal_request',
        details: {
          provider: 'ethena',
          stake_holder: transfer.sender,
          pool: mint.source,
          asset: walletAt(node, facts)?.master ?? null,
          payout_nft: null,
          tokens_minted: amountOf(locked),
        },
        nodes: present(...transfer.nodes, mint, locked),
        success: true,
      };
}
