import { Cell } from '@ton/core';
import * as z from 'zod';
import type { Endpoint } from '../../access/endpoint/endpoint';
import { v3Endpoints } from '../../access/v3/v3Endpoints';
import type { Exact } from '../../api/v3Objects';
import { openObject, v3AddressBookRow, v3Books } from '../../api/v3Objects';
import { v3NftSaleDetails } from '../../api/v3Tokens';
import type { V3Trace } from '../../api/v3Traces';
import { v3Trace } from '../../api/v3Traces';
import { writeAnswer } from '../../api/writeAnswer';
import type { DecodedJson } from '../../execution/encode/decodedBody';
import { decodedBody } from '../../execution/encode/decodedBody';
import { opcodes } from '../../contracts/opcodes/opcodes';
import { mapInTurns } from '../../base/turns';
import { ApiError } from '../api/apiError';
import { encodeAction } from './actions';
import type { Books, V3Answer, V3Name } from './blocks';
import {
  accountStates,
  addressBookOnly,
  addressInformation,
  blocks,
  books,
  shardBlocks,
  v3MasterchainInfo,
} from './blocks';
import { estimateFee, getMethod, submitMessage } from './getMethod';
import {
  dnsRecords,
  jettonBurns,
  jettonMasters,
  jettonTransfers,
  jettonWallets,
  related,
  stateFields,
  tokensOf,
} from './jettons';
import { adjacentTransactions, messages, transactionsByMessage } from './messages';
import { multisigOrders, multisigWallets } from './multisig';
import { encodeItem, nftCollections, nftItems, nftTransfers } from './nfts';
import { takePage } from './page';
import { pendingActions, pendingTraces, pendingTransactions } from './pendingTraces';
import type { Query } from './query';
import { actions, selectTraces } from './selectActions';
import { selectTransactions } from './selectTransactions';
import type { V3Context } from './v3Context';
import { encodeTrace, encodeV3Transaction } from './v3Context';
import { addressBook, metadata, topAccountsByBalance, walletInformation, walletStates } from './wallets';

const maximum = 1000;

/** GET and POST /decode, offline. */
async function decode(query: Query): Promise<V3Answer<'decode'>> {
  const codes = query.list('opcodes');
  const bodies = query.list('bodies');
  for (const [name, values] of [
    ['opcodes', codes],
    ['bodies', bodies],
  ] as const) {
    if (values.length > maximum) {
      throw new ApiError(422, `${name} list exceeds maximum length of ${maximum}`);
    }
  }
  return { opcodes: codes.map(decodeOpcode), bodies: await mapInTurns(bodies, decodeBody) };
}

/** The name; an unknown opcode is kept as text. */
function decodeOpcode(text: string, index: number): string {
  const digits = text.replace(/^0x/i, '');
  const hex = /^[0-9a-f]{1,8}$/i.test(digits);
  if (!hex && !/^-?\d{1,10}$/.test(digits)) {
    throw new ApiError(422, `invalid opcode format at index ${index}: ${digits}`);
  }
  const code = hex ? parseInt(digits, 16) : Number(digits) >>> 0;
  return opcodes.get(code)?.name ?? text;
}

function decodeBody(text: string): DecodedJson | { error: string } {
  try {
    const boc =
      /^[0-9a-f]+$/i.test(text) && text.length % 2 === 0
        ? Buffer.from(text, 'hex')
        : Buffer.from(text, 'base64');
    const [cell] = Cell.fromBoc(boc);
    return (cell === undefined ? null : decodedBody(cell)) ?? { error: 'unknown message body' };
  } catch {
    return { error: 'unknown message body: not a bag of cells' };
  }
}

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

/** GET /nft/sales: contracts with the `get_sale_data` of the usual sale and auction contracts. */
async function nftSales(context: V3Context, query: Query): Promise<V3Answer<'nftSales'>> {
  const addresses = query.addresses('address');
  if (addresses.length === 0) {
    throw new ApiError(422, 'at least 1 address required');
  }
  if (addresses.length > 1000) {
    throw new ApiError(422, 'maximum 1000 addresses allowed');
  }
  await context.tokens.refresh();
  const rows = tokensOf(context, 'nft-sale', addresses).map(({ account, token }) => {
    const [item] = token.nft === null ? [] : tokensOf(context, 'nft-item', [token.nft]);
    return {
      ...stateFields(account),
      type: token.isAuction ? 'getgems_auction' : 'getgems_sale',
      nft_address: token.nft,
      nft_owner_address: token.nftOwner,
      marketplace_address: token.marketplace,
      created_at: token.createdAt,
      details: writeAnswer(v3NftSaleDetails, token.details),
      ...(item === undefined ? {} : { nft_item: encodeItem(context, item.account, item.token) }),
    };
  });
  return { nft_sales: rows, ...(await books(context, query, rows)) };
}

/** GET /vesting: contracts with `get_vesting_data`. */
async function vesting(context: V3Context, query: Query): Promise<V3Answer<'vesting'>> {
  const addresses = query.addresses('contract_address');
  const wallets = query.addresses('wallet_address');
  if (addresses.length === 0 && wallets.length === 0) {
    throw new ApiError(422, 'at least one of contract_address or wallet_address is required');
  }
  if (addresses.length > 0 && wallets.length > 0) {
    throw new ApiError(422, 'only one of contract_address or wallet_address should be specified');
  }
  const page = query.page(422);
  const withListed = query.flag('check_whitelist', false);
  await context.tokens.refresh();
  const source = addresses.length > 0 ? addresses : related(context, wallets);
  const found = tokensOf(context, 'vesting', source).filter(({ token }) => {
    const people = [token.owner, token.sender, ...(withListed ? token.whitelist : [])];
    return wallets.length === 0 || wallets.some((wallet) => people.includes(wallet));
  });
  const rows = takePage(found, page).map(({ account, token }) => ({
    address: account.address,
    start_time: token.startTime,
    total_duration: token.totalDuration,
    unlock_period: token.unlockPeriod,
    cliff_duration: token.cliffDuration,
    sender_address: token.sender,
    owner_address: token.owner,
    total_amount: token.totalAmount,
    whitelist: [...token.whitelist],
  }));
  return { vesting_contracts: rows, ...(await addressBookOnly(context, query, rows)) };
}
