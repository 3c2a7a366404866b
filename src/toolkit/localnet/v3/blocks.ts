import type * as z from 'zod';
import type { v3Endpoints } from '../../access/v3/v3Endpoints';
import { canonicalAddress } from '../../address/canonicalAddress';
import type { V3Block } from '../../api/v3Blocks';
import type {
  Exact,
  V3AccountStateFull,
  V3AddressBookRow,
  V3MetadataRow,
  V3TokenInfo,
} from '../../api/v3Objects';
import { v3JettonWalletExtra } from '../../api/v3Objects';
import { writeAnswer } from '../../api/writeAnswer';
import { readTokenContent } from '../../cell/tokenContent';
import { blockSeed } from '../../execution/emulator/emulator';
import { localWallets } from '../../contracts/opcodes/walletCodes';
import { mapInTurns } from '../../base/turns';
import { ApiError, stateSourceField } from '../api/apiError';
import { friendlyAddress } from '../api/requestParameters';
import { codeBoc, dataBoc } from '../chain/executeGetMethod';
import type { LocalChain } from '../chain/localChain';
import type { AccountRecord, BlockRecord } from '../records/records';
import type { Token } from '../tokens/readToken';
import { inRanges, takePage } from './page';
import type { Query } from './query';
import { walk } from './selectTransactions';
import type { V3Context } from './v3Context';
import { basechainShard } from './v3Context';

type Side = readonly [block: BlockRecord, workchain: 0 | -1];

/** GET /masterchainInfo. */
export function v3MasterchainInfo({ chain }: V3Context): V3Answer<'masterchainInfo'> {
  const first = chain.ledger.blocks[0] ?? chain.ledger.last;
  return { last: encodeBlock(chain, chain.ledger.last, -1), first: encodeBlock(chain, first, -1) };
}

/** GET /blocks, by generation time. */
export function blocks({ chain }: V3Context, query: Query): V3Answer<'blocks'> {
  const page = query.page();
  const workchain = query.integer('workchain');
  const shard = query.shard('shard');
  const seqno = query.integer('seqno') ?? query.integer('mc_seqno');
  const hashes = [query.hash('root_hash'), query.hash('file_hash')];
  const ranges = query.ranges();
  const { ledger } = chain;
  const byHash = hashes.find((hash) => hash !== undefined);
  const exact = byHash === undefined ? seqno : (ledger.blockByHash(byHash)?.seqno ?? 0);
  const records = exact === undefined ? walk(ledger.blocks, page.ascending) : only(ledger.block(exact));
  const matches = function* (): Iterable<Side> {
    for (const block of records) {
      for (const side of [[block, -1] as const, [block, 0] as const]) {
        const { rootHash, fileHash } = side[1] === -1 ? block.master : block.shard;
        if (
          (workchain === undefined || side[1] === workchain) &&
          (shard === undefined || shard === '8000000000000000') &&
          (hashes[0] === undefined || hashes[0] === rootHash) &&
          (hashes[1] === undefined || hashes[1] === fileHash) &&
          inRanges(ranges, block.genUtime, block.startLt)
        ) {
          yield side;
        }
      }
    }
  };
  return { blocks: takePage(matches(), page).map((side) => encodeBlock(chain, ...side)) };
}

/** GET /masterchainBlockShardState and /masterchainBlockShards: each block here has one shard block. */
export function shardBlocks({ chain }: V3Context, query: Query): V3Answer<'masterchainBlockShards'> {
  const block = chain.ledger.block(query.integer('seqno') ?? 0);
  if (block === undefined) {
    throw new ApiError(404, 'blocks not found');
  }
  return { blocks: [encodeBlock(chain, block, 0)] };
}

function only<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** One of the two blocks of a seqno, as described by the indexed API. */
function encodeBlock(chain: LocalChain, block: BlockRecord, workchain: 0 | -1): Exact<V3Block> {
  const { seqno } = block;
  const hashes = workchain === -1 ? block.master : block.shard;
  const id = { workchain, shard: basechainShard };
  return {
    ...id,
    seqno,
    root_hash: hashes.rootHash,
    file_hash: hashes.fileHash,
    global_id: chain.config.globalId,
    version: 0,
    after_merge: false,
    before_split: false,
    after_split: false,
    want_merge: false,
    want_split: false,
    key_block: workchain === -1 && seqno === chain.ledger.firstSeqno,
    vert_seqno_incr: false,
    flags: 1,
    gen_utime: block.genUtime,
    start_lt: block.startLt,
    end_lt: block.endLt,
    validator_list_hash_short: 0,
    gen_catchain_seqno: 0,
    min_ref_mc_seqno: seqno,
    prev_key_block_seqno: seqno === chain.ledger.firstSeqno ? 0 : chain.ledger.firstSeqno,
    vert_seqno: 0,
    master_ref_seqno: workchain === -1 ? 0 : seqno - 1,
    rand_seed: blockSeed(seqno).toString('hex'),
    created_by: Buffer.alloc(32).toString('hex'),
    tx_count: block.transactions.filter((t) => t.account.address.startsWith('-1:') === (workchain === -1))
      .length,
    masterchain_block_ref: { workchain: -1, shard: basechainShard, seqno },
    prev_blocks: seqno === 1 ? [] : [{ ...id, seqno: seqno - 1 }],
  };
}

