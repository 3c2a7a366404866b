import { getMethodId } from '@ton/core';

/** Method names that many contracts share; an id alone does not reveal its name. */
const names = [
  'seqno',
  'get_subwallet_id',
  'get_public_key',
  'is_plugin_installed',
  'get_plugin_list',
  'get_extensions',
  'is_signature_allowed',
  'get_jetton_data',
  'get_wallet_address',
  'get_wallet_data',
  'get_nft_data',
  'get_collection_data',
  'get_nft_address_by_index',
  'get_nft_content',
  'royalty_params',
  'get_authority_address',
  'get_revoked_time',
  'dnsresolve',
  'get_editor',
  'get_domain',
  'get_auction_info',
  'get_last_fill_up_time',
  'get_sale_data',
  'get_multisig_data',
  'get_order_address',
  'get_order_data',
  'get_pool_data',
  'get_pool_full_data',
  'get_next_admin_address',
  'supported_interfaces',
];

let byId: ReadonlyMap<number, string> | undefined;

/** The name with this id, if many contracts use it. */
export function knownMethodName(id: number): string | undefined {
  byId ??= new Map(names.map((name) => [getMethodId(name), name]));
  return byId.get(id);
}
