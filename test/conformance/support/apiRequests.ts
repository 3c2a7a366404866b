import { Address, beginCell, Cell } from '@ton/core';
import type { BusyNetwork } from './busyNetwork';

/** One request to a path, in the words of its description. */
export interface Request {
  path: string;
  parameters: Readonly<Record<string, unknown>>;
  /** Default 200. */
  status?: number;
}

interface BlockRow {
  seqno: number;
  root_hash: string;
  file_hash: string;
}

const shard = '-9223372036854775808';
const absent = `0:${'11'.repeat(32)}`;
const emptyCell = Cell.EMPTY.toBoc().toString('base64');
const noHash = 'ab'.repeat(32);

async function rows<T>(busy: BusyNetwork, url: string, key: string): Promise<T[]> {
  const { body } = await busy.call('GET', url);
  return (body as Record<string, T[]>)[key] ?? [];
}

/** At least one request for every path of v2, with every parameter it has. */
export async function v2Requests(busy: BusyNetwork): Promise<Request[]> {
  const { alice, bob } = busy;
  const friendly = Address.parseRaw(alice).toString();
  const [sent] = await rows<{ hash: string; created_lt: string }>(
    busy,
    `/api/v3/messages?source=${alice}&destination=${bob}&limit=1&sort=asc&start_lt=1`,
    'messages',
  );
  const [newest, oldest] = await rows<{ hash: string; lt: string; mc_block_seqno: number }>(
    busy,
    `/api/v3/transactions?account=${alice}`,
    'transactions',
  );
  const seqno = newest?.mc_block_seqno ?? 0;
  const [block] = await rows<BlockRow>(
    busy,
    `/api/v3/blocks?workchain=0&shard=8000000000000000&seqno=${seqno}`,
    'blocks',
  );
  const accounts = [alice, friendly, bob, busy.minter, busy.tickTock, absent];
  const states = [
    'getAddressInformation',
    'getExtendedAddressInformation',
    'getWalletInformation',
    'getAddressBalance',
    'getAddressState',
  ].flatMap((method) => [
    ...accounts.map((address) => ({ path: `/${method}`, parameters: { address } })),
    { path: `/${method}`, parameters: { address: alice, seqno: 2 } },
  ]);
  const ofBlock = { workchain: 0, shard, seqno, root_hash: block?.root_hash, file_hash: block?.file_hash };
  const inBlock = ['getBlockTransactions', 'getBlockTransactionsExt'].flatMap((method) => [
    { path: `/${method}`, parameters: { ...ofBlock, count: 3 } },
    { path: `/${method}`, parameters: { workchain: -1, shard, seqno } },
    {
      path: `/${method}`,
      parameters: {
        workchain: 0,
        shard,
        seqno,
        after_lt: newest?.lt,
        after_hash: alice.slice(2).toLowerCase(),
      },
    },
  ]);
  const history = ['getTransactions', 'getTransactionsStd'].flatMap((method) => [
    { path: `/${method}`, parameters: { address: bob, limit: 50 } },
    {
      path: `/${method}`,
      parameters: {
        address: alice,
        limit: 5,
        lt: oldest?.lt,
        hash: oldest?.hash,
        to_lt: '0',
        archival: true,
      },
    },
    { path: `/${method}`, parameters: { address: busy.tickTock } },
  ]);
  const pair = { source: alice, destination: bob, created_lt: sent?.created_lt };
  return [
    ...states,
    ...[busy.minter, busy.aliceJettons, busy.collection, busy.item, busy.domain].map((address) => ({
      path: '/getTokenData',
      parameters: { address },
    })),
    ...inBlock,
    ...history,
    ...['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx'].map((method) => ({
      path: `/${method}`,
      parameters: pair,
    })),
    { path: '/getMasterchainInfo', parameters: {} },
    { path: '/getMasterchainBlockSignatures', parameters: { seqno }, status: 501 },
    { path: '/getShardBlockProof', parameters: { workchain: 0, shard, seqno, from_seqno: 1 }, status: 501 },
    { path: '/getConsensusBlock', parameters: {} },
    ...[{ seqno }, { lt: newest?.lt }, { unixtime: 1_700_000_000 }].map((place) => ({
      path: '/lookupBlock',
      parameters: { workchain: 0, shard, ...place },
    })),
    { path: '/getShards', parameters: { seqno } },
    { path: '/getBlockHeader', parameters: ofBlock },
    { path: '/getBlockHeader', parameters: { workchain: -1, shard, seqno: 1 } },
    { path: '/getOutMsgQueueSize', parameters: {} },
    ...utilities(alice, friendly),
    { path: '/getConfigParam', parameters: { config_id: 8, seqno } },
    { path: '/getConfigAll', parameters: { seqno } },
    { path: '/getLibraries', parameters: { libraries: [busy.library, noHash] } },
    ...posted(busy),
  ];
}