/** What follows the rows of an answer, by raw address. */
export interface Books {
  address_book: Record<string, Exact<V3AddressBookRow>>;
  metadata: Record<string, Exact<V3MetadataRow>>;
}

/** Address book and metadata for every address in an answer. */
export async function books(context: V3Context, query: Query, answer: unknown): Promise<Books> {
  const addresses = await addressesIn(answer);
  await context.tokens.refresh();
  return {
    address_book: query.hides('address_book')
      ? {}
      : await rows(addresses, (address) => addressBookRow(context, address)),
    metadata: query.hides('metadata') ? {} : await metadataRows(context, addresses),
  };
}

/** For the few answers without metadata. */
export async function addressBookOnly(
  context: V3Context,
  query: Query,
  answer: unknown,
): Promise<Pick<Books, 'address_book'>> {
  const { address_book } = await books(context, query, answer);
  return { address_book };
}

async function rows<Row>(
  addresses: Iterable<string>,
  row: (address: string) => Row | undefined,
): Promise<Record<string, Row>> {
  const found = await mapInTurns(addresses, (address) => [address, row(address)] as const);
  return Object.fromEntries(found.flatMap(([address, one]) => (one === undefined ? [] : [[address, one]])));
}

const interfaceNames: Record<Token['kind'], string> = {
  'jetton-master': 'jetton_master',
  'jetton-wallet': 'jetton_wallet',
  'nft-collection': 'nft_collection',
  'nft-item': 'nft_item',
  'nft-sale': 'nft_sale',
  multisig: 'multisig_v2',
  'multisig-order': 'multisig_order_v2',
  vesting: 'vesting',
};

/** Interfaces of an account, as far as its code and get-methods show. */
function interfacesOf({ tokens }: V3Context, account: AccountRecord | undefined): string[] {
  const codeHash = account?.versions.at(-1)?.codeHash ?? null;
  const wallet = codeHash === null ? undefined : localWallets.get(codeHash);
  const token = account === undefined ? undefined : tokens.known(account.address);
  return [
    ...(wallet === undefined ? [] : [wallet.interface]),
    ...(token === undefined ? [] : [interfaceNames[token.kind]]),
  ];
}

/** Wallets and accounts without code are shown non-bounceable. */
export function addressBookRow(context: V3Context, address: string): Exact<V3AddressBookRow> {
  const account = context.ledger.accounts.get(address);
  const codeHash = account?.versions.at(-1)?.codeHash ?? null;
  return {
    user_friendly: friendlyAddress(address, codeHash !== null && !localWallets.has(codeHash)),
    domain: context.tokens.domainOf(address),
    interfaces: interfacesOf(context, account),
  };
}

/** Metadata of tokens; a jetton wallet's comes with its master's, which has the symbol and the decimals. */
export async function metadataRows(
  context: V3Context,
  addresses: Iterable<string>,
): Promise<Record<string, Exact<V3MetadataRow>>> {
  const all = new Set(addresses);
  for (const address of [...all]) {
    const token = context.tokens.known(address);
    if (token?.kind === 'jetton-wallet' && token.jetton !== null) {
      all.add(token.jetton);
    }
  }
  return rows(all, (address) => metadataRow(context, address));
}

/** Only tokens have one. */
function metadataRow({ tokens }: V3Context, address: string): Exact<V3MetadataRow> | undefined {
  const token = tokens.known(address);
  const info = token === undefined ? undefined : tokenInfo(token);
  return info === undefined ? undefined : { is_indexed: true, token_info: [info] };
}

function tokenInfo(token: Token): Exact<V3TokenInfo> | undefined {
  switch (token.kind) {
    case 'jetton-wallet':
      return {
        valid: true,
        type: 'jetton_wallets',
        extra: extraOf(token),
      };
    case 'jetton-master':
      return { valid: true, type: 'jetton_masters', ...contentInfo(token.content) };
    case 'nft-collection':
      return { valid: true, type: 'nft_collections', ...contentInfo(token.content) };
    case 'nft-item': {
      const info = token.fullContent === null ? {} : contentInfo(token.fullContent);
      return { valid: true, type: 'nft_items', nft_index: token.index.toString(), ...info };
    }
    default:
      return undefined;
  }
}

