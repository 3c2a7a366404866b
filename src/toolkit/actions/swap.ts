import type { NamedAction, ActionNode } from './actionNode';
import type { JettonTransfer } from './transfers';
import { isWrapped } from './transfers';

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
