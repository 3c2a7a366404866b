import * as z from 'zod';
import { openObject } from '../../api/openObject';
import { v3DnsRecord, v3DnsAuction } from '../../api/v3Contracts';
import { v3Books } from '../../api/v3Objects';
import { v3Get } from '../endpoint/endpoint';
import { address, choice, flag, integer, required, text } from '../endpoint/parameter';
import { offset } from './common';

const category = 'Dns';

const limit = integer('Maximum number of rows.', { minimum: 1, usualMaximum: 1000, default: 100 });

export const v3Dns = {
  dnsRecords: v3Get({
    path: '/dns/records',
    category,
    purpose: 'TON DNS records by name or by the wallet they point to: exactly one of the two.',
    parameters: {
      wallet: address('The wallet the records point to.'),
      domain: text('The name, such as foundation.ton.'),
      limit,
      offset,
    },
    result: openObject({ records: z.array(v3DnsRecord), ...v3Books }),
  }),
  dnsActiveAuctions: v3Get({
    path: '/dns/activeAuctions',
    category,
    purpose: 'TON DNS auctions that a bidder leads.',
    parameters: {
      bidder: required(address('The leading bidders.')),
      state: choice('The domains.', ['all', 'won', 'bidding'], { open: true, default: 'all' }),
      include_nft_items: flag('Include the NFT items.', { default: false }),
      after: text('next_cursor of the previous answer; replaces offset.'),
      limit,
      offset,
    },
    result: openObject({
      auctions: z.array(v3DnsAuction),
      next_cursor: z.string(),
      ...v3Books,
    }),
  }),
};
