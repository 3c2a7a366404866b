import { Address, Cell } from '@ton/core';
import { loadAnyTransaction } from '../cell/loadFolded';
import { askIfPresent } from '../access/askIfPresent';
import type { Access, CallOptions } from '../access/createAccess';
import { wrongShapeError } from '../access/errors';
import { v3Endpoints } from '../access/v3/v3Endpoints';
import type { V3Block } from '../api/v3Blocks';
import { WorkbenchError } from '../base/errors';
import { archiveError, blockUnknownError, fromArchive } from './fromArchive';
import type { AccountSource, SourcedAccount } from './libraryShelf';
import { makeShardAccount } from './makeShardAccount';
import { readShardAccount } from './readShardAccount';

/** Where and how states are read. */
export interface AccountSourceParameters {
  access: Access;
  /** Masterchain block to read at; default: the newest. */
  seqno?: number | undefined;
  /** A previously pinned block with its facts: no request is made for it. */
  pinned?: PinnedBlock | undefined;
  /**
   * Reads at the block even if it is the newest one, so that later reads are not newer. Implied by the other options.
   */
  hold?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** A masterchain block with its time. */
interface PinnedBlock {
  seqno: number;
  /** Unix seconds. */
  genUtime: number;
  /** Logical time at which it ended. */
  endLt: bigint;
  /** Lowercase hex; undefined if it is not known. */
  rootHash?: string | undefined;
}

/**
 * A source over the access layer, pinned to one masterchain block. Every account, library, and the configuration is
 * fetched once. Reading needs no key.
 *
 * @throws WorkbenchError `block-unknown` (input) if the network has no such block, `archive-unavailable` if it
 *   cannot provide states of that block, and the access layer's errors
 */
export async function createAccountSource(parameters: AccountSourceParameters): Promise<AccountSource> {
  const { access, seqno, pinned, hold = false, signal } = parameters;
  if (seqno !== undefined && access.network.v2 === undefined) {
    throw archiveError(access.network.name, seqno);
  }
  const block =
    pinned ?? (await fromArchive(access, seqno, () => pinBlock(access, seqno, { signal, priority: 'user' })));
  const reader = new Reader(access, block.seqno, hold || seqno !== undefined || pinned !== undefined);
  const remember = rememberer();
  const isHeld = hold || pinned !== undefined;
  const check = (signal?: AbortSignal): Promise<void> =>
    checkBlock(access, block, { signal, priority: 'user' });
  /** What was read is of the pinned block only if the network has that block afterwards. */
  const checked = async <T>(read: Promise<T>, signal?: AbortSignal): Promise<T> => {
    const value = await read;
    if (isHeld) {
      // The blocks of a public network stay what they are while a fork runs.
      const isPublic = access.network.kind === 'mainnet' || access.network.kind === 'testnet';
      await (isPublic ? remember('block', () => check(signal)) : check(signal));
    }
    return value;
  };
  return {
    origin: access.network.name,
    ...block,
    account: (address, signal) =>
      remember(`account|${address}`, () =>
        checked(reader.account(address, { signal, priority: 'user' }), signal),
      ),
    library: (hash, signal) =>
      remember(`library|${hash}`, () => reader.library(hash, { signal, priority: 'user' })),
    config: (signal) =>
      remember('config', () => checked(reader.config({ signal, priority: 'user' }), signal)),
  };
}

async function pinBlock(
  access: Access,
  seqno: number | undefined,
  options: CallOptions,
): Promise<PinnedBlock> {
  if (access.network.v3 !== undefined) {
    const found = await pinOverV3(access, seqno, options);
    if (found !== undefined) {
      return found;
    }
    if (access.network.v2 === undefined) {
      throw wrongShapeError(v3Endpoints.masterchainInfo, { path: ['last', 'seqno'], expected: 'a value' });
    }
  }
  const { last } = await access.v2.getMasterchainInfo({}, options);
  const wanted = seqno ?? last.seqno;
  const { workchain, shard } = last;
  const header = await access.v2.getBlockHeader({ workchain, shard, seqno: wanted }, options);
  const { gen_utime: genUtime = 0, end_lt: endLt, id } = header;
  return { seqno: wanted, genUtime, endLt, rootHash: id.root_hash };
}

/** Undefined if the service's newest block lacks what a rehearsal needs: its number, time, or end. */
async function pinOverV3(
  access: Access,
  seqno: number | undefined,
  options: CallOptions,
): Promise<PinnedBlock | undefined> {
  const { last } = await access.v3.masterchainInfo({}, options);
  const wanted = seqno ?? last?.seqno ?? undefined;
  if (wanted === undefined) {
    return undefined;
  }
  if (wanted === last?.seqno) {
    return pinnedBlock(wanted, last);
  }
  const place = { workchain: -1, shard: '8000000000000000', seqno: wanted };
  const { blocks } = await access.v3.blocks(place, options);
  const block = blocks?.[0];
  if (blocks !== undefined && block === undefined) {
    throw blockUnknownError(wanted, access.network.name);
  }
  return block === undefined ? undefined : pinnedBlock(wanted, block);
}

function pinnedBlock(
  seqno: number,
  {
    gen_utime: genUtime,
    end_lt: endLt,
    root_hash: rootHash,
  }: Partial<Pick<V3Block, 'gen_utime' | 'end_lt' | 'root_hash'>>,
): PinnedBlock | undefined {
  return genUtime == null || endLt == null
    ? undefined
    : { seqno, genUtime, endLt, rootHash: rootHash ?? undefined };
}

/** @throws WorkbenchError `fork-block-replaced` (service) if the network has another block of this number by now */
async function checkBlock(
  access: Access,
  { seqno, rootHash }: PinnedBlock,
  options: CallOptions,
): Promise<void> {
  if (rootHash === undefined) {
    return;
  }
  const now = await pinBlock(access, seqno, options);
  if (now.rootHash !== undefined && now.rootHash !== rootHash) {
    throw new WorkbenchError({
      code: 'fork-block-replaced',
      kind: 'service',
      message: `Block ${seqno} of ${access.network.name} is another one now: that network was restored or started anew.`,
      hint: 'Start a new fork of it.',
      details: { seqno, rootHash, now: now.rootHash },
    });
  }
}

/** Makes each request once. Failures are not cached. */
function rememberer(): <T>(key: string, ask: () => Promise<T>) => Promise<T> {
  const asked = new Map<string, Promise<unknown>>();
  return <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const before = asked.get(key) as Promise<T> | undefined;
    if (before !== undefined) {
      return before;
    }
    const answer = ask();
    asked.set(key, answer);
    answer.catch(() => asked.delete(key));
    return answer;
  };
}