function extraOf({
  balance,
  owner,
  jetton,
}: Extract<Token, { kind: 'jetton-wallet' }>): Record<string, unknown> {
  return writeAnswer(v3JettonWalletExtra, { balance, owner, jetton }) as Record<string, unknown>;
}

function contentInfo(content: Parameters<typeof readTokenContent>[0]): Exact<V3TokenInfo> {
  const { name, symbol, description, image, ...extra } = readTokenContent(content).attributes;
  return {
    ...(name === undefined ? {} : { name }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(description === undefined ? {} : { description }),
    ...(image === undefined ? {} : { image }),
    extra,
  };
}

const rawForm = /^-?\d+:[0-9a-f]{64}$/i;

/**
 * Every address in an answer; raw ones are recognized by their form, also in action details, which are in wire
 * format.
 */
export async function addressesIn(answer: unknown): Promise<Set<string>> {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length >= 66 && value.length <= 69 && rawForm.test(value)) {
        found.add(value);
      }
    } else if (Array.isArray(value)) {
      value.forEach(collect);
    } else if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(collect);
    }
  };
  // Row by row, and in a trace transaction by transaction.
  await mapInTurns(containersIn(answer, 3), collect);
  return new Set([...found].map((address) => canonicalAddress(address) ?? address));
}

/** The parts of a value this many levels down, or at its end. */
function* containersIn(value: unknown, depth: number): Iterable<unknown> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield value;
  } else {
    for (const inner of Object.values(value)) {
      yield* containersIn(inner, depth - 1);
    }
  }
}

const zeroHash = '00'.repeat(32);

/** GET /accountStates. Unknown accounts are omitted. Every error is a 422. */
export async function accountStates(context: V3Context, query: Query): Promise<V3Answer<'accountStates'>> {
  const addresses = query.addresses('address');
  if (addresses.length === 0) {
    throw new ApiError(422, 'address of account is required');
  }
  if (addresses.length > 1000) {
    throw new ApiError(422, 'maximum 1000 addresses allowed');
  }
  const withBocs = query.flag('include_boc', true);
  await context.tokens.refresh();
  const accounts = [...new Set(addresses)]
    .map((address) => context.chain.ledger.accounts.get(address))
    .filter((account) => account !== undefined)
    .map((account) => encodeAccount(context, account, withBocs));
  return { accounts, ...(await books(context, query, accounts)) };
}

function encodeAccount(
  context: V3Context,
  account: AccountRecord,
  withBocs: boolean,
): Exact<V3AccountStateFull> {
  const { facts } = account;
  const codeHash = account.versions.at(-1)?.codeHash ?? null;
  return {
    address: account.address,
    account_state_hash: facts.account.hexHash,
    balance: facts.balance,
    extra_currencies: { ...facts.extraCurrencies },
    status: facts.status,
    ...(facts.frozenHash === null ? {} : { frozen_hash: facts.frozenHash }),
    last_transaction_hash: facts.lastTransactionHash,
    last_transaction_lt: facts.lastTransactionLt,
    ...(facts.data === null ? {} : { data_hash: facts.data.hexHash }),
    ...(codeHash === null ? {} : { code_hash: codeHash }),
    ...(withBocs && facts.data !== null ? { data_boc: dataBoc(account) } : {}),
    ...(withBocs && facts.code !== null ? { code_boc: codeBoc(account, facts.code) } : {}),
    contract_methods: context.tokens.methodsOf(account),
    interfaces: interfacesOf(context, account),
    ...stateSourceField(context.chain, account.address),
  };
}

/** GET /addressInformation. */
export function addressInformation({ chain }: V3Context, query: Query): V3Answer<'addressInformation'> {
  const address = query.address('address');
  if (address === undefined) {
    throw new ApiError(401, 'address of account is required');
  }
  const account = chain.ledger.accounts.get(address);
  const status = account?.facts.status ?? 'nonexist';
  const word = status === 'nonexist' ? 'uninit' : status;
  const facts = account?.facts;
  return {
    balance: facts?.balance ?? 0n,
    code: account === undefined || facts?.code == null ? null : codeBoc(account, facts.code),
    data: account === undefined || facts?.data == null ? null : dataBoc(account),
    last_transaction_lt: facts?.lastTransactionLt ?? 0n,
    last_transaction_hash: facts?.lastTransactionHash ?? zeroHash,
    frozen_hash: facts?.frozenHash ?? null,
    status: query.flag('use_v2', true) && word === 'uninit' ? 'uninitialized' : word,
  };
}

export type V3Name = keyof typeof v3Endpoints;

/** An indexed API answer before it is written as JSON: a wrong field name does not compile. */
export type V3Answer<Name extends V3Name> = Exact<z.output<(typeof v3Endpoints)[Name]['result']>>;
