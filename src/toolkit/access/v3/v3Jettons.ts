import * as z from 'zod';
import { openObject } from '../../api/openObject';
import { v3Books } from '../../api/v3Objects';
import { v3JettonMaster, v3JettonWalletList, v3JettonTransfer, v3JettonBurn } from '../../api/v3Tokens';
import { v3Get } from '../endpoint/endpoint';
import { address, choice, flag, list } from '../endpoint/parameter';
import { limit, offset, page, ranges, sort } from './common';

const category = 'Jettons';

export const v3Jettons = {
  jettonMasters: v3Get({
    path: '/jetton/masters',
    category,
    purpose: 'Jetton masters by address or admin.',
    parameters: {
      address: list(address('The masters.'), 1024),
      admin_address: list(address('Their admins.'), 1024),
      ...page,
    },
    result: openObject({ jetton_masters: z.array(v3JettonMaster), ...v3Books }),
  }),
  jettonWallets: v3Get({
    path: '/jetton/wallets',
    category,
    purpose: 'Jetton wallets by address, owner, or jetton.',
    parameters: {
      address: list(address('The jetton wallets.'), 1000),
      owner_address: list(address('Their owners.'), 1000),
      jetton_address: list(address('Their masters; more than one needs exactly one owner.')),
      exclude_zero_balance: flag('Leave out empty wallets.'),
      limit,
      offset,
      sort: choice('Order by balance.', ['asc', 'desc']),
    },
    result: v3JettonWalletList,
  }),
  jettonTransfers: v3Get({
    path: '/jetton/transfers',
    category,
    purpose: 'Jetton transfers by owner, jetton wallet, jetton, or time.',
    parameters: {
      owner_address: list(address('Owners of the wallets involved.')),
      jetton_wallet: list(address('The wallets involved.')),
      jetton_master: address('The jetton.'),
      direction: choice('in or out, as seen from the owner; only with owner_address.', ['in', 'out']),
      ...ranges,
      ...page,
      sort,
    },
    result: openObject({ jetton_transfers: z.array(v3JettonTransfer), ...v3Books }),
  }),
  jettonBurns: v3Get({
    path: '/jetton/burns',
    category,
    purpose: 'Jetton burns by owner, jetton wallet, jetton, or time.',
    parameters: {
      address: list(address('Owners of the wallets involved.')),
      jetton_wallet: list(address('The wallets involved.')),
      jetton_master: address('The jetton.'),
      ...ranges,
      ...page,
      sort,
    },
    result: openObject({ jetton_burns: z.array(v3JettonBurn), ...v3Books }),
  }),
};
