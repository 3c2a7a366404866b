import * as z from 'zod';
import { openObject } from '../../api/openObject';
import { v3Books } from '../../api/v3Objects';
import { v3NftCollection, v3NftItem, v3NftTransfer, v3NftSale } from '../../api/v3Tokens';
import { v3Get } from '../endpoint/endpoint';
import { address, choice, flag, list, required, text } from '../endpoint/parameter';
import { limit, offset, page, ranges, sort } from './common';

const category = 'NFTs';

export const v3Nfts = {
  nftCollections: v3Get({
    path: '/nft/collections',
    category,
    purpose: 'NFT collections by address or owner.',
    parameters: {
      collection_address: list(address('The collections.'), 1024),
      owner_address: list(address('Their owners.'), 1024),
      ...page,
    },
    result: openObject({ nft_collections: z.array(v3NftCollection), ...v3Books }),
  }),
  nftItems: v3Get({
    path: '/nft/items',
    category,
    purpose: 'NFT items by address, owner, collection, or index.',
    parameters: {
      address: list(address('The items.'), 1000),
      owner_address: list(address('Their owners.'), 1000),
      collection_address: list(address('Their collections; more than one needs exactly one owner.')),
      index: list(text('Indexes in the collection, in decimal digits.', { pattern: /^\d+$/ })),
      include_on_sale: flag('Include items that are on sale; needs owner_address.', { default: false }),
      sort_by_last_transaction_lt: flag('Most recently changed first.'),
      limit,
      offset,
    },
    result: openObject({ nft_items: z.array(v3NftItem), ...v3Books }),
  }),
  nftTransfers: v3Get({
    path: '/nft/transfers',
    category,
    purpose: 'NFT transfers by owner, item, collection, or time.',
    parameters: {
      owner_address: list(address('Old or new owners.')),
      item_address: list(address('The items.')),
      collection_address: address('The collection.'),
      direction: choice('in or out, as seen from the owner; only with owner_address.', ['in', 'out']),
      ...ranges,
      ...page,
      sort,
    },
    result: openObject({ nft_transfers: z.array(v3NftTransfer), ...v3Books }),
  }),
  nftSales: v3Get({
    path: '/nft/sales',
    category,
    purpose: 'Sale and auction contracts of NFTs.',
    parameters: { address: required(list(address('The sale or auction contracts.'), 1000)) },
    result: openObject({ nft_sales: z.array(v3NftSale), ...v3Books }),
  }),
};
