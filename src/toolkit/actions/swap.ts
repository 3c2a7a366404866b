import type { NamedAction, ActionNode } from './actionNode';
import type { JettonTransfer } from './transfers';
import { amountOf, isWrapped } from './transfers';

/** What one side of a swap paid the other. `asset`: the jetton's master, null for coins. */
export interface Paid {
  asset: string | null | undefined;
  amount: bigint;
  source: string | null | undefined;
  source_jetton_wallet: string | null;
  destination: string | null | undefined;
  destination_jetton_wallet: string | null;
}

/** One exchange on the way of a swap over several. */
export interface PeerSwap {
  asset_in: string | null | undefined;
  amount_in: bigint;
  asset_out: string | null | undefined;
  amount_out: bigint;
}

/** A swap in the service's words. `wanted`: the asset that was asked for, where a failed swap gives back another. */
export function swapOf(swap: {
  dex: string;
  sender: string | null | undefined;
  given: Paid;
  got: Paid;
  wanted?: string | null | undefined;
  peers?: readonly PeerSwap[];
  nodes: readonly ActionNode[];
  success: boolean;
  more?: Readonly<Record<string, unknown>>;
}): NamedAction {
  const { dex, sender, given, got, peers = [] } = swap;
  return {
    type: 'jetton_swap',
    details: {
      dex,
      sender,
      asset_in: given.asset,
      asset_out: 'wanted' in swap ? swap.wanted : got.asset,
      dex_incoming_transfer: given,
      dex_outgoing_transfer: got,
      peer_swaps: peers.length > 1 ? peers : [],
      ...swap.more,
    },
    nodes: swap.nodes,
    success: swap.success,
  };
}

/** Each exchange on the way takes what the one before gave. */
export function peersFrom(
  given: Pick<Paid, 'asset' | 'amount'>,
  gave: readonly Pick<Paid, 'asset' | 'amount'>[],
): PeerSwap[] {
  return gave.map((one, index) => {
    const { asset, amount } = gave[index - 1] ?? given;
    return { asset_in: asset, amount_in: amount, asset_out: one.asset, amount_out: one.amount };
  });
}

/** Coins as a side of a swap. */
export function coinsPaid(coins: Pick<Paid, 'amount' | 'source' | 'destination'>): Paid {
  return { asset: null, ...coins, source_jetton_wallet: null, destination_jetton_wallet: null };
}

/** Coins that came over a wallet of wrapped coins, which told the exchange. */
export function wrappedCoinsPaid(coins: ActionNode | undefined, swap: ActionNode): Paid | undefined {
  const amount = amountOf(coins);
  return coins === undefined || amount === undefined
    ? undefined
    : {
        ...coinsPaid({ amount, source: coins.source, destination: swap.source }),
        destination_jetton_wallet: coins.account ?? null,
      };
}

/** A jetton transfer as a side of a swap; wrapped coins count as coins. */
export function paidBy(transfer: JettonTransfer): Paid {
  return {
    asset: isWrapped(transfer.master) ? null : transfer.master,
    amount: transfer.amount,
    source: transfer.sender,
    source_jetton_wallet: transfer.senderWallet,
    destination: transfer.receiver,
    destination_jetton_wallet: transfer.receiverWallet,
  };
}
