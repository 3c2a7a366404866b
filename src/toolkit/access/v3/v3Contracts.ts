import * as z from 'zod';
import { openObject } from '../../api/openObject';
import {
  v3DnsAuction,
  v3DnsRecord,
  v3MultisigOrder,
  v3MultisigWallet,
  v3VestingContract,
} from '../../api/v3Contracts';
import { v3Books } from '../../api/v3Objects';
import { v3Get } from '../endpoint/endpoint';
import { address, choice, flag, integer, list, required, text } from '../endpoint/parameter';
import { offset, page, sort } from './common';

const dnsLimit = integer('Maximum number of rows.', { minimum: 1, usualMaximum: 1000, default: 100 });
const multisigLimit = integer('Maximum number of rows.', { minimum: 1, usualMaximum: 1024, default: 10 });

export const v3Contracts = {
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
