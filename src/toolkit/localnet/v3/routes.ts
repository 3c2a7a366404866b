import * as z from 'zod';
import type { Exact } from '../../api/openObject';
import type { V3Trace } from '../../api/v3Traces';
import { v3Trace } from '../../api/v3Traces';
import { v3Books, v3AddressBookRow } from '../../api/v3Objects';
import { openObject } from '../../api/openObject';
import type { V3Answer, V3Name } from './v3Answer';
import type { Endpoint } from '../../access/endpoint/endpoint';
import { v3Endpoints } from '../../access/v3/v3Endpoints';
import { ApiError } from '../api/apiError';
import { mapInTurns } from '../../turns';
import { accountStates, addressInformation } from './accounts';
import { encodeAction } from './actions';
import { blocks, v3MasterchainInfo, shardBlocks } from './blocks';
import type { Books } from './books';
import { addressBookOnly, books } from './books';
import type { V3Context } from './context';
import { decode } from './decode';
import { dnsRecords } from './dnsRecords';
import { encodeTrace } from './encodeTrace';
import { encodeV3Transaction } from './encodeV3Transaction';
import { estimateFee, getMethod, submitMessage } from './getMethod';
import { jettonBurns, jettonMasters, jettonTransfers, jettonWallets } from './jettons';
import { adjacentTransactions, messages, transactionsByMessage } from './messages';
import { multisigOrders, multisigWallets } from './multisig';
import { nftCollections, nftItems, nftTransfers } from './nfts';
import { nftSales } from './nftSales';
import { pendingActions, pendingTraces, pendingTransactions } from './pendingTraces';
import type { Query } from './query';
import { actions } from './selectActions';
import { selectTraces } from './selectTraces';
import { selectTransactions } from './selectTransactions';
import { vesting } from './vesting';
import { addressBook, metadata, topAccountsByBalance, walletInformation, walletStates } from './wallets';

type V3Handler<Name extends V3Name = V3Name> = (
  context: V3Context,
  query: Query,
) => V3Answer<Name> | Promise<V3Answer<Name>>;

/**
 * The handler of each endpoint in the access layer's table, which defines methods, paths, and parameters. An endpoint
 * without a handler does not compile.
 */
const v3Handlers: { readonly [Name in V3Name]: V3Handler<Name> } = {
  accountStates,
  walletStates,
  addressBook,
  metadata,
  addressInformation,
  walletInformation,
  topAccountsByBalance,
  masterchainInfo: v3MasterchainInfo,
  blocks,
  masterchainBlockShardState: shardBlocks,
  masterchainBlockShards: shardBlocks,
  transactions,
  transactionsByMasterchainBlock,
  transactionsByMessage,
  adjacentTransactions,
  messages,
  pendingTransactions,
  traces: async (context, query) => {
    const { rows, more } = await traces(context, query, query.flag('include_actions', false));
    return { traces: rows, ...more };
  },
  pendingTraces,
  actions,
  pendingActions,
  decode: (_context, query) => decode(query),
  message: submitMessage,
  runGetMethod: getMethod,
  estimateFee,
  jettonMasters,
  jettonWallets,
  jettonTransfers,
  jettonBurns,
  nftCollections,
  nftItems,
  nftTransfers,
  nftSales,
  dnsRecords,
  multisigWallets,
  multisigOrders,
  vesting,
  // What a local chain cannot have: validators, staking pools, auctions.
  dnsActiveAuctions: nothing('auctions', { metadata: {} }),
  stakingNominatorPoolsPool: noPool,
  stakingNominatorPoolsNominator: nothing('nominator_pools'),
  stakingNominatorPoolsNominatorEvents: empty('events'),
  stakingNominatorPoolsNominatorRewards: empty('rewards', { total_on_page: 0n }),
  stakingNominatorPoolsValidatorEvents: empty('events'),
  stakingNominatorPoolsValidatorRewards: empty('rewards', { total_on_page: 0n }),
  validatorsEvents: empty('events'),
  validatorsElections: nothing('elections'),
  validatorsCycles: nothing('cycles'),
  validatorsComplaints: nothing('complaints'),
};

