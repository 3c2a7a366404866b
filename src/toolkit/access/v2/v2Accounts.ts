import * as z from 'zod';
import { amountNumber, bigNumber, friendlyAddressValue, hashValue, hexValue } from '../../api/wire';
import { v2Read } from '../endpoint/endpoint';
import { address, integer, required, text } from '../endpoint/parameter';
import {
  v2AccountAddress,
  v2AccountInformation,
  v2AccountStateWord,
  v2BlockIdExt,
  v2ExtraCurrency,
  v2TransactionId,
  v2TvmCell,
  v2Type,
} from '../../api/v2Objects';

const category = 'Accounts';

const account = required(address('The account.'));
const seqno = integer('Masterchain block to read the state at; the newest by default.', { minimum: 1 });

/** By `@type`: raw has code and data, wallets have wallet_id and seqno, an empty account only frozen_hash. */
const accountState = z.looseObject({
  ...v2Type,
  code: z.optional(z.string()),
  data: z.optional(z.string()),
  frozen_hash: z.optional(hashValue),
  /** A JSON number, or text if it does not fit 53 bits. */
  wallet_id: z.optional(amountNumber),
  seqno: z.optional(z.number()),
});

/** Content of a token: a URL, or the fields themselves. */
const tokenContent = z.looseObject({ type: z.optional(z.string()), data: z.optional(z.unknown()) });

const tokenFields = { ...v2Type, address: z.optional(friendlyAddressValue) };

/** Distinguished by contract_type. */
const tokenData = z.discriminatedUnion('contract_type', [
  z.looseObject({
    ...tokenFields,
    contract_type: z.literal('jetton_master'),
    /** In the jetton's smallest unit. */
    total_supply: bigNumber,
    mintable: z.boolean(),
    admin_address: z.nullish(friendlyAddressValue),
    jetton_content: z.optional(tokenContent),
    jetton_wallet_code: z.optional(z.string()),
  }),
  z.looseObject({
    ...tokenFields,
    contract_type: z.literal('jetton_wallet'),
    balance: bigNumber,
    owner: friendlyAddressValue,
    jetton: friendlyAddressValue,
    mintless_is_claimed: z.nullish(z.boolean()),
    jetton_wallet_code: z.optional(z.string()),
  }),
  z.looseObject({
    ...tokenFields,
    contract_type: z.literal('nft_collection'),
    next_item_index: bigNumber,
    owner_address: z.nullish(friendlyAddressValue),
    collection_content: z.optional(tokenContent),
  }),
  z.looseObject({
    ...tokenFields,
    contract_type: z.literal('nft_item'),
    init: z.boolean(),
    index: bigNumber,
    collection_address: z.nullish(friendlyAddressValue),
    owner_address: z.nullish(friendlyAddressValue),
    content: z.optional(z.unknown()),
  }),
]);

export const v2Accounts = {
  getAddressInformation: v2Read({
    path: '/getAddressInformation',
    category,
    purpose: 'Balance, code, data, and last transaction of an account.',
    parameters: { address: account, seqno },
    result: v2AccountInformation,
  }),
  getExtendedAddressInformation: v2Read({
    path: '/getExtendedAddressInformation',
    category,
    purpose: 'An account, with its state decoded if it is a known contract.',
    parameters: { address: account, seqno },
    result: z.looseObject({
      ...v2Type,
      address: z.optional(v2AccountAddress),
      /** Nanocoins. */
      balance: bigNumber,
      extra_currencies: z.optional(z.array(v2ExtraCurrency)),
      last_transaction_id: v2TransactionId,
      block_id: z.optional(v2BlockIdExt),
      /** Unix seconds. */
      sync_utime: z.optional(z.number()),
      account_state: accountState,
      revision: z.optional(z.number()),
    }),
  }),
  getWalletInformation: v2Read({
    path: '/getWalletInformation',
    category,
    purpose: 'Whether an account is a known wallet, with its seqno and wallet id.',
    parameters: { address: account, seqno },
    result: z.looseObject({
      ...v2Type,
      wallet: z.boolean(),
      /** Nanocoins. */
      balance: bigNumber,
      account_state: v2AccountStateWord,
      last_transaction_id: v2TransactionId,
      /** Such as `wallet v5 r1`. */
      wallet_type: z.nullish(z.string()),
      seqno: z.nullish(z.number()),
      wallet_id: z.nullish(z.number()),
      /** Only for v5 wallets. */
      is_signature_allowed: z.nullish(z.boolean()),
    }),
  }),
  getAddressBalance: v2Read({
    path: '/getAddressBalance',
    category,
    purpose: 'Balance of an account in nanocoins.',
    parameters: { address: account, seqno },
    result: bigNumber,
  }),
  getAddressState: v2Read({
    path: '/getAddressState',
    category,
    purpose: 'Whether an account is uninitialized, active, or frozen.',
    parameters: { address: account, seqno },
    result: v2AccountStateWord,
  }),
  getTokenData: v2Read({
    path: '/getTokenData',
    category,
    purpose: 'What a jetton master, jetton wallet, NFT collection, or NFT item says about itself.',
    parameters: { address: account },
    result: tokenData,
  }),
  getShardAccountCell: v2Read({
    path: '/getShardAccountCell',
    category,
    purpose: 'The whole shard account (state, last transaction) as a cell.',
    parameters: { address: account, seqno },
    result: v2TvmCell,
    isUndescribed: true,
  }),
  dnsResolve: v2Read({
    path: '/dnsResolve',
    category,
    purpose: 'Resolves a TON DNS name on the chain; only services newer than version 2.1.13 have it.',
    parameters: {
      address: required(address('Resolver to start at: the root is in configuration parameter 4.')),
      name: text('The name, such as foundation.ton.'),
      category: text('Category of the records; services read it but answer with all.'),
      ttl: integer('Maximum number of further resolvers to ask; 0 by default.', { minimum: 0 }),
      seqno,
    },
    result: z.looseObject({
      ...v2Type,
      entries: z.array(
        z.looseObject({
          ...v2Type,
          name: z.string(),
          category: z.optional(hashValue),
          /** By `@type`, `dns.entryData…`. */
          entry: z.looseObject({
            ...v2Type,
            resolver: z.optional(v2AccountAddress),
            smc_address: z.optional(v2AccountAddress),
            adnl_address: z.optional(z.looseObject({ ...v2Type, adnl_address: z.optional(hexValue) })),
            bag_id: z.optional(hashValue),
            text: z.optional(z.unknown()),
            bytes: z.optional(z.unknown()),
          }),
        }),
      ),
    }),
    isUndescribed: true,
  }),
};
