import * as z from 'zod';
import { addressValue, bigNumber, numberText } from '../../api/wire';
import { v3Get } from '../endpoint';
import { address, choice, flag, integer, required, text } from '../parameter';
import { offset } from './common';
import { nftItem } from './nfts';
import { books } from '../../api/v3Objects';

const category = 'Dns';

const limit = integer('How many rows at most.', { minimum: 1, maximum: 1000, default: 100 });

const dnsRecord = z.looseObject({
  nft_item_address: z.nullish(addressValue),
  nft_item_owner: z.nullish(addressValue),
  domain: z.nullish(z.string()),
  dns_next_resolver: z.nullish(addressValue),
  dns_wallet: z.nullish(addressValue),
  /** Hex. */
  dns_site_adnl: z.nullish(z.string()),
  dns_storage_bag_id: z.nullish(z.string()),
});

const dnsAuction = z.looseObject({
  domain: z.nullish(z.string()),
  nft_item_address: z.nullish(addressValue),
  /** Nanocoins. */
  max_bid_amount: z.nullish(bigNumber),
  max_bid_address: z.nullish(addressValue),
  /** Unix seconds. */
  auction_end_time: z.nullish(numberText),
  last_fill_up_time: z.nullish(numberText),
  finished: z.nullish(z.boolean()),
  nft_item: z.nullish(nftItem),
});

export const dns = {
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
    result: z.looseObject({ records: z.nullable(z.array(dnsRecord)), ...books }),
  }),
  dnsActiveAuctions: v3Get({
    path: '/dns/activeAuctions',
    category,
    purpose: 'TON DNS auctions a bidder leads.',
    parameters: {
      bidder: required(address('Who leads the auctions.')),
      state: choice('Which ones.', ['all', 'won', 'bidding'], { open: true, default: 'all' }),
      include_nft_items: flag('With the NFT items.', { default: false }),
      after: text('Cursor: next_cursor of the answer before; instead of offset.'),
      limit,
      offset,
    },
    result: z.looseObject({
      auctions: z.nullable(z.array(dnsAuction)),
      next_cursor: z.nullish(z.string()),
      ...books,
    }),
  }),
};
