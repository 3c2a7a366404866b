import * as z from 'zod';
import {
  openObject,
  v3AccountBalance,
  v3AccountStateFull,
  v3AddressBook,
  v3Books,
  v3Metadata,
  v3WalletState,
} from '../../api/v3Objects';
import {
  v3DnsAuction,
  v3DnsRecord,
  v3JettonBurn,
  v3JettonMaster,
  v3JettonTransfer,
  v3JettonWalletList,
  v3MultisigOrder,
  v3MultisigWallet,
  v3NftCollection,
  v3NftItem,
  v3NftSale,
  v3NftTransfer,
  v3VestingContract,
} from '../../api/v3Tokens';
import type { Endpoint } from '../endpoint/endpoint';
import { v3Get } from '../endpoint/endpoint';
import { address, boc, choice, flag, integer, list, opcode, required, text } from '../endpoint/parameter';
import { v3Blockchain } from './v3Blockchain';
import { v3Mirrored } from './v3Mirrored';
import { v3Staking } from './v3Staking';
import { limit, offset, page, ranges, sort, v3Traces } from './v3Traces';
import { v3Validators } from './v3Validators';

const v3Tokens = {
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

const dnsLimit = integer('Maximum number of rows.', { minimum: 1, usualMaximum: 1000, default: 100 });
const multisigLimit = integer('Maximum number of rows.', { minimum: 1, usualMaximum: 1024, default: 10 });

const v3Contracts = {
  dnsRecords: v3Get({
    path: '/dns/records',
    category: 'Dns',
    purpose: 'TON DNS records by name or by the wallet they point to: exactly one of the two.',
    parameters: {
      wallet: address('The wallet the records point to.'),
      domain: text('The name, such as foundation.ton.'),
      limit: dnsLimit,
      offset,
    },
    result: openObject({ records: z.array(v3DnsRecord), ...v3Books }),
  }),
  dnsActiveAuctions: v3Get({
    path: '/dns/activeAuctions',
    category: 'Dns',
    purpose: 'TON DNS auctions that a bidder leads.',
    parameters: {
      bidder: required(address('The leading bidders.')),
      state: choice('The domains.', ['all', 'won', 'bidding'], { open: true, default: 'all' }),
      include_nft_items: flag('Include the NFT items.', { default: false }),
      after: text('next_cursor of the previous answer; replaces offset.'),
      limit: dnsLimit,
      offset,
    },
    result: openObject({
      auctions: z.array(v3DnsAuction),
      next_cursor: z.string(),
      ...v3Books,
    }),
  }),
  multisigWallets: v3Get({
    path: '/multisig/wallets',
    category: 'Multisig',
    purpose: 'Multisig contracts, by address or by a signing or proposing wallet: one of the two.',
    parameters: {
      address: list(address('The multisig contracts.')),
      wallet_address: list(address('Signers or proposers.')),
      include_orders: flag('Include their orders.', { default: true }),
      limit: multisigLimit,
      offset,
      sort,
    },
    result: openObject({ multisigs: z.array(v3MultisigWallet), ...v3Books }),
  }),
  multisigOrders: v3Get({
    path: '/multisig/orders',
    category: 'Multisig',
    purpose: 'Orders of multisig contracts, by address or by contract: one of the two.',
    parameters: {
      address: list(address('The orders.')),
      multisig_address: list(address('Their multisig contracts.')),
      parse_actions: flag('Include what each order would do.', { default: false }),
      limit: multisigLimit,
      offset,
      sort,
    },
    result: openObject({ orders: z.array(v3MultisigOrder), ...v3Books }),
  }),
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

const category = 'Accounts';

const v3Accounts = {
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

const parameters = {
  opcodes: list(opcode('Operation codes to decode.'), 1000),
  bodies: list(boc('Message bodies as BoCs, base64 or hex.'), 1000),
};

const result = openObject({
  /** Names in the requested order; an unknown code is returned as text. */
  opcodes: z.array(z.string()),
  /** In the requested order: `@type` and fields, or an `error`. */
  bodies: z.array(z.unknown()),
});

const v3Decode = {
  decode: {
    layer: 'v3',
    methods: ['GET', 'POST'],
    path: '/decode',
    category: 'Utils',
    purpose: 'Decodes operation codes and message bodies that the service knows.',
    parameters,
    result,
  } satisfies Endpoint,
};

const v3Stats = {
  topAccountsByBalance: v3Get({
    path: '/topAccountsByBalance',
    category: 'Stats',
    purpose: 'The accounts with the largest balances.',
    parameters: page,
    /** Balances in nanocoins. */
    result: z.array(v3AccountBalance),
  }),
};

/** Every endpoint of API v3; the name is the path in one word: `/jetton/wallets` is `jettonWallets`. */
export const v3Endpoints = {
  ...v3Accounts,
  ...v3Traces,
  ...v3Blockchain,
  ...v3Tokens,
  ...v3Contracts,
  ...v3Stats,
  ...v3Decode,
  ...v3Staking,
  ...v3Validators,
  ...v3Mirrored,
};
