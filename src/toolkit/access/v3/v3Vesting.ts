import * as z from 'zod';
import { openObject } from '../../api/openObject';
import { v3VestingContract } from '../../api/v3Contracts';
import { v3Books } from '../../api/v3Objects';
import { v3Get } from '../endpoint/endpoint';
import { address, flag, list } from '../endpoint/parameter';
import { page } from './common';

export const v3Vesting = {
  vesting: v3Get({
    path: '/vesting',
    category: 'Vesting',
    purpose: 'Vesting contracts by address or by a participating wallet.',
    parameters: {
      contract_address: list(address('The vesting contracts.')),
      wallet_address: list(address('Owners or senders.')),
      check_whitelist: flag('Include wallets on the whitelist.', { default: false }),
      ...page,
    },
    result: openObject({ vesting_contracts: z.array(v3VestingContract), ...v3Books }),
  }),
};
