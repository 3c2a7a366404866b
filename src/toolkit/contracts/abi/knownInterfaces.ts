import type { AbiType } from './abiType';
import type { GetMethodSignature } from './getMethodSignature';
import { tokenize, TokenReader } from './tokenize';
import { readTolkType } from './readTolkType';

/** An interface that many contracts have. */
export interface KnownInterface {
  /** Short, in the field's words: `jetton minter`. */
  name: string;
  /** Where it is specified. */
  source: string;
  methods: readonly GetMethodSignature[];
}

/** One row: name, source, and the get-methods in Tolk's notation; result fields are named. */
type Row = [name: string, source: string, methods: readonly string[]];

const rows: readonly Row[] = [
  [
    'wallet',
    'wallet contracts v3 to v5',
    ['seqno(): int', 'get_public_key(): uint256', 'get_subwallet_id(): int'],
  ],
  [
    'wallet v4',
    'wallet contract v4',
    [
      'is_plugin_installed(wc: int, addr_hash: uint256): bool',
      'get_plugin_list(): lisp_list<[int, uint256]>',
    ],
  ],
  ['wallet v5', 'wallet contract v5', ['is_signature_allowed(): bool', 'get_extensions(): dict']],
  [
    'jetton minter',
    'TEP-74, TEP-89',
    [
      'get_jetton_data(): (total_supply: int, mintable: bool, admin_address: address, jetton_content: cell, jetton_wallet_code: cell)',
      'get_wallet_address(owner_address: address): (jetton_wallet_address: address)',
      'get_next_admin_address(): (next_admin_address: address)',
    ],
  ],
  [
    'jetton wallet',
    'TEP-74',
    [
      'get_wallet_data(): (balance: int, owner_address: address, jetton_master_address: address, jetton_wallet_code: cell)',
      'get_status(): (status: int)',
    ],
  ],
  [
    'NFT item',
    'TEP-62',
    [
      'get_nft_data(): (init: bool, index: int, collection_address: address, owner_address: address, individual_content: cell)',
      'get_editor(): (editor_address: address)',
    ],
  ],
  [
    'NFT collection',
    'TEP-62, TEP-66',
    [
      'get_collection_data(): (next_item_index: int, collection_content: cell, owner_address: address)',
      'get_nft_address_by_index(index: int): (nft_address: address)',
      'get_nft_content(index: int, individual_content: cell): (full_content: cell)',
      'royalty_params(): (numerator: int, denominator: int, destination: address)',
    ],
  ],
  [
    'SBT item',
    'TEP-85',
    ['get_authority_address(): (authority_address: address)', 'get_revoked_time(): (revoked_at: int)'],
  ],
  [
    'DNS',
    'TEP-81',
    [
      'dnsresolve(subdomain: slice, category: uint256): (resolved_bits: int, record: cell?)',
      'get_domain(): (domain: slice)',
      'get_auction_info(): (max_bid_address: address, max_bid_amount: coins, auction_end_time: int)',
      'get_last_fill_up_time(): (last_fill_up_time: int)',
    ],
  ],
  [
    'multisig v2',
    'multisig contract v2',
    [
      'get_multisig_data(): (next_order_seqno: int, threshold: int, signers: dict, proposers: dict)',
      'get_order_address(order_seqno: uint256): (order_address: address)',
      'get_order_estimate(order: cell, expiration_date: int): (inner_value: coins)',
    ],
  ],
  [
    'multisig order',
    'multisig contract v2',
    [
      'get_order_data(): (multisig_address: address, order_seqno: int, threshold: int, sent_for_execution: bool?, signers: dict, approvals_mask: int?, approvals_num: int?, expiration_date: int?, order: cell?)',
    ],
  ],
  [
    'multisig v1',
    'multisig contract v1',
    [
      'processed?(query_id: int): (state: int)',
      'create_init_state(wallet_id: int, n: int, k: int, owners_info: cell, spend_delay: int): (state: cell)',
      'get_query_state(query_id: int): (state: int, mask: int)',
      'get_public_keys(): (public_keys: dict)',
      'merge_inner_queries(a: cell, b: cell): (merged: cell)',
      'messages_unsigned(): (list: dict)',
      'messages_unsigned_by_id(id: int): (list: dict)',
    ],
  ],
  [
    'vesting wallet',
    'vesting contract',
    [
      'get_vesting_data(): (vesting_start_time: int, vesting_total_duration: int, unlock_period: int, cliff_duration: int, vesting_total_amount: coins, vesting_sender_address: address, owner_address: address, whitelist: dict)',
      'get_locked_amount(at_time: int): (locked_amount: coins)',
      'is_whitelisted(addr: address): bool',
      'get_whitelist(): lisp_list<[int, uint256]>',
    ],
  ],
  [
    'highload wallet v3',
    'highload wallet v3',
    [
      'get_timeout(): (timeout: int)',
      'get_last_clean_time(): (last_clean_time: int)',
      'processed?(query_id: int, need_clean: bool): bool',
    ],
  ],
  [
    'highload wallet v2',
    'highload wallet v2',
    ['get_last_cleaned(): (last_cleaned: int)', 'processed?(query_id: int): (state: int)'],
  ],
  [
    'elector',
    'elector contract',
    [
      'active_election_id(): (election_id: int)',
      'participates_in(public_key: uint256): (stake: coins)',
      'compute_returned_stake(wallet_addr: uint256): (stake: coins)',
      'get_chain_signature(): unknown',
    ],
  ],
];