function utilities(alice: string, friendly: string): Request[] {
  return [
    ...[alice, friendly].flatMap((address) => [
      { path: '/detectAddress', parameters: { address } },
      { path: '/packAddress', parameters: { address } },
      { path: '/unpackAddress', parameters: { address } },
    ]),
    { path: '/detectHash', parameters: { hash: noHash } },
  ];
}

function posted(busy: BusyNetwork): Request[] {
  const { alice, minter, aliceJettons } = busy;
  const slice = beginCell().storeAddress(Address.parseRaw(alice)).endCell().toBoc().toString('base64');
  const run = { address: minter, method: 'get_wallet_address' };
  return [
    { path: '/runGetMethod', parameters: { ...run, stack: [['tvm.Slice', slice]], seqno: 12 } },
    { path: '/runGetMethod', parameters: { address: aliceJettons, method: 'get_wallet_data', stack: [] } },
    { path: '/runGetMethod', parameters: { address: absent, method: 85143, stack: [] } },
    { path: '/runGetMethod', parameters: { address: busy.multisig, method: 'get_multisig_data', stack: [] } },
    {
      path: '/runGetMethodStd',
      parameters: {
        ...run,
        stack: [{ '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: slice } }],
        seqno: 12,
      },
    },
    {
      path: '/estimateFee',
      parameters: { ...busy.undeployed, body: emptyCell, ignore_chksig: true },
    },
    { path: '/sendBoc', parameters: { boc: busy.repeatable } },
    { path: '/sendBocReturnHash', parameters: { boc: busy.repeatable } },
    { path: '/jsonRPC', parameters: { jsonrpc: '2.0', id: '1', method: 'getMasterchainInfo', params: {} } },
  ];
}

/** At least one request for every path of v3, with every parameter it has. */
export async function v3Requests(busy: BusyNetwork): Promise<Request[]> {
  const { alice, bob } = busy;
  const [trace] = await rows<{
    trace_id: string;
    mc_seqno_end: string;
    external_hash: string;
    transactions_order: string[];
  }>(busy, `/api/v3/traces?account=${busy.bobJettons}&limit=1`, 'traces');
  const seqno = Number(trace?.mc_seqno_end);
  const [block] = await rows<BlockRow>(
    busy,
    `/api/v3/blocks?workchain=0&shard=8000000000000000&seqno=${seqno}`,
    'blocks',
  );
  const [action] = await rows<{ action_id: string }>(busy, '/api/v3/actions?limit=1', 'actions');
  const [message] = await rows<{ message_content: { hash: string }; hash: string }>(
    busy,
    `/api/v3/messages?destination=${bob}`,
    'messages',
  );
  const [pending] = await rows<{ trace_id: string }>(
    busy,
    `/api/v3/pendingTraces?account=${busy.carol}`,
    'traces',
  );
  const id = trace?.trace_id;
  const ranges = { start_utime: 1, end_utime: 4_000_000_000, start_lt: 0, end_lt: '9000000000000000000' };
  const page = { limit: 5, offset: 0 };
  const all = { limit: 100 };
  const actionFilters = {
    account: alice,
    tx_hash: [id],
    msg_hash: [trace?.external_hash],
    trace_id: [id],
    mc_seqno: seqno,
    ...ranges,
    action_type: ['jetton_transfer', 'ton_transfer'],
    exclude_action_type: ['tick_tock'],
    supported_action_types: ['latest'],
    include_accounts: true,
    include_transactions: true,
    ...page,
    sort: 'asc',
  };
  const one = (path: string, ...sets: Request['parameters'][]): Request[] =>
    sets.map((parameters) => ({ path, parameters }));
  const accounts = [
    alice,
    busy.minter,
    busy.aliceJettons,
    busy.collection,
    busy.item,
    busy.domain,
    busy.multisig,
    absent,
  ];
  return [
    ...one('/accountStates', { address: accounts, include_boc: true }),
    ...one('/walletStates', { address: accounts }),
    ...one('/addressBook', { address: accounts }),
    ...one('/metadata', { address: accounts }),
    ...[alice, busy.minter, absent].flatMap((address) =>
      one('/addressInformation', { address }, { address, use_v2: false }),
    ),
    ...one('/walletInformation', { address: alice, use_v2: true }, { address: absent }),
    ...one('/topAccountsByBalance', page),
    ...one('/masterchainInfo', {}),
    ...one(
      '/blocks',
      {
        workchain: 0,
        shard: '8000000000000000',
        seqno,
        root_hash: block?.root_hash,
        file_hash: block?.file_hash,
        mc_seqno: seqno,
        ...ranges,
        ...page,
        sort: 'desc',
      },
      all,
    ),
    ...one('/masterchainBlockShardState', { seqno }),
    ...one('/masterchainBlockShards', { seqno, ...page }),
    ...one(
      '/transactions',
      {
        workchain: 0,
        shard: '8000000000000000',
        seqno,
        mc_seqno: seqno,
        account: [alice],
        exclude_account: [bob],
        hash: id,
        lt: 5,
        ...ranges,
        ...page,
        sort: 'asc',
      },
      all,
    ),
    ...one('/transactionsByMasterchainBlock', { seqno, ...page, sort: 'desc' }),
    ...one(
      '/transactionsByMessage',
      { msg_hash: message?.hash, direction: 'in', ...page },
      { body_hash: message?.message_content.hash, opcode: '0x0f8a7ea5' },
    ),
    ...one('/adjacentTransactions', { hash: trace?.transactions_order[1], direction: 'in' }),
    ...one(
      '/messages',
      {
        msg_hash: [message?.hash],
        body_hash: message?.message_content.hash,
        source: alice,
        destination: bob,
        opcode: '0x0f8a7ea5',
        ...ranges,
        direction: 'in',
        exclude_externals: true,
        only_externals: false,
        ...page,
        sort: 'asc',
      },
      all,
    ),
    ...one('/pendingTransactions', { account: [busy.carol], trace_id: [pending?.trace_id] }),
    ...one(
      '/traces',
      {
        account: alice,
        ...ranges,
        include_actions: true,
        supported_action_types: ['v4'],
        ...page,
        sort: 'asc',
      },
      { trace_id: [id], mc_seqno: seqno },
      { tx_hash: [id] },
      { msg_hash: [trace?.external_hash] },
      { ...all, include_actions: true },
    ),
    ...one(
      '/pendingTraces',
      { account: bob },
      { ext_msg_hash: [busy.pendingHash] },
      { ext_msg_hash: [noHash] },
    ),
    ...one(
      '/actions',
      actionFilters,
      { action_id: [action?.action_id] },
      { ...all, include_transactions: true, include_accounts: true },
    ),
    ...one(
      '/pendingActions',
      { account: bob, supported_action_types: ['latest'], include_transactions: true },
      { ext_msg_hash: [busy.pendingHash] },
    ),
    ...one('/decode', { opcodes: ['0x0f8a7ea5', '0xdeadbeef'], bodies: [emptyCell, 'zz'] }),
    ...tokenRequests(busy, ranges, page, one),
    ...hostedRequests(busy, page),
    ...postedV3(busy),
  ];
}

function tokenRequests(
  { alice, bob, minter, aliceJettons, collection, item, sale, multisig, order, vesting }: BusyNetwork,
  ranges: object,
  page: object,
  one: (path: string, ...sets: Request['parameters'][]) => Request[],
): Request[] {
  const paged = { ...ranges, ...page, sort: 'asc' };
  return [
    ...one('/jetton/masters', { address: [minter], admin_address: [alice], ...page }),
    ...one('/jetton/wallets', {
      address: [aliceJettons],
      owner_address: [alice],
      jetton_address: [minter],
      exclude_zero_balance: true,
      ...page,
      sort: 'desc',
    }),
    ...one(
      '/jetton/transfers',
      {
        owner_address: [alice],
        jetton_wallet: [aliceJettons],
        jetton_master: minter,
        direction: 'out',
        ...paged,
      },
      {},
    ),
    ...one(
      '/jetton/burns',
      {
        address: [alice],
        jetton_wallet: [aliceJettons],
        jetton_master: minter,
        ...paged,
      },
      {},
    ),
    ...one('/nft/collections', { collection_address: [collection], owner_address: [alice], ...page }),
    ...one(
      '/nft/items',
      {
        address: [item],
        owner_address: [bob],
        collection_address: [collection],
        index: ['0'],
        include_on_sale: false,
        sort_by_last_transaction_lt: true,
        ...page,
      },
      { owner_address: [alice], include_on_sale: true },
      { collection_address: [collection] },
    ),
    ...one(
      '/nft/transfers',
      {
        owner_address: [alice],
        item_address: [item],
        collection_address: collection,
        direction: 'out',
        ...paged,
      },
      {},
    ),
    ...one('/nft/sales', { address: [sale] }),
    ...one('/dns/records', { domain: 'example.ton', limit: 10, offset: 0 }, { wallet: bob }),
    ...one(
      '/multisig/wallets',
      { address: [multisig], ...page, sort: 'asc', include_orders: true },
      { wallet_address: [alice] },
    ),
    ...one(
      '/multisig/orders',
      { address: [order], parse_actions: true, ...page, sort: 'asc' },
      { multisig_address: [multisig] },
    ),
    ...one(
      '/vesting',
      { contract_address: [vesting], ...page },
      { wallet_address: [alice], check_whitelist: true },
    ),
  ];
}

/** What a local network has nothing of. */
function hostedRequests(
  { alice, bob }: BusyNetwork,
  { limit, offset }: { limit: number; offset: number },
): Request[] {
  const period = { start_utime: 1, end_utime: 4_000_000_000, limit };
  const validator = { stake_holder_address: alice, adnl_address: noHash, validator_pubkey: noHash };
  return [
    {
      path: '/dns/activeAuctions',
      parameters: { bidder: alice, state: 'all', include_nft_items: true, limit, offset },
    },
    { path: '/dns/activeAuctions', parameters: { bidder: alice, after: '1' } },
    { path: '/staking/nominatorPools/pool', parameters: { pool: bob }, status: 404 },
    { path: '/staking/nominatorPools/nominator', parameters: { nominator: alice } },
    {
      path: '/staking/nominatorPools/nominatorEvents',
      parameters: { pool: bob, nominator: alice, ...period },
    },
    {
      path: '/staking/nominatorPools/nominatorRewards',
      parameters: { pool: bob, nominator: alice, ...period },
    },
    {
      path: '/staking/nominatorPools/validatorEvents',
      parameters: { validator: alice, pool: bob, type: 'reward', ...period },
    },
    {
      path: '/staking/nominatorPools/validatorRewards',
      parameters: { validator: alice, pool: bob, ...period },
    },
    { path: '/validators/events', parameters: { ...validator, type: 'stake_accepted', ...period } },
    {
      path: '/validators/elections',
      parameters: { ...validator, election_id: 1, return_participants: true, finished: true, ...period },
    },
    {
      path: '/validators/cycles',
      parameters: { ...validator, cycle_start: 1, election_id: 1, return_validators: true, ...period },
    },
    {
      path: '/validators/complaints',
      parameters: { ...validator, cycle_start: 1, election_id: 1, ...period },
    },
  ];
}

function postedV3(busy: BusyNetwork): Request[] {
  const slice = beginCell().storeAddress(Address.parseRaw(busy.alice)).endCell().toBoc().toString('base64');
  return [
    { path: '/message', parameters: { boc: busy.repeatable } },
    {
      path: '/runGetMethod',
      parameters: {
        address: busy.minter,
        method: 'get_wallet_address',
        stack: [{ type: 'slice', value: slice }],
      },
    },
    { path: '/runGetMethod', parameters: { address: busy.multisig, method: 'get_multisig_data', stack: [] } },
    { path: '/runGetMethod', parameters: { address: busy.sale, method: 'get_sale_data', stack: [] } },
    {
      path: '/estimateFee',
      parameters: { ...busy.undeployed, body: emptyCell, ignore_chksig: true },
    },
  ];
}
