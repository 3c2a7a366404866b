import * as z from 'zod';
import { addressValue, bigNumber, hashValue } from '../../api/wire';
import { v3Get } from '../endpoint';
import { address, flag, list, required } from '../parameter';
import { addressBook, books, extraCurrencies, metadata } from '../../api/v3Objects';

const category = 'Accounts';

const accountStateFull = z.looseObject({
  address: addressValue,
  account_state_hash: z.nullish(hashValue),
  /** Nanocoins. */
  balance: z.nullish(bigNumber),
  extra_currencies: z.nullish(extraCurrencies),
  /** uninit, frozen, active or nonexist. */
  status: z.nullish(z.string()),
  suspended: z.nullish(z.boolean()),
  frozen_hash: z.nullish(hashValue),
  last_transaction_hash: z.nullish(hashValue),
  last_transaction_lt: z.nullish(bigNumber),
  data_hash: z.nullish(hashValue),
  code_hash: z.nullish(hashValue),
  /** BoC in base64. */
  data_boc: z.nullish(z.string()),
  code_boc: z.nullish(z.string()),
  /** Method ids. */
  contract_methods: z.nullish(z.array(z.number())),
  interfaces: z.nullish(z.array(z.string())),
});

const walletState = z.looseObject({
  address: addressValue,
  is_wallet: z.nullish(z.boolean()),
  /** Such as `wallet v5 r1`; for contracts that are no wallet this and the next ones are left out. */
  wallet_type: z.nullish(z.string()),
  seqno: z.nullish(z.number()),
  wallet_id: z.nullish(z.number()),
  /** Nanocoins. */
  balance: z.nullish(bigNumber),
  extra_currencies: z.nullish(extraCurrencies),
  /** Only for v5 wallets. */
  is_signature_allowed: z.nullish(z.boolean()),
  status: z.nullish(z.string()),
  suspended: z.nullish(z.boolean()),
  code_hash: z.nullish(hashValue),
  last_transaction_hash: z.nullish(hashValue),
  last_transaction_lt: z.nullish(bigNumber),
});

export const accounts = {
  accountStates: v3Get({
    path: '/accountStates',
    category,
    purpose: 'States of accounts; unknown ones are left out of the answer.',
    parameters: {
      address: required(list(address('The accounts.'), 1000)),
      include_boc: flag('With code and data.', { default: true }),
    },
    result: z.looseObject({ accounts: z.nullable(z.array(accountStateFull)), ...books }),
  }),
  walletStates: v3Get({
    path: '/walletStates',
    category,
    purpose: 'States of accounts as wallets; unknown ones are left out of the answer.',
    parameters: { address: required(list(address('The accounts.'), 1000)) },
    result: z.looseObject({ wallets: z.nullable(z.array(walletState)), ...books }),
  }),
  addressBook: v3Get({
    path: '/addressBook',
    category,
    purpose: 'User-friendly form, DNS name and interfaces of accounts.',
    parameters: { address: required(list(address('The accounts.'), 1024)) },
    result: addressBook,
  }),
  metadata: v3Get({
    path: '/metadata',
    category,
    purpose: 'What is known of accounts as tokens: name, symbol, image.',
    parameters: { address: required(list(address('The accounts.'), 1024)) },
    result: metadata,
  }),
};
