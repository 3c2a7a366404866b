import * as z from 'zod';
import { addressValue, bigNumber, hashValue } from '../wire';
import { v3Get } from '../endpoint';
import { address, flag, list, required } from '../parameter';
import { books, extraCurrencies } from './objects';

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
};
