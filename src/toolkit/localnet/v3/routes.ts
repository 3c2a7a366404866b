import { ApiError } from '../api/apiError';
import { accountStates, addressInformation } from './accounts';
import { actionsOf } from './actions';
import { blocks, masterchainInfo, shardBlocks } from './blocks';
import { addressBookOnly, books } from './books';
import type { V3Context } from './context';
import { decode } from './decode';
import { dnsRecords } from './dns';
import type { Json } from './encodeDescription';
import { encodeTrace } from './encodeTrace';
import { encodeTransaction } from './encodeTransaction';
import { estimateFee, getMethod, message } from './getMethod';
import { jettonBurns, jettonMasters, jettonTransfers, jettonWallets } from './jettons';
import { adjacentTransactions, messages, transactionsByMessage } from './messages';
import { nftCollections, nftItems, nftSales, nftTransfers } from './nfts';
import { pendingActions, pendingTraces, pendingTransactions } from './pendingTraces';
import type { Query } from './query';
import { actions } from './selectActions';
import { selectTraces } from './selectTraces';
import { selectTransactions } from './selectTransactions';
import { addressBook, metadata, topAccountsByBalance, walletInformation, walletStates } from './wallets';

export type V3Handler = (context: V3Context, query: Query) => unknown;

const get: readonly (readonly [path: string, handle: V3Handler])[] = [
  ['/accountStates', accountStates],
  ['/walletStates', walletStates],
  ['/addressBook', addressBook],
  ['/metadata', metadata],
  ['/addressInformation', addressInformation],
  ['/account', addressInformation],
  ['/walletInformation', walletInformation],
  ['/wallet', walletInformation],
  ['/topAccountsByBalance', topAccountsByBalance],
  ['/masterchainInfo', masterchainInfo],
  ['/blocks', blocks],
  ['/masterchainBlockShardState', shardBlocks],
  ['/masterchainBlockShards', shardBlocks],
  ['/transactions', transactions],
  ['/transactionsByMasterchainBlock', transactionsByMasterchainBlock],
  ['/transactionsByMessage', transactionsByMessage],
  ['/adjacentTransactions', adjacentTransactions],
  ['/messages', messages],
  ['/pendingTransactions', pendingTransactions],
  ['/traces', (context, query) => traces(context, query, 'traces', query.flag('include_actions', false))],
  ['/events', (context, query) => traces(context, query, 'events', true)],
  ['/pendingTraces', pendingTraces],
  ['/actions', actions],
  ['/pendingActions', pendingActions],
  ['/decode', (_context, query) => decode(query)],
  ['/jetton/masters', jettonMasters],
  ['/jetton/wallets', jettonWallets],
  ['/jetton/transfers', jettonTransfers],
  ['/jetton/burns', jettonBurns],
  ['/nft/collections', nftCollections],
  ['/nft/items', nftItems],
  ['/nft/transfers', nftTransfers],
  ['/nft/sales', nftSales],
  ['/dns/records', dnsRecords],
  ['/multisig/wallets', multisig('multisigs', 'address or wallet_address')],
  ['/multisig/orders', multisig('orders', 'address or multisig_address')],
  ['/vesting', withBooks('vesting_contracts', 422)],
  // What a local chain cannot have: validators, staking pools, auctions.
  ['/dns/activeAuctions', nothing('auctions', { metadata: {} })],
  ['/staking/nominatorPools/pool', noPool],
  ['/staking/nominatorPools/nominator', nothing('nominator_pools')],
  ['/staking/nominatorPools/nominatorEvents', empty('events')],
  ['/staking/nominatorPools/nominatorRewards', empty('rewards', { total_on_page: '0' })],
  ['/staking/nominatorPools/validatorEvents', empty('events')],
  ['/staking/nominatorPools/validatorRewards', empty('rewards', { total_on_page: '0' })],
  ['/validators/events', empty('events')],
  ['/validators/elections', nothing('elections')],
  ['/validators/cycles', nothing('cycles')],
  ['/validators/complaints', nothing('complaints')],
];

const post: typeof get = [
  ['/message', message],
  ['/runGetMethod', getMethod],
  ['/estimateFee', estimateFee],
  ['/decode', (_context, query) => decode(query)],
];

export interface V3Route {
  verb: 'GET' | 'POST';
  /** Below /api/v3. */
  path: string;
  handle: V3Handler;
}

export const v3Routes: readonly V3Route[] = [
  ...get.map(([path, handle]) => ({ verb: 'GET' as const, path, handle })),
  ...post.map(([path, handle]) => ({ verb: 'POST' as const, path, handle })),
];

async function transactions(context: V3Context, query: Query): Promise<Json> {
  const rows = selectTransactions(context.chain, query).map((record) => encodeTransaction(context, record));
  return { transactions: rows, ...(await addressBookOnly(context, query, rows)) };
}

async function transactionsByMasterchainBlock(context: V3Context, query: Query): Promise<Json> {
  const { seqno, ...others } = query.parameters;
  return transactions(context, query.with({ ...others, mc_seqno: seqno }));
}

async function traces(context: V3Context, query: Query, key: string, withActions: boolean): Promise<Json> {
  const found = selectTraces(context.chain, query);
  if (withActions) {
    await context.tokens.refresh();
  }
  const rows = found.map((trace) => ({
    ...encodeTrace(context, trace),
    ...(withActions ? { actions: actionsOf(context, trace) } : {}),
  }));
  return { [key]: rows, ...(await books(context, query, rows)) };
}

function nothing(key: string, more: Json = {}): V3Handler {
  return () => ({ [key]: [], ...more, address_book: {} });
}

/** An empty list, with the period that was asked about. */
function empty(key: string, more: Json = {}): V3Handler {
  return (_context, query) => {
    const start_utime = query.time('start_utime');
    const end_utime = query.time('end_utime');
    return {
      [key]: [],
      ...more,
      address_book: {},
      ...(start_utime === undefined ? {} : { start_utime }),
      ...(end_utime === undefined ? {} : { end_utime }),
    };
  };
}

function noPool(_context: V3Context, query: Query): never {
  query.address('pool');
  throw new ApiError(404, 'nominator pool not found');
}

function withBooks(key: string, refusal: number): V3Handler {
  return async (context, query) => {
    query.page(refusal);
    return { [key]: [], ...(await addressBookOnly(context, query, [])) };
  };
}

/** Multisig contracts are not recognised here. */
function multisig(key: string, needed: string): V3Handler {
  const names = needed.split(' or ');
  return async (context, query) => {
    query.page();
    if (names.every((name) => query.addresses(name).length === 0)) {
      throw new ApiError(422, `At least one of ${needed} should be specified`);
    }
    return { [key]: [], ...(await addressBookOnly(context, query, [])) };
  };
}
