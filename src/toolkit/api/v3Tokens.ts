import * as z from 'zod';
import { openObject, v3Books } from './v3Objects';
import { addressValue, bigNumber, hashValue, hexValue, numberText } from './wire';

/** Jettons and NFTs in v3 answers. */

export const v3JettonMaster = openObject({
  address: addressValue,
  /** In the jetton's smallest unit. */
  total_supply: bigNumber,
  mintable: z.boolean(),
  admin_address: addressValue,
  jetton_content: z.record(z.string(), z.unknown()),
  jetton_wallet_code_hash: hashValue,
  code_hash: hashValue,
  data_hash: hashValue,
  last_transaction_lt: bigNumber,
});

export const v3JettonWallet = openObject({
  address: addressValue,
  /** In the jetton's smallest unit. */
  balance: bigNumber,
  owner: addressValue,
  jetton: addressValue,
  last_transaction_lt: bigNumber,
  code_hash: hashValue,
  data_hash: hashValue,
  mintless_info: openObject({
    amount: bigNumber,
    /** Unix seconds. */
    start_from: z.number(),
    expire_at: z.number(),
    custom_payload_api_uri: z.array(z.string()),
  }),
});

/** The answer of `/jetton/wallets`. */
export const v3JettonWalletList = openObject({ jetton_wallets: z.array(v3JettonWallet), ...v3Books });

/** Fields shared by jetton transfers and burns. */
const movement = {
  query_id: bigNumber,
  /** In the jetton's smallest unit. */
  amount: bigNumber,
  jetton_master: addressValue,
  transaction_hash: hashValue,
  transaction_lt: bigNumber,
  /** Unix seconds. */
  transaction_now: z.number(),
  transaction_aborted: z.boolean(),
  response_destination: addressValue,
  /** BoC in base64. */
  custom_payload: z.string(),
  decoded_custom_payload: z.unknown(),
  trace_id: hashValue,
};

export const v3JettonTransfer = openObject({
  ...movement,
  source: addressValue,
  destination: addressValue,
  source_wallet: addressValue,
  /** Nanocoins. */
  forward_ton_amount: bigNumber,
  /** BoC in base64. */
  forward_payload: z.string(),
  decoded_forward_payload: z.unknown(),
});

export const v3JettonBurn = openObject({
  ...movement,
  owner: addressValue,
  jetton_wallet: addressValue,
});

export const v3NftCollection = openObject({
  address: addressValue,
  owner_address: addressValue,
  last_transaction_lt: bigNumber,
  next_item_index: bigNumber,
  collection_content: z.record(z.string(), z.unknown()),
  data_hash: hashValue,
  code_hash: hashValue,
});

export const v3NftItem = openObject({
  address: addressValue,
  init: z.boolean(),
  index: bigNumber,
  collection_address: addressValue,
  owner_address: addressValue,
  content: z.record(z.string(), z.unknown()),
  last_transaction_lt: bigNumber,
  code_hash: hashValue,
  data_hash: hashValue,
  collection: v3NftCollection,
  on_sale: z.boolean(),
  sale_contract_address: addressValue,
  auction_contract_address: addressValue,
  /** The seller, while owner_address is the sale contract. */
  real_owner: addressValue,
});

export const v3NftTransfer = openObject({
  query_id: bigNumber,
  nft_address: addressValue,
  nft_collection: addressValue,
  transaction_hash: hashValue,
  transaction_lt: bigNumber,
  /** Unix seconds. */
  transaction_now: z.number(),
  transaction_aborted: z.boolean(),
  old_owner: addressValue,
  new_owner: addressValue,
  response_destination: addressValue,
  /** BoC in base64. */
  custom_payload: z.string(),
  decoded_custom_payload: z.unknown(),
  /** Nanocoins. */
  forward_amount: bigNumber,
  /** BoC in base64. */
  forward_payload: z.string(),
  decoded_forward_payload: z.unknown(),
  trace_id: hashValue,
});

/** Details of sales and auctions that are converted when sent: for encoders. */
export const v3NftSaleDetails = openObject({
  full_price: bigNumber,
  marketplace_fee_address: addressValue,
  marketplace_fee: bigNumber,
  royalty_address: addressValue,
  royalty_amount: bigNumber,
  last_bid: bigNumber,
  last_member: addressValue,
  min_step: bigNumber,
  max_bid: bigNumber,
  min_bid: bigNumber,
  mp_fee_address: addressValue,
  mp_fee_factor: bigNumber,
  mp_fee_base: bigNumber,
  royalty_fee_address: addressValue,
  royalty_fee_factor: bigNumber,
  royalty_fee_base: bigNumber,
});

export const v3NftSale = openObject({
  address: addressValue,
  type: z.string(),
  nft_address: addressValue,
  nft_owner_address: addressValue,
  marketplace_address: addressValue,
  /** Unix seconds. */
  created_at: z.number(),
  last_transaction_lt: bigNumber,
  code_hash: hashValue,
  data_hash: hashValue,
  /** By type, as sent. */
  details: z.unknown(),
  nft_item: v3NftItem,
});

export type V3NftSaleDetails = z.output<typeof v3NftSaleDetails>;
export type V3JettonMaster = z.output<typeof v3JettonMaster>;
export type V3JettonWallet = z.output<typeof v3JettonWallet>;
export type V3JettonTransfer = z.output<typeof v3JettonTransfer>;
export type V3JettonBurn = z.output<typeof v3JettonBurn>;
export type V3NftCollection = z.output<typeof v3NftCollection>;
export type V3NftItem = z.output<typeof v3NftItem>;
export type V3NftTransfer = z.output<typeof v3NftTransfer>;

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
