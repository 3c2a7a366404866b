import type { ActionFacts, ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { childOf, childrenOf, loadAccount, parentOf, present, readFields } from './actionNode';
import type { Side } from './liquidity';
import { depositOf, payoutOf, withdrawalOf } from './liquidity';
import { stonfiV2 } from './stonfiMatchers';
import { amountOf, arrivalAt, jetton, paidOutBy, transferAt, walletAt } from './transfers';

/** Messages of STON.fi v2 about liquidity (docs.ston.fi). */
const op = {
  provide: 0x37c096df,
  addLiquidity: 0x50c6a654,
  callbackAdd: 0x06ecd527,
  burnNotification: 0x297437cf,
  refundMe: 0x132b9a2c,
  refund: 0x0f98e2b8,
} as const;

export const stonfiLiquidityMatchers: readonly ActionMatcher[] = [
  { opcodes: [op.provide], match: deposit },
  { opcodes: [op.burnNotification, op.refund], match: withdraw },
];

interface Part {
  side: Side;
  user: string | null;
  minted: bigint | undefined;
  isRefused: boolean;
  nodes: ActionNode[];
}

function partAt(node: ActionNode, facts: ActionFacts): Part | undefined {
  const read = readFields(node, (slice) => {
    slice.skip(64);
    const user = loadAccount(slice);
    const [first, second] = [slice.loadCoins(), slice.loadCoins()];
    return { user, amount: first > 0n ? first : second };
  });
  const { transfer, coins, nodes } = arrivalAt(node.parent, facts);
  const add = childOf(node, op.addLiquidity);
  if (read === undefined || add === undefined || (transfer === undefined && coins === undefined)) {
    return undefined;
  }
  const done = childOf(add, op.callbackAdd);
  const credit = childOf(done, jetton.internalTransfer);
  return {
    side: {
      asset: transfer?.master ?? null,
      amount: read.amount,
      wallet: transfer?.senderWallet ?? null,
    },
    user: read.user,
    minted: amountOf(credit),
    isRefused: childOf(done, op.addLiquidity) !== undefined,
    nodes: present(...nodes, node, add, done, credit),
  };
}

/** Both sides of a deposit come as transfers of their own; of two in one trace, the first one ordered the second. */
function deposit(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const part = partAt(node, facts);
  const other = part === undefined ? undefined : otherPart(node, part, facts);
  return part === undefined
    ? undefined
    : depositOf({
        dex: 'stonfi_v2',
        source: part.user,
        pool: node.account,
        sides: [part.side, other?.side],
        minted: part.minted ?? other?.minted,
        nodes: present(...part.nodes, ...(other?.nodes ?? [])),
        success: !part.isRefused && other?.isRefused !== true,
      });
}

function otherPart(node: ActionNode, part: Part, facts: ActionFacts): Part | undefined {
  const sender = part.nodes[0]?.parent;
  for (const begin of sender?.children ?? []) {
    if (part.nodes.includes(begin)) {
      continue;
    }
    const transfer = transferAt(begin, facts);
    const notice = transfer === undefined ? childOf(begin, jetton.notify) : transfer.notice;
    const provide = childrenOf(notice, op.provide).find(({ account }) => account === node.account);
    const other = provide === undefined ? undefined : partAt(provide, facts);
    if (other !== undefined && other.user === part.user && other.minted !== part.minted) {
      return other;
    }
  }
  return undefined;
}

function withdraw(node: ActionNode, facts: ActionFacts): NamedAction | undefined {
  const isRefund = node.opcode === op.refund;
  const begin = isRefund ? parentOf(node, op.refundMe) : parentOf(node, jetton.burn);
  const burnt = isRefund ? undefined : amountOf(begin);
  const wallet = walletAt(begin, facts);
  const payouts = childrenOf(node, stonfiV2.payTo).flatMap((payTo) =>
    paidOutBy(payTo, facts)
      .slice(0, 1)
      .map(({ transfer, coins, asset, amount }) => ({
        payout: { ...payoutOf(transfer), asset, amount },
        nodes: present(payTo, ...transfer.nodes, coins),
      })),
  );
  return begin === undefined || payouts.length === 0
    ? undefined
    : withdrawalOf({
        dex: 'stonfi_v2',
        source: isRefund ? begin.source : (wallet?.owner ?? begin.source),
        pool: node.account,
        ...{ burnt, isRefund },
        payouts: payouts.map(({ payout }) => payout),
        nodes: present(begin, node, ...payouts.flatMap(({ nodes }) => nodes)),
        success: true,
      });
}