export interface V3Route {
  endpoint: Endpoint;
  /** Below /api/v3. */
  path: string;
  handle: V3Handler;
  /** The schema that encodes the answer. */
  result: z.ZodType;
}

/** The service's aliases for some of them; none is in its description. */
const aliases: readonly V3Route[] = [
  {
    endpoint: v3Endpoints.addressInformation,
    path: '/account',
    handle: addressInformation,
    result: v3Endpoints.addressInformation.result,
  },
  {
    endpoint: v3Endpoints.walletInformation,
    path: '/wallet',
    handle: walletInformation,
    result: v3Endpoints.walletInformation.result,
  },
  {
    endpoint: v3Endpoints.traces,
    path: '/events',
    handle: async (context, query) => {
      const { rows, more } = await traces(context, query, true);
      return { events: rows, ...more };
    },
    result: openObject({ events: z.array(v3Trace), ...v3Books }),
  },
];

/** These endpoints tolerate unreadable parameters. */
export const unchecked: ReadonlySet<Endpoint> = new Set<Endpoint>([
  v3Endpoints.addressBook,
  v3Endpoints.metadata,
]);

/** Answers whose keys are the exact texts of the request. */
const byGivenText: { readonly [Name in V3Name]?: z.ZodType } = {
  addressBook: z.record(z.string(), v3AddressBookRow),
};

const described = Object.entries(v3Handlers) as [keyof typeof v3Endpoints, V3Handler][];

export const v3Routes: readonly V3Route[] = [
  ...described.map(([name, handle]) => {
    const endpoint: Endpoint = v3Endpoints[name];
    const result = byGivenText[name] ?? endpoint.result;
    return { endpoint, path: endpoint.path, handle, result };
  }),
  ...aliases,
];

async function transactions(context: V3Context, query: Query): Promise<V3Answer<'transactions'>> {
  const found = selectTransactions(context.chain, query);
  const rows = await mapInTurns(found, (record) => encodeV3Transaction(context, record));
  return { transactions: rows, ...(await addressBookOnly(context, query, rows)) };
}

async function transactionsByMasterchainBlock(
  context: V3Context,
  query: Query,
): Promise<V3Answer<'transactionsByMasterchainBlock'>> {
  const { seqno, ...others } = query.values;
  return transactions(context, query.with({ ...others, mc_seqno: seqno }));
}

async function traces(
  context: V3Context,
  query: Query,
  withActions: boolean,
): Promise<{ rows: Exact<V3Trace>[]; more: Books }> {
  const found = selectTraces(context.chain, query);
  if (withActions) {
    await context.tokens.refresh();
  }
  const rows = await mapInTurns(found, async (trace) => ({
    ...(await encodeTrace(context, trace)),
    ...(withActions ? { actions: (await context.actions.of(trace)).map(encodeAction) } : {}),
  }));
  return { rows, more: await books(context, query, rows) };
}

/** An answer with an empty list, plus the given other fields. */
function nothing<Key extends string, More extends object = object>(key: Key, more?: More) {
  const answer = { [key]: [], ...more, address_book: {} };
  return () => answer as unknown as Record<Key, never[]> & More & Pick<Books, 'address_book'>;
}

/** Like {@link nothing}, with the requested period. */
function empty<Key extends string, More extends object = object>(key: Key, more?: More) {
  const answer = nothing(key, more);
  return (_context: V3Context, query: Query) => {
    const start_utime = query.time('start_utime');
    const end_utime = query.time('end_utime');
    return {
      ...answer(),
      ...(start_utime === undefined ? {} : { start_utime }),
      ...(end_utime === undefined ? {} : { end_utime }),
    };
  };
}

function noPool(_context: V3Context, query: Query): never {
  query.address('pool');
  throw new ApiError(404, 'nominator pool not found');
}
