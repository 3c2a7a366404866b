import * as z from 'zod';
import { addressValue, bigNumber } from '../../api/wire';
import { v3Get } from '../endpoint';
import { address, flag, list } from '../parameter';
import { page } from './common';
import { books } from '../../api/v3Objects';

const vestingContract = z.looseObject({
  address: addressValue,
  owner_address: z.nullish(addressValue),
  sender_address: z.nullish(addressValue),
  /** Unix seconds. */
  start_time: z.nullish(z.number()),
  /** Seconds. */
  total_duration: z.nullish(z.number()),
  unlock_period: z.nullish(z.number()),
  cliff_duration: z.nullish(z.number()),
  /** Nanocoins. */
  total_amount: z.nullish(bigNumber),
  whitelist: z.nullish(z.array(addressValue)),
});

export const vesting = {
  vesting: v3Get({
    path: '/vesting',
    category: 'Vesting',
    purpose: 'Vesting contracts by address or by a wallet that takes part.',
    parameters: {
      contract_address: list(address('The vesting contracts.')),
      wallet_address: list(address('Owners or senders.')),
      check_whitelist: flag('Wallets on the whitelist count too.', { default: false }),
      ...page,
    },
    result: z.looseObject({ vesting_contracts: z.nullable(z.array(vestingContract)), ...books }),
  }),
};
