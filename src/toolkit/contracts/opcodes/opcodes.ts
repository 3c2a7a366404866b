/**
 * Layout of one field of a message body. `u8`…`u256` unsigned integers; `coins` VarUInteger 16; `jettons` the same,
 * in base units of a jetton; `address` MsgAddress; `bool` one bit; `ref` a cell; `maybeRef` (Maybe ^Cell);
 * `optionalRef` a cell if any remains; `either` (Either Cell ^Cell), the usual forward payload; `bits512` a
 * signature; `rest` the remainder; `text` a snake-form text; `maybeAddressRef` (Maybe ^MsgAddress).
 */
export type FieldType =
  | `u${number}`
  | 'coins'
  | 'jettons'
  | 'address'
  | 'bool'
  | 'ref'
  | 'maybeRef'
  | 'optionalRef'
  | 'either'
  | 'bits512'
  | 'rest'
  | 'text'
  | 'maybeAddressRef';

/** One known message. */
export interface Opcode {
  /** The service's name if it has one, so that both kinds of answers look the same. */
  name: string;
  /** Where the opcode and layout are specified. */
  source: string;
  /** Fields after the 32-bit opcode, in order; absent if the layout is not defined. */
  fields?: readonly (readonly [name: string, type: FieldType])[];
}

const query = ['query_id', 'u64'] as const;

/**
 * Every message this product recognizes by its first 32 bits. The single table: names, decoders, and documents derive
 * from it.
 */
