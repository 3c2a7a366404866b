import * as z from 'zod';
import { addressValue, bigNumber, hashValue } from '../../api/wire';
import { v3Get } from '../endpoint';
import { address, choice, flag, list, required, text } from '../parameter';
import { limit, offset, page, ranges, sort } from './common';
import { books } from '../../api/v3Objects';

const category = 'NFTs';

const nftCollection = z.looseObject({
  address: addressValue,
  owner_address: z.nullish(addressValue),
  last_transaction_lt: z.nullish(bigNumber),
  next_item_index: z.nullish(bigNumber),
  collection_content: z.nullish(z.record(z.string(), z.unknown())),
  data_hash: z.nullish(hashValue),
  code_hash: z.nullish(hashValue),
});

/** An NFT item. */
export const nftItem = z.looseObject({
  address: addressValue,
  init: z.nullish(z.boolean()),
  index: z.nullish(bigNumber),
  collection_address: z.nullish(addressValue),
  owner_address: z.nullish(addressValue),
  content: z.nullish(z.record(z.string(), z.unknown())),
  last_transaction_lt: z.nullish(bigNumber),
  code_hash: z.nullish(hashValue),
  data_hash: z.nullish(hashValue),
  collection: z.nullish(nftCollection),
  on_sale: z.nullish(z.boolean()),
  sale_contract_address: z.nullish(addressValue),
  auction_contract_address: z.nullish(addressValue),
  /** Who sells it, while owner_address is the sale contract. */
  real_owner: z.nullish(addressValue),
});

const nftTransfer = z.looseObject({
  query_id: z.nullish(bigNumber),
  nft_address: addressValue,
  nft_collection: z.nullish(addressValue),
  transaction_hash: hashValue,
  transaction_lt: bigNumber,
  /** Unix seconds. */
  transaction_now: z.number(),
  transaction_aborted: z.nullish(z.boolean()),
  old_owner: z.nullish(addressValue),
  new_owner: z.nullish(addressValue),
  response_destination: z.nullish(addressValue),
  /** BoC in base64. */
  custom_payload: z.nullish(z.string()),
  decoded_custom_payload: z.optional(z.unknown()),
  /** Nanocoins. */
  forward_amount: z.nullish(bigNumber),
  /** BoC in base64. */
  forward_payload: z.nullish(z.string()),
  decoded_forward_payload: z.optional(z.unknown()),
  trace_id: z.nullish(hashValue),
});

const nftSale = z.looseObject({
  address: addressValue,
  type: z.nullish(z.string()),
  nft_address: z.nullish(addressValue),
  nft_owner_address: z.nullish(addressValue),
  marketplace_address: z.nullish(addressValue),
  /** Unix seconds. */
  created_at: z.nullish(z.number()),
  last_transaction_lt: z.nullish(bigNumber),
  code_hash: z.nullish(hashValue),
  data_hash: z.nullish(hashValue),
  /** By type, as sent. */
  details: z.optional(z.unknown()),
  nft_item: z.nullish(nftItem),
});

export const nfts = {
  nftCollections: v3Get({
    path: '/nft/collections',
    category,
    purpose: 'NFT collections by address or owner.',
    parameters: {
      collection_address: list(address('The collections.'), 1024),
      owner_address: list(address('Their owners.'), 1024),
      ...page,
    },
    result: z.looseObject({ nft_collections: z.nullable(z.array(nftCollection)), ...books }),
  }),
  nftItems: v3Get({
    path: '/nft/items',
    category,
    purpose: 'NFT items by address, owner, collection or index.',
    parameters: {
      address: list(address('The items.'), 1000),
      owner_address: list(address('Their owners.'), 1000),
      collection_address: list(address('Their collections; more than one needs exactly one owner.')),
      index: list(text('Indexes inside the collection, decimal digits.', { pattern: /^\d+$/ })),
      include_on_sale: flag('With items that are on sale; needs owner_address.', { default: false }),
      sort_by_last_transaction_lt: flag('Last changed first.'),
      limit,
      offset,
    },
    result: z.looseObject({ nft_items: z.nullable(z.array(nftItem)), ...books }),
  }),
  nftTransfers: v3Get({
    path: '/nft/transfers',
    category,
    purpose: 'NFT transfers by owner, item, collection or time.',
    parameters: {
      owner_address: list(address('Old or new owners.')),
      item_address: list(address('The items.')),
      collection_address: address('The collection.'),
      direction: choice('in or out, seen from the owner; only with owner_address.', ['in', 'out']),
      ...ranges,
      ...page,
      sort,
    },
    result: z.looseObject({ nft_transfers: z.nullable(z.array(nftTransfer)), ...books }),
  }),
  nftSales: v3Get({
    path: '/nft/sales',
    category,
    purpose: 'Sale and auction contracts of NFTs.',
    parameters: { address: required(list(address('The sale or auction contracts.'), 1000)) },
    result: z.looseObject({ nft_sales: z.nullable(z.array(nftSale)), ...books }),
  }),
};
