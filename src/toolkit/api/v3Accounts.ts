import * as z from 'zod';
import { openObject } from './openObject';
import { v3ExtraCurrencies } from './v3Objects';
import { addressValue, bigNumber, hashValue } from './wire';

/** Accounts in v3 answers. */

export const v3AccountStateFull = openObject({
  /** Only on forks: local, exact, or partial. */
  fork_state: z.string(),
  address: addressValue,
  account_state_hash: hashValue,
  /** Nanocoins. */
  balance: bigNumber,
  extra_currencies: v3ExtraCurrencies,
  /** uninit, frozen, active or nonexist. */
  status: z.string(),
  suspended: z.boolean(),
  frozen_hash: hashValue,
  last_transaction_hash: hashValue,
  last_transaction_lt: bigNumber,
  data_hash: hashValue,
  code_hash: hashValue,
  /** BoC in base64. */
  data_boc: z.string(),
  code_boc: z.string(),
  /** Method ids. */
  contract_methods: z.array(z.number()),
  interfaces: z.array(z.string()),
});

export const v3WalletState = openObject({
  address: addressValue,
  is_wallet: z.boolean(),
  /** Such as `wallet v5 r1`; for other contracts this and the next fields are omitted. */
  wallet_type: z.string(),
  seqno: z.number(),
  wallet_id: z.number(),
  /** Nanocoins. */
  balance: bigNumber,
  extra_currencies: v3ExtraCurrencies,
  /** Only for v5 wallets. */
  is_signature_allowed: z.boolean(),
  status: z.string(),
  suspended: z.boolean(),
  code_hash: hashValue,
  last_transaction_hash: hashValue,
  last_transaction_lt: bigNumber,
});

/** Balance in nanocoins. */
export const v3AccountBalance = openObject({ account: addressValue, balance: bigNumber });

export type V3AccountStateFull = z.output<typeof v3AccountStateFull>;
export type V3WalletState = z.output<typeof v3WalletState>;
export type V3AccountBalance = z.output<typeof v3AccountBalance>;
