import * as z from 'zod';
import { addressValue, bigNumber, hashValue } from '../../api/wire';
import { v3Get } from '../endpoint';
import { address, choice, flag, list } from '../parameter';
import { limit, offset, page, ranges, sort } from './common';
import { books } from '../../api/v3Objects';

const category = 'Jettons';

const jettonMaster = z.looseObject({
  address: addressValue,
  /** In the jetton's smallest unit. */
  total_supply: bigNumber,
  mintable: z.nullish(z.boolean()),
  admin_address: z.nullish(addressValue),
  jetton_content: z.nullish(z.record(z.string(), z.unknown())),
  jetton_wallet_code_hash: z.nullish(hashValue),
  code_hash: z.nullish(hashValue),
  data_hash: z.nullish(hashValue),
  last_transaction_lt: z.nullish(bigNumber),
});

const jettonWallet = z.looseObject({
  address: addressValue,
  /** In the jetton's smallest unit. */
  balance: z.nullish(bigNumber),
  owner: z.nullish(addressValue),
  jetton: z.nullish(addressValue),
  last_transaction_lt: z.nullish(bigNumber),
  code_hash: z.nullish(hashValue),
  data_hash: z.nullish(hashValue),
  mintless_info: z.nullish(
    z.looseObject({
      amount: z.nullish(bigNumber),
      /** Unix seconds. */
      start_from: z.nullish(z.number()),
      expire_at: z.nullish(z.number()),
      custom_payload_api_uri: z.nullish(z.array(z.string())),
    }),
  ),
});

/** What transfers and burns of jettons have in common. */
const movement = {
  query_id: z.nullish(bigNumber),
  /** In the jetton's smallest unit. */
  amount: bigNumber,
  jetton_master: z.nullish(addressValue),
  transaction_hash: hashValue,
  transaction_lt: bigNumber,
  /** Unix seconds. */
  transaction_now: z.number(),
  transaction_aborted: z.nullish(z.boolean()),
  response_destination: z.nullish(addressValue),
  /** BoC in base64. */
  custom_payload: z.nullish(z.string()),
  decoded_custom_payload: z.optional(z.unknown()),
  trace_id: z.nullish(hashValue),
};

const jettonTransfer = z.looseObject({
  ...movement,
  source: z.nullish(addressValue),
  destination: z.nullish(addressValue),
  source_wallet: z.nullish(addressValue),
  /** Nanocoins. */
  forward_ton_amount: z.nullish(bigNumber),
  /** BoC in base64. */
  forward_payload: z.nullish(z.string()),
  decoded_forward_payload: z.optional(z.unknown()),
});

const jettonBurn = z.looseObject({
  ...movement,
  owner: z.nullish(addressValue),
  jetton_wallet: z.nullish(addressValue),
});

export const jettons = {
  jettonMasters: v3Get({
    path: '/jetton/masters',
    category,
    purpose: 'Jetton masters by address or admin.',
    parameters: {
      address: list(address('The masters.'), 1024),
      admin_address: list(address('Their admins.'), 1024),
      ...page,
    },
    result: z.looseObject({ jetton_masters: z.nullable(z.array(jettonMaster)), ...books }),
  }),
  jettonWallets: v3Get({
    path: '/jetton/wallets',
    category,
    purpose: 'Jetton wallets by address, owner or jetton.',
    parameters: {
      address: list(address('The jetton wallets.'), 1000),
      owner_address: list(address('Their owners.'), 1000),
      jetton_address: list(address('Their masters; more than one needs exactly one owner.')),
      exclude_zero_balance: flag('Without empty ones.'),
      limit,
      offset,
      sort: choice('Order by balance.', ['asc', 'desc']),
    },
    result: z.looseObject({ jetton_wallets: z.nullable(z.array(jettonWallet)), ...books }),
  }),
  jettonTransfers: v3Get({
    path: '/jetton/transfers',
    category,
    purpose: 'Jetton transfers by owner, jetton wallet, jetton or time.',
    parameters: {
      owner_address: list(address('Owners of the wallets involved.')),
      jetton_wallet: list(address('The wallets involved.')),
      jetton_master: address('The jetton.'),
      direction: choice('in or out, seen from the owner; only with owner_address.', ['in', 'out']),
      ...ranges,
      ...page,
      sort,
    },
    result: z.looseObject({ jetton_transfers: z.nullable(z.array(jettonTransfer)), ...books }),
  }),
  jettonBurns: v3Get({
    path: '/jetton/burns',
    category,
    purpose: 'Jetton burns by owner, jetton wallet, jetton or time.',
    parameters: {
      address: list(address('Owners of the wallets involved.')),
      jetton_wallet: list(address('The wallets involved.')),
      jetton_master: address('The jetton.'),
      ...ranges,
      ...page,
      sort,
    },
    result: z.looseObject({ jetton_burns: z.nullable(z.array(jettonBurn)), ...books }),
  }),
};
