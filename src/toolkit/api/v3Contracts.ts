import * as z from 'zod';
import { openObject } from './openObject';
import { v3NftItem } from './v3Tokens';
import { addressValue, bigNumber, hashValue, hexValue, numberText } from './wire';

/** DNS, multisig and vesting contracts in v3 answers. */

export const v3DnsRecord = openObject({
  nft_item_address: addressValue,
  nft_item_owner: addressValue,
  domain: z.string(),
  dns_next_resolver: addressValue,
  dns_wallet: addressValue,
  /** Hex. */
  dns_site_adnl: hexValue,
  dns_storage_bag_id: hexValue,
});

export const v3DnsAuction = openObject({
  domain: z.string(),
  nft_item_address: addressValue,
  /** Nanocoins. */
  max_bid_amount: bigNumber,
  max_bid_address: addressValue,
  /** Unix seconds. */
  auction_end_time: numberText,
  last_fill_up_time: numberText,
  finished: z.boolean(),
  nft_item: v3NftItem,
});

export const v3MultisigOrderAction = openObject({
  /** The parts that could not be read. */
  error: z.string(),
  parsed: z.boolean(),
  destination: addressValue,
  send_mode: z.number(),
  /** Nanocoins. */
  value: bigNumber,
  body_raw: z.unknown(),
  parsed_body: z.unknown(),
  parsed_body_type: z.string(),
});

export const v3MultisigOrder = openObject({
  address: addressValue,
  multisig_address: addressValue,
  order_seqno: bigNumber,
  threshold: z.number(),
  sent_for_execution: z.boolean(),
  approvals_mask: z.string(),
  approvals_num: z.number(),
  /** Unix seconds. */
  expiration_date: z.number(),
  /** BoC in base64. */
  order_boc: z.string(),
  signers: z.array(addressValue),
  last_transaction_lt: bigNumber,
  code_hash: hashValue,
  data_hash: hashValue,
  actions: z.array(v3MultisigOrderAction),
});

export const v3MultisigWallet = openObject({
  address: addressValue,
  next_order_seqno: bigNumber,
  threshold: z.number(),
  signers: z.array(addressValue),
  proposers: z.array(addressValue),
  last_transaction_lt: bigNumber,
  code_hash: hashValue,
  data_hash: hashValue,
  orders: z.array(v3MultisigOrder),
});

export const v3VestingContract = openObject({
  address: addressValue,
  owner_address: addressValue,
  sender_address: addressValue,
  /** Unix seconds. */
  start_time: z.number(),
  /** Seconds. */
  total_duration: z.number(),
  unlock_period: z.number(),
  cliff_duration: z.number(),
  /** Nanocoins. */
  total_amount: bigNumber,
  whitelist: z.array(addressValue),
});

export type V3DnsRecord = z.output<typeof v3DnsRecord>;
export type V3MultisigOrderAction = z.output<typeof v3MultisigOrderAction>;
export type V3MultisigOrder = z.output<typeof v3MultisigOrder>;