export const opcodes: ReadonlyMap<number, Opcode> = new Map<number, Opcode>([
  [0x00000000, { name: 'text_comment', source: 'TEP-74 forward payload', fields: [['comment', 'text']] }],
  [0x2167da4b, { name: 'encrypted_comment', source: 'TEP-74 forward payload', fields: [['data', 'rest']] }],
  [0xd53276db, { name: 'excess', source: 'TEP-74', fields: [query] }],

  // Jettons: TEP-74, discovery TEP-89.
  [
    0x0f8a7ea5,
    {
      name: 'jetton_transfer',
      source: 'TEP-74',
      fields: [
        query,
        ['amount', 'jettons'],
        ['destination', 'address'],
        ['response_destination', 'address'],
        ['custom_payload', 'maybeRef'],
        ['forward_ton_amount', 'coins'],
        ['forward_payload', 'either'],
      ],
    },
  ],
  [
    0x178d4519,
    {
      name: 'jetton_internal_transfer',
      source: 'TEP-74',
      fields: [
        query,
        ['amount', 'jettons'],
        ['from', 'address'],
        ['response_address', 'address'],
        ['forward_ton_amount', 'coins'],
        ['forward_payload', 'either'],
      ],
    },
  ],
  [
    0x7362d09c,
    {
      name: 'jetton_notify',
      source: 'TEP-74',
      fields: [query, ['amount', 'jettons'], ['sender', 'address'], ['forward_payload', 'either']],
    },
  ],
  [
    0x595f07bc,
    {
      name: 'jetton_burn',
      source: 'TEP-74',
      fields: [
        query,
        ['amount', 'jettons'],
        ['response_destination', 'address'],
        ['custom_payload', 'maybeRef'],
      ],
    },
  ],
  [
    0x7bdd97de,
    {
      name: 'jetton_burn_notification',
      source: 'TEP-74',
      fields: [query, ['amount', 'jettons'], ['sender', 'address'], ['response_destination', 'address']],
    },
  ],
  [
    0x2c76b973,
    {
      name: 'provide_wallet_address',
      source: 'TEP-89',
      fields: [query, ['owner_address', 'address'], ['include_address', 'bool']],
    },
  ],
  [
    0xd1735400,
    {
      name: 'take_wallet_address',
      source: 'TEP-89',
      fields: [query, ['wallet_address', 'address'], ['owner_address', 'maybeAddressRef']],
    },
  ],
  // Both editions of TEP-74's reference minter.
  [
    0x642b7d07,
    {
      name: 'jetton_mint',
      source: 'reference jetton minter',
      fields: [query, ['to_address', 'address'], ['ton_amount', 'coins'], ['master_msg', 'ref']],
    },
  ],
  [
    0x00000015,
    {
      name: 'jetton_mint',
      source: 'discoverable jetton minter',
      fields: [query, ['to_address', 'address'], ['ton_amount', 'coins'], ['master_msg', 'ref']],
    },
  ],
  [
    0x6501f354,
    {
      name: 'jetton_change_admin',
      source: 'reference jetton minter',
      fields: [query, ['next_admin', 'address']],
    },
  ],
  [0xfb88e119, { name: 'jetton_claim_admin', source: 'reference jetton minter', fields: [query] }],
  [0x7431f221, { name: 'jetton_drop_admin', source: 'reference jetton minter', fields: [query] }],
  [0xcb862902, { name: 'jetton_change_metadata', source: 'reference jetton minter' }],
  [
    0x2508d66a,
    {
      name: 'jetton_upgrade',
      source: 'reference jetton minter',
      fields: [query, ['data', 'ref'], ['code', 'ref']],
    },
  ],
  [0xd372158c, { name: 'top_up', source: 'reference jetton minter', fields: [query] }],
  [0xeed236d3, { name: 'jetton_set_status', source: 'governed jetton', fields: [query, ['status', 'u4']] }],
  [
    0x235caf52,
    {
      name: 'jetton_call_to',
      source: 'governed jetton',
      fields: [query, ['to_address', 'address'], ['ton_amount', 'coins'], ['master_msg', 'ref']],
    },
  ],

  // NFTs: TEP-62, royalty TEP-66, soul-bound TEP-85.
  [
    0x5fcc3d14,
    {
      name: 'nft_transfer',
      source: 'TEP-62',
      fields: [
        query,
        ['new_owner', 'address'],
        ['response_destination', 'address'],
        ['custom_payload', 'maybeRef'],
        ['forward_amount', 'coins'],
        ['forward_payload', 'either'],
      ],
    },
  ],
  [
    0x05138d91,
    {
      name: 'nft_ownership_assigned',
      source: 'TEP-62',
      fields: [query, ['prev_owner', 'address'], ['forward_payload', 'either']],
    },
  ],
  [0x2fcb26a2, { name: 'nft_get_static_data', source: 'TEP-62', fields: [query] }],
  [
    0x8b771735,
    {
      name: 'nft_report_static_data',
      source: 'TEP-62',
      fields: [query, ['index', 'u256'], ['collection', 'address']],
    },
  ],
  [0x693d3950, { name: 'nft_get_royalty_params', source: 'TEP-66', fields: [query] }],
  [
    0xa8cb00ad,
    {
      name: 'nft_report_royalty_params',
      source: 'TEP-66',
      fields: [query, ['numerator', 'u16'], ['denominator', 'u16'], ['destination', 'address']],
    },
  ],
  [
    0x04ded148,
    {
      name: 'sbt_prove_ownership',
      source: 'TEP-85',
      fields: [query, ['destination', 'address'], ['forward_payload', 'ref'], ['with_content', 'bool']],
    },
  ],
  [
    0x0524c7ae,
    {
      name: 'sbt_ownership_proof',
      source: 'TEP-85',
      fields: [
        query,
        ['item_id', 'u256'],
        ['owner', 'address'],
        ['data', 'ref'],
        ['revoked_at', 'u64'],
        ['content', 'maybeRef'],
      ],
    },
  ],
  [
    0xd0c3bfea,
    {
      name: 'sbt_request_owner',
      source: 'TEP-85',
      fields: [query, ['destination', 'address'], ['forward_payload', 'ref'], ['with_content', 'bool']],
    },
  ],
  [
    0x0dd607e3,
    {
      name: 'sbt_owner_info',
      source: 'TEP-85',
      fields: [
        query,
        ['item_id', 'u256'],
        ['initiator', 'address'],
        ['owner', 'address'],
        ['data', 'ref'],
        ['revoked_at', 'u64'],
        ['content', 'maybeRef'],
      ],
    },
  ],
  [0xc18e86d2, { name: 'sbt_ownership_proof_bounced', source: 'TEP-85' }],
  [0x7ca7b0fe, { name: 'sbt_owner_info_bounced', source: 'TEP-85' }],
  [0x1f04537a, { name: 'sbt_destroy', source: 'TEP-85', fields: [query] }],
  [0x6f89f5e3, { name: 'sbt_revoke', source: 'TEP-85', fields: [query] }],
  [0xd136d3b3, { name: 'sbt_take_excess', source: 'TEP-85', fields: [query] }],

  // DNS: TEP-81 and the .ton collection.
  [
    0x4eb1f0f9,
    {
      name: 'dns_change_record',
      source: 'TEP-81',
      fields: [query, ['key', 'u256'], ['value', 'optionalRef']],
    },
  ],
  [0x4ed14b65, { name: 'dns_balance_release', source: '.ton DNS', fields: [query] }],
  [0x44beae41, { name: 'dns_process_governance_decision', source: '.ton DNS', fields: [query] }],
  [0x557cea20, { name: 'outbid_notification', source: '.ton DNS', fields: [query] }],

  // Wallets.
  [0x7369676e, { name: 'wallet_signed_external_v5_r1', source: 'wallet v5' }],
  [0x73696e74, { name: 'wallet_signed_internal_v5_r1', source: 'wallet v5' }],
  [0x6578746e, { name: 'wallet_extension_action_v5_r1', source: 'wallet v5' }],
  [
    0x706c7567,
    { name: 'wallet_plugin_payment_request', source: 'wallet v4', fields: [query, ['amount', 'coins']] },
  ],
  [0x64737472, { name: 'wallet_plugin_destruct', source: 'wallet v4', fields: [query] }],
  [
    0xae42e5a4,
    {
      name: 'highload_wallet_internal_v3',
      source: 'highload wallet v3',
      fields: [query, ['actions', 'ref']],
    },
  ],

  // Multisig v2.
  [
    0xf718510f,
    {
      name: 'multisig_new_order',
      source: 'multisig v2',
      fields: [
        query,
        ['order_seqno', 'u256'],
        ['signer', 'bool'],
        ['index', 'u8'],
        ['expiration_date', 'u48'],
        ['order', 'ref'],
      ],
    },
  ],
  [
    0x75097f5d,
    {
      name: 'multisig_execute',
      source: 'multisig v2',
      fields: [
        query,
        ['order_seqno', 'u256'],
        ['expiration_date', 'u48'],
        ['approvals_num', 'u8'],
        ['signers_hash', 'u256'],
        ['order', 'ref'],
      ],
    },
  ],
  [
    0xa32c59bf,
    { name: 'multisig_execute_internal', source: 'multisig v2', fields: [query, ['order', 'ref']] },
  ],
  [0x9c73fba2, { name: 'multisig_order_init', source: 'multisig v2' }],
  [0xa762230f, { name: 'multisig_approve', source: 'multisig v2', fields: [query, ['signer_index', 'u8']] }],
  [0x82609bf6, { name: 'multisig_approve_accepted', source: 'multisig v2', fields: [query] }],
  [
    0xafaf283e,
    { name: 'multisig_approve_rejected', source: 'multisig v2', fields: [query, ['exit_code', 'u32']] },
  ],

  // Vesting wallet.
  [
    0x7258a69b,
    { name: 'vesting_add_whitelist', source: 'vesting wallet', fields: [query, ['address', 'address']] },
  ],
  [0xf258a69b, { name: 'vesting_add_whitelist_response', source: 'vesting wallet', fields: [query] }],
  [
    0xa7733acd,
    { name: 'vesting_send', source: 'vesting wallet', fields: [query, ['mode', 'u8'], ['message', 'ref']] },
  ],
  [0xf7733acd, { name: 'vesting_send_response', source: 'vesting wallet', fields: [query] }],
  // As a forward payload it has another layout than as a message.
  [0x25938561, { name: 'stonfi_swap', source: 'STON.fi v1' }],
  [
    0xf93bb43f,
    {
      name: 'stonfi_payment_request',
      source: 'STON.fi v1',
      fields: [query, ['owner', 'address'], ['exit_code', 'u32'], ['params', 'maybeRef']],
    },
  ],

  // Elector.
  [0x4e73744b, { name: 'elector_new_stake', source: 'elector' }],
  [0xf374484c, { name: 'elector_new_stake_ok', source: 'elector', fields: [query] }],
  [0xee6f454c, { name: 'elector_stake_returned', source: 'elector', fields: [query, ['reason', 'u32']] }],
  [0x47657424, { name: 'elector_recover_stake', source: 'elector', fields: [query] }],
  [0xf96f7324, { name: 'elector_stake_recovered', source: 'elector', fields: [query] }],
]);

/** `0x` and eight lowercase hex digits, as the service writes opcodes. */
export function opcodeHex(code: number): string {
  return `0x${(code >>> 0).toString(16).padStart(8, '0')}`;
}

/**
 * The service's opcode (a string in practice, a number in its description) as a number; undefined if it is neither.
 */
export function opcodeNumber(opcode: string | number | null | undefined): number | undefined {
  if (typeof opcode === 'number') {
    return opcode >>> 0;
  }
  return typeof opcode === 'string' && /^0x[0-9a-fA-F]{1,8}$/.test(opcode) ? Number(opcode) : undefined;
}

/** Opcodes by message name. If a name occurs twice, the last one. */
const codes: ReadonlyMap<string, number> = new Map([...opcodes].map(([code, { name }]) => [name, code]));

/** The opcode of a message by its name in the table. */
export function opcodeOf(name: string): number {
  const code = codes.get(name);
  if (code === undefined) {
    throw new RangeError(`The message table has no ${name}.`);
  }
  return code;
}
