import * as z from 'zod';
import { openObject } from '../../api/openObject';
import { v3Books } from '../../api/v3Objects';
import {
  v3JettonBurn,
  v3JettonMaster,
  v3JettonTransfer,
  v3JettonWalletList,
  v3NftCollection,
  v3NftItem,
  v3NftSale,
  v3NftTransfer,
} from '../../api/v3Tokens';
import { v3Get } from '../endpoint/endpoint';
import { address, choice, flag, list, required, text } from '../endpoint/parameter';
import { limit, offset, page, ranges, sort } from './common';

export const v3Tokens = {
  jettonMasters: v3Get({
    path: '/jetton/masters',
    category: 'Jettons',
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
    category: 'Jettons',
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
    category: 'Jettons',
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
    category: 'Jettons',
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
  nftCollections: v3Get({
    path: '/nft/collections',
    category: 'NFTs',
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
    category: 'NFTs',
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
    category: 'NFTs',
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
    category: 'NFTs',
    purpose: 'Sale and auction contracts of NFTs.',
    parameters: { address: required(list(address('The sale or auction contracts.'), 1000)) },
    result: openObject({ nft_sales: z.array(v3NftSale), ...v3Books }),
  }),
};
