import type { ActionNode, NamedAction } from './actionNode';
import type { JettonTransfer } from './transfers';

/** One of the assets of a deposit: null for coins. */
export interface Side {
  asset: string | null | undefined;
  amount: bigint;
  wallet: string | null;
}

/** What somebody brought into a pool; a side that is undefined did not come. */
export interface Deposit {
  dex: string;
  source: string | null | undefined;
  pool?: string | null | undefined;
  /** Where the liquidity waits: a contract of one's own at some exchanges, else the pool. */
  place?: string | null | undefined;
  sides: readonly (Side | undefined)[];
  targets?: readonly { asset?: string | null | undefined; amount?: bigint | undefined }[];
  minted?: bigint | undefined;
  excesses?: readonly { asset: string | null; amount: bigint }[];
  more?: Readonly<Record<string, unknown>>;
  nodes: readonly ActionNode[];
  success: boolean;
}

/** A deposit in the service's words. */
export function depositOf(deposit: Deposit): NamedAction {
  const [first, second] = deposit.sides;
  const [one, two] = deposit.targets ?? [];
  return {
    type: 'dex_deposit_liquidity',
    details: {
      dex: deposit.dex,
      source: deposit.source,
      pool: deposit.pool ?? null,
      destination_liquidity: deposit.place ?? deposit.pool ?? null,
      amount_1: first?.amount ?? null,
      asset_1: first?.asset ?? null,
      user_jetton_wallet_1: first?.wallet ?? null,
      amount_2: second?.amount ?? null,
      asset_2: second?.asset ?? null,
      user_jetton_wallet_2: second?.wallet ?? null,
      target_asset_1: one?.asset ?? null,
      target_amount_1: one?.amount ?? null,
      target_asset_2: two?.asset ?? null,
      target_amount_2: two?.amount ?? null,
      lp_tokens_minted: deposit.minted ?? null,
      vault_excesses: deposit.excesses ?? [],
      ...deposit.more,
    },
    nodes: deposit.nodes,
    success: deposit.success,
  };
}

/** What a pool gave back for one asset. */
export interface Payout {
  asset: string | null | undefined;
  amount: bigint | undefined;
  /** Who paid, and from which wallet; the receiver's wallet. Null for coins. */
  from: string | null | undefined;
  fromWallet: string | null;
  wallet: string | null;
}

/** A payout in jettons. */
export function payoutOf(transfer: JettonTransfer): Payout {
  return {
    asset: transfer.master,
    amount: transfer.amount,
    from: transfer.sender,
    fromWallet: transfer.senderWallet,
    wallet: transfer.receiverWallet,
  };
}

/** A withdrawal in the service's words. */
export function withdrawalOf(withdrawal: {
  dex: string;
  source: string | null | undefined;
  pool: string | null | undefined;
  burnt: bigint | undefined;
  isRefund?: boolean;
  payouts: readonly Payout[];
  more?: Readonly<Record<string, unknown>>;
  nodes: readonly ActionNode[];
  success: boolean;
}): NamedAction {
  const side = (payout: Payout | undefined, number: 1 | 2): Record<string, unknown> => ({
    [`amount_${number}`]: payout?.amount ?? null,
    [`asset_${number}`]: payout?.asset ?? null,
    [`dex_wallet_${number}`]: payout?.from ?? null,
    [`dex_jetton_wallet_${number}`]: payout?.fromWallet ?? null,
    [`user_jetton_wallet_${number}`]: payout?.wallet ?? null,
  });
  const { dex, source, pool, burnt, isRefund = false, payouts } = withdrawal;
  return {
    type: 'dex_withdraw_liquidity',
    details: {
      ...{ dex, source, pool, destination_liquidity: pool, lp_tokens_burnt: burnt ?? null },
      is_refund: isRefund,
      ...side(payouts[0], 1),
      ...side(payouts[1], 2),
      ...withdrawal.more,
    },
    nodes: withdrawal.nodes,
    success: withdrawal.success,
  };
}