/** Keeps what its service lacks no longer than it lives: a 404 may also be about the block that it reads at. */
class Reader {
  constructor(
    private readonly access: Access,
    private readonly seqno: number,
    /** Whether reads must be of that block, not of the newest. */
    private readonly held: boolean,
  ) {}

  async account(address: string, options: CallOptions): Promise<SourcedAccount> {
    return fromArchive(
      this.access,
      this.seqno,
      async () => (await this.#exact(address, options)) ?? this.#partial(address, options),
    );
  }

  async library(hash: string, options: CallOptions): Promise<string | undefined> {
    if (this.access.network.v2 === undefined) {
      return undefined;
    }
    const { result } = await this.access.v2.getLibraries({ libraries: [hash] }, options);
    return result.find((entry) => entry.hash === hash)?.data;
  }

  async config(options: CallOptions): Promise<string | undefined> {
    if (this.access.network.v2 === undefined) {
      return undefined;
    }
    const answer = await askIfPresent({ method: 'getConfigAll', keeper: this, or422: true }, () =>
      fromArchive(this.access, this.seqno, () => this.access.v2.getConfigAll(this.#at(), options)),
    );
    return answer?.config.bytes;
  }

  /** The newest state is requested without a block: services answer that sooner than for a block just made. */
  #at(): { seqno?: number } {
    return this.held ? { seqno: this.seqno } : {};
  }

  async #exact(address: string, options: CallOptions): Promise<SourcedAccount | undefined> {
    if (this.access.network.v2 === undefined) {
      return undefined;
    }
    const shardAccount = await askIfPresent(
      { method: 'getShardAccountCell', keeper: this, or422: true },
      () => readShardAccount(this.access, { address, ...this.#at() }, options),
    );
    return shardAccount === undefined ? undefined : { shardAccount, fidelity: 'exact' };
  }

  async #partial(address: string, options: CallOptions): Promise<SourcedAccount> {
    const { v2 } = this.access.network;
    const state =
      v2 === undefined ? await this.#overV3(address, options) : await this.#overV2(address, options);
    const last = state.lastLt === 0n ? undefined : await this.#lastTransaction(address, state, options);
    const cell = (boc: string): Cell | undefined => (boc === '' ? undefined : Cell.fromBase64(boc));
    const shardAccount = makeShardAccount({
      ...state,
      address: Address.parse(address),
      code: cell(state.code),
      data: cell(state.data),
      lastMessages: last?.messages ?? 0,
      lastPaid: last?.time ?? state.time,
    });
    return { shardAccount, fidelity: 'partial' };
  }

  async #overV2(address: string, options: CallOptions): Promise<ServiceState> {
    const info = await this.access.v2.getAddressInformation({ address, ...this.#at() }, options);
    const { lt, hash } = info.last_transaction_id;
    const isUsed = lt !== 0n || info.balance !== 0n;
    return {
      status:
        info.state === 'active' || info.state === 'frozen' ? info.state : isUsed ? 'uninit' : 'nonexist',
      balance: info.balance,
      code: info.code,
      data: info.data,
      frozenHash: info.frozen_hash || undefined,
      lastLt: lt,
      lastHash: hash,
      time: info.sync_utime ?? 0,
    };
  }

  async #overV3(address: string, options: CallOptions): Promise<ServiceState> {
    const info = await this.access.v3.addressInformation({ address, use_v2: false }, options);
    const lastLt = info.last_transaction_lt ?? 0n;
    const { balance } = info;
    if (balance == null) {
      throw wrongShapeError(v3Endpoints.addressInformation, { path: ['balance'], expected: 'a value' });
    }
    const isUsed = lastLt !== 0n || balance !== 0n;
    return {
      status:
        info.status === 'active' || info.status === 'frozen' ? info.status : isUsed ? 'uninit' : 'nonexist',
      balance,
      code: info.code ?? '',
      data: info.data ?? '',
      frozenHash: info.frozen_hash ?? undefined,
      lastLt,
      lastHash: info.last_transaction_hash ?? undefined,
      time: 0,
    };
  }

  /**
   * Storage is paid until the last transaction, and its messages used up logical times: the next transaction needs
   * both. Undefined if unknown.
   */
  async #lastTransaction(
    address: string,
    { lastLt: lt, lastHash: hash }: ServiceState,
    options: CallOptions,
  ): Promise<{ time: number; messages: number } | undefined> {
    try {
      if (this.access.network.v2 === undefined) {
        const { transactions } = await this.access.v3.transactions(
          { account: [address], start_lt: lt, end_lt: lt, limit: 1 },
          options,
        );
        const last = transactions?.[0];
        return last?.now == null ? undefined : { time: last.now, messages: last.out_msgs?.length ?? 0 };
      }
      const at = hash === undefined ? {} : { lt, hash };
      const [last] = await this.access.v2.getTransactions({ address, ...at, limit: 1 }, options);
      if (last === undefined) {
        return undefined;
      }
      const { now, outMessagesCount } = loadAnyTransaction(Cell.fromBase64(last.data));
      return { time: now, messages: outMessagesCount };
    } catch {
      return undefined;
    }
  }
}

interface ServiceState {
  status: 'nonexist' | 'uninit' | 'active' | 'frozen';
  balance: bigint;
  /** BoCs in base64, empty if there are none. */
  code: string;
  data: string;
  frozenHash: string | undefined;
  lastLt: bigint;
  lastHash: string | undefined;
  /** Unix seconds of the state; 0 if unknown. */
  time: number;
}
