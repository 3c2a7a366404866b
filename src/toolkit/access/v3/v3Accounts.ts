import * as z from 'zod';
import { openObject } from '../../api/openObject';
import { v3AccountStateFull, v3WalletState } from '../../api/v3Accounts';
import { v3Books, v3AddressBook, v3Metadata } from '../../api/v3Objects';
import { v3Get } from '../endpoint/endpoint';
import { address, flag, list, required } from '../endpoint/parameter';

const category = 'Accounts';

export const v3Accounts = {
  accountStates: v3Get({
    path: '/accountStates',
    category,
    purpose: 'States of accounts; unknown ones are left out of the answer.',
    parameters: {
      address: required(list(address('The accounts.'), 1000)),
      include_boc: flag('Include code and data.', { default: true }),
    },
    result: openObject({ accounts: z.array(v3AccountStateFull), ...v3Books }),
  }),
  walletStates: v3Get({
    path: '/walletStates',
    category,
    purpose: 'States of accounts as wallets; unknown ones are left out of the answer.',
    parameters: { address: required(list(address('The accounts.'), 1000)) },
    result: openObject({ wallets: z.array(v3WalletState), ...v3Books }),
  }),
  addressBook: v3Get({
    path: '/addressBook',
    category,
    purpose: 'User-friendly form, DNS name, and interfaces of accounts.',
    parameters: { address: required(list(address('The accounts.'), 1024)) },
    result: v3AddressBook,
  }),
  metadata: v3Get({
    path: '/metadata',
    category,
    purpose: 'Token metadata of accounts: name, symbol, image.',
    parameters: { address: required(list(address('The accounts.'), 1024)) },
    result: v3Metadata,
  }),
};
