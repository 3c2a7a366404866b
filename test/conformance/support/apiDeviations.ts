/** One way in which the service, and so the local network, is not as its published description says. */
export interface Deviation {
  layer: 'v2' | 'v3';
  /** The path it is about; `*` for all, `recorded` for recordings of the public service alone. */
  path: string;
  /** The described object, or the operation; empty when the answer is another object altogether. */
  schema: string;
  /** The field; empty for the object itself. */
  pointer: string;
  /** What the check finds. */
  finding: string;
  /** The described object that the answer is really like. */
  answersAs?: string;
  /** What the service does. */
  service: string;
  /** Where that is known from: a section of the notes on the service, or recorded answers. */
  recorded: string;
}

type Row = Omit<Deviation, 'layer' | 'path' | 'finding' | 'pointer'> & { pointers: readonly string[] };

const nulls = ({ pointers, ...row }: Row): Deviation[] =>
  pointers.map((pointer) => ({ layer: 'v3', path: '*', pointer, finding: 'is null', ...row }));

export const deviations: readonly Deviation[] = [
  {
    layer: 'v2',
    path: '/unpackAddress',
    schema: 'UnpackedAddress',
    pointer: '',
    finding: 'is a string',
    service: 'answers the raw address as text',
    recorded: '2.18',
  },
  ...['/masterchainBlockShardState', '/masterchainBlockShards'].map((path) => ({
    layer: 'v3' as const,
    path,
    schema: '',
    pointer: '',
    finding: '',
    answersAs: 'BlocksResponse',
    service: 'answers blocks',
    recorded: '2.14',
  })),
  ...['/gas_used', '/exit_code'].map((pointer) => ({
    layer: 'v3' as const,
    path: '/runGetMethod',
    schema: 'V2RunGetMethodRequest',
    pointer,
    finding: 'is not described',
    service: 'answers gas, exit code and stack; the description repeats the request',
    recorded: '2.14',
  })),
  {
    layer: 'v3',
    path: '/runGetMethod',
    schema: 'V2RunGetMethodRequest',
    pointer: '/block_id',
    finding: 'is not described',
    service: 'does not say the block; local networks do',
    recorded: '2.14',
  },
  {
    layer: 'v3',
    path: '*',
    schema: 'FinalityState',
    pointer: '',
    finding: 'is a string',
    service: 'answers the word',
    recorded: '2.4',
  },
  {
    layer: 'v3',
    path: '*',
    schema: 'FinalityState',
    pointer: '',
    finding: 'fails enum',
    service: 'answers the word',
    recorded: '2.4',
  },
  {
    layer: 'v3',
    path: '*',
    schema: 'Message',
    pointer: '/opcode',
    finding: 'is a string',
    service: 'answers 0x and eight hex digits',
    recorded: '2.4',
  },
  ...nulls({
    schema: 'Message',
    pointers: [
      '/opcode',
      '/decoded_opcode',
      '/source',
      '/value',
      '/value_extra_currencies',
      '/fwd_fee',
      '/ihr_fee',
      '/ihr_disabled',
      '/created_lt',
      '/created_at',
      '/bounce',
      '/bounced',
      '/import_fee',
      '/extra_flags',
    ],
    service: 'fields that do not apply to the kind of message are null',
    recorded: '7 (Message)',
  }),
  ...nulls({
    schema: 'Message',
    pointers: ['/out_msg_tx_hash'],
    service: 'no transaction sent a message from outside',
    recorded: '5.3 (/messages)',
  }),
  ...nulls({
    schema: 'MessageContent',
    pointers: ['', '/decoded'],
    service: 'there is no init state, or nothing is known of the body',
    recorded: '7 (Message), test/reference/traces',
  }),
  ...nulls({
    schema: 'Message',
    pointers: [''],
    service: 'a tick-tock transaction has no in-message',
    recorded: '7 (Transaction)',
  }),
  ...nulls({
    schema: 'AccountState',
    pointers: ['/frozen_hash', '/data_hash', '/code_hash'],
    service: 'what the state has not is null',
    recorded: 'test/reference/traces',
  }),
  ...nulls({
    schema: 'AddressBookRow',
    pointers: ['/domain'],
    service: 'most accounts have no name',
    recorded: '4.1',
  }),
  ...nulls({
    schema: 'V2AddressInformation',
    pointers: ['/code', '/data', '/frozen_hash'],
    service: 'the keys are always there',
    recorded: '5.1',
  }),
  ...nulls({
    schema: 'TracesResponse',
    pointers: ['/traces'],
    service: 'pendingTraces without a match',
    recorded: '2.2',
  }),
  ...nulls({
    schema: 'TraceNode',
    pointers: ['/children'],
    service: 'out-messages without a transaction yet',
    recorded: '2.3',
  }),
  ...nulls({
    schema: 'Trace',
    pointers: ['/end_lt', '/end_utime', '/external_hash'],
    service: 'the trace has not ended; a tick-tock trace has no external message',
    recorded: '7 (Trace)',
  }),
  ...['JettonTransfer', 'JettonBurn', 'NFTTransfer'].flatMap((schema) =>
    nulls({
      schema,
      pointers: ['/custom_payload', '/decoded_custom_payload'],
      service: 'the keys are always there',
      recorded: '5.6 (row keys)',
    }),
  ),
  ...nulls({
    schema: 'AccountState',
    pointers: ['/balance', '/account_status', '/extra_currencies'],
    service: 'of a state that is not indexed only the hash is known',
    recorded: '7 (AccountState), test/reference/traces',
  }).map((row) => ({ ...row, path: 'recorded' })),
  ...nulls({
    schema: 'AddressBookRow',
    pointers: ['/interfaces'],
    service: 'null for an account without any',
    recorded: 'test/reference/traces',
  }).map((row) => ({ ...row, path: 'recorded' })),
];

/** Described fields that no answer of a local network can have, and why. */
export const neverSeen: Readonly<Record<string, string>> = {
  'AccountState/code_boc': 'the service leaves it out (section 7)',
  'AccountState/frozen_hash': 'freezing takes years of debt',
  'AccountStateFull/frozen_hash': 'freezing takes years of debt',
  'AccountStateFull/suspended': 'only on the public service',
  'ActionPhase/result_arg': 'no action of the sample contracts fails that way',
  'BouncePhase/req_fwd_fees': 'only when a bounce cannot be paid for',
  'ComputePhase/exit_arg': 'compilers of today throw without an argument',
  'CreditPhase/credit_extra_currencies': 'nobody here sends extra currencies',
  'CreditPhase/due_fees_collected': 'needs an account in debt',
  'DNSAuctionsResponse/next_cursor': 'there are no auctions',
  'JettonWallet/mintless_info': 'no mintless jetton here',
  'NFTItem/auction_contract_address': 'no auction here',
  'StoragePhase/storage_fees_due': 'needs an account in debt',
  'TokenInfo/is_nsfw': 'the judgment of the public service',
  'TokenInfo/is_scam': 'the judgment of the public service',
  'TraceNode/in_msg': 'the service answers hashes (2.3)',
  'TraceNode/transaction': 'the service answers hashes (2.3)',
  'TransactionDescr/installed': 'there are no splits and merges',
  'TransactionDescr/split_info': 'there are no splits and merges',
  'V2AddressInformation/frozen_hash': 'freezing takes years of debt',
  'V2AddressInformation/suspended': 'only on the public service',
  'V2WalletInformation/suspended': 'only on the public service',
  'WalletState/suspended': 'only on the public service',
};