/** The well-known interfaces with their get-methods. */
export const knownInterfaces: readonly KnownInterface[] = rows.map(([name, source, methods]) => ({
  name,
  source,
  methods: methods.map(readRow),
}));

/** The get-methods of that name in the known interfaces; several if interfaces share a name. */
export function knownMethods(name: string): { method: GetMethodSignature; interfaceName: string }[] {
  return knownInterfaces.flatMap(({ name: interfaceName, methods }) =>
    methods.filter((method) => method.name === name).map((method) => ({ method, interfaceName })),
  );
}

/** The interfaces whose essential methods a contract all has, given its methods' names. */
export function interfacesByMethods(methodNames: ReadonlySet<string>): string[] {
  return essentials
    .filter(
      ([, names, without]) => names.every((name) => methodNames.has(name)) && !methodNames.has(without ?? ''),
    )
    .map(([name]) => name);
}

/** Distinguishing features: required methods, and one that must be absent. */
const essentials: readonly (readonly [name: string, methods: readonly string[], without?: string])[] = [
  ['jetton minter', ['get_jetton_data', 'get_wallet_address']],
  ['jetton wallet', ['get_wallet_data']],
  ['NFT item', ['get_nft_data']],
  ['NFT collection', ['get_collection_data', 'get_nft_address_by_index']],
  ['SBT item', ['get_nft_data', 'get_authority_address']],
  ['DNS', ['dnsresolve']],
  ['multisig v2', ['get_multisig_data', 'get_order_address']],
  ['multisig order', ['get_order_data']],
  ['multisig v1', ['get_query_state', 'get_public_keys']],
  ['vesting wallet', ['get_vesting_data', 'get_locked_amount']],
  ['highload wallet v3', ['processed?', 'get_timeout', 'get_last_clean_time']],
  ['highload wallet v2', ['processed?', 'get_public_key'], 'get_timeout'],
  ['elector', ['active_election_id', 'participates_in']],
  ['wallet v5', ['seqno', 'is_signature_allowed', 'get_extensions']],
  ['wallet v4', ['seqno', 'get_plugin_list']],
  ['wallet', ['seqno', 'get_public_key']],
];

/** `name(a: T, b: U): R`; R in brackets with names is a struct of these fields. */
function readRow(text: string): GetMethodSignature {
  const open = text.indexOf('(');
  const reader = new TokenReader(tokenize(text.slice(open), 'tolk'));
  reader.expect('(');
  const parameters = readNamed(reader);
  reader.expect(':');
  let result: AbiType;
  if (reader.take('(')) {
    const fields = readNamed(reader);
    const [only] = fields;
    result = fields.length === 1 && only !== undefined ? only.type : { kind: 'struct', name: '', fields };
  } else {
    result = readTolkType(reader);
  }
  return { name: text.slice(0, open), parameters, result, origin: 'known interface' };
}

function readNamed(reader: TokenReader): { name: string; type: AbiType }[] {
  return reader.list(')', () => {
    const { text: name } = reader.name();
    reader.expect(':');
    return { name, type: readTolkType(reader) };
  });
}
