import * as z from 'zod';
import { openObject } from './openObject';
import { v3Books } from './v3Objects';
import { addressValue, bigNumber, hashValue } from './wire';

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
