import { Cell, loadMessage, loadShardAccount } from '@ton/core';
import type { Access, CallOptions } from '../access/createAccess';
import { createAccountSource } from '../accounts/createAccountSource';
import { fromArchive } from '../accounts/fromArchive';
import type { SourcedAccount } from '../accounts/libraryShelf';
import { LibraryShelf } from '../accounts/libraryShelf';
import type { V3Transaction } from '../api/v3Objects';
import { loadAnyTransaction, loadFolded } from '../cell/loadFolded';
import { keepNewest } from '../base/collections';
import { limits } from '../base/limits';
import type { PastTransaction, ReplayInputs } from './replayInputs';
import { fetchPreviousBlocks, previousBlocksUse } from './replayInputs';
import { pastMessage, replayImpossibleError, replayNotFoundError } from './replayErrors';

/** What replaying a transaction costs because of earlier ones of its account. */
export interface ReplayCost {
  /** How many of the account's transactions must run first. */
  earlier: number;
  /** Requests still to be made. */
  requests: number;
}

/** How the inputs are gathered. */
export interface GatherOptions {
  signal?: AbortSignal | undefined;
  /** Asked before many transactions are fetched; false cancels. Default: go on. */
  confirm?: ((cost: ReplayCost) => Promise<boolean>) | undefined;
}

const knownWorkchains: ReadonlySet<number> = new Set([0, -1]);
const mostEarlier = limits.replayEarlier.most;
/** Transactions of one v2 answer: every kind of service gives so many. */
const page = 100;
/** Answers kept for further replays on the same network. */
const keptAnswers = 500;

/**
 * Gathers what a transaction depended on, over v2 and v3 of one network. Blocks, transactions, and configurations never
 * change once they exist: they are asked for once. A local network can return to an earlier block, so nothing is kept
 * of it.
 */
export class ReplaySource {
  /** Requests made so far. */
  requests = 0;
  readonly #kept = new Map<string, Promise<unknown>>();

  /** @param onRequest called before each request, with their number so far */
  constructor(
    private readonly access: Access,
    private readonly onRequest: (requests: number) => void = () => undefined,
  ) {}

  /**
   * @param given hash of the transaction, or of the message that caused it; lowercase hex
   * @throws WorkbenchError `replay-not-found`, `replay-impossible`, `archive-unavailable`, `aborted`, and the errors of
   *   the access layer
   */
  async gather(given: string, { signal, confirm }: GatherOptions = {}): Promise<ReplayInputs> {
    const { v2, v3, name } = this.access.network;
    if (v2 === undefined || v3 === undefined) {
      const missing = v2 === undefined ? 'v2' : 'v3';
      throw replayImpossibleError(
        `${name} has no ${missing} API, and a replay needs both: v3 for the block, v2 for the raw transaction and the state.`,
        `Add the URL of its ${missing} API, or choose another network.`,
      );
    }
    const call: CallOptions = { signal, priority: 'user' };
    const found = await this.#find(given, call);
    const { hash, account, lt } = found;
    const workchain = Number(account.split(':')[0]);
    if (!knownWorkchains.has(workchain)) {
      throw replayImpossibleError(
        `The account is in workchain ${workchain}. Replays know the rules of the workchains 0 and -1 only.`,
      );
    }
    const block = await this.#block(found.block, call);
    const source = await createAccountSource({
      access: this.access,
      pinned: { seqno: Math.max(1, block.seqno - 1), genUtime: block.genUtime, endLt: block.startLt },
    });
    const state = await this.#count(source.account(account, signal));
    const after = lastLtOf(state);
    if (after >= lt) {
      throw replayImpossibleError(
        `The service of ${this.access.network.name} gave a state of ${account} that is newer than the transaction.`,
        'Use a service that keeps an archive.',
      );
    }
    const cells = await this.#cells({ account, lt, hash, after, seqno: block.seqno, confirm, call });
    const seeds = await this.#seeds(cells, { account, lt, block: found.block, seed: block.seed }, call);
    const config = await this.#config(block.seqno, call);
    const libraries = new LibraryShelf({
      library: (library, stop) => this.#count(source.library(library, stop)),
    });
    const messages = cells.map(pastMessage).filter((message) => message !== undefined);
    await libraries.fetchFor([state.shardAccount, ...messages.map(base64)], signal);
    const past = cells.map((cell, index): PastTransaction => ({ boc: base64(cell), seed: seeds[index]! }));
    return {
      network: this.access.network.name,
      account,
      seqno: block.seqno,
      target: past.at(-1)!,
      state,
      earlier: past.slice(0, -1),
      config,
      libraries: libraries.cells().map(base64),
      missingLibraries: libraries.missing,
      ...(this.access.network.kind === 'local' ? { isOurs: true } : {}),
      ...(await this.#previousBlocks(
        [state.shardAccount, ...messages.map(base64)],
        libraries.cells(),
        block,
        call,
      )),
    };
  }

  /** The previous blocks, if the code reads them. The local network gives its code none. */
  async #previousBlocks(
    bocs: readonly string[],
    libraries: readonly Cell[],
    { referred }: FoundBlock,
    call: CallOptions,
  ): Promise<Pick<ReplayInputs, 'previousBlocks' | 'lacksPreviousBlocks'>> {
    if (this.access.network.kind === 'local') {
      return {};
    }
    const codes = bocs.flatMap((boc) => codeIn(Cell.fromBase64(boc)));
    const use = await previousBlocksUse([...codes, ...libraries]);
    if (use === 'none') {
      return {};
    }
    const blocks = await fetchPreviousBlocks(referred, use === 'all', async (query) => {
      const key = `blocks|${query.seqno ?? `to ${query.end_lt}`}`;
      const answer = await this.#once(key, () => this.access.v3.blocks(query, call));
      return answer.blocks ?? [];
    });
    return blocks === undefined ? { lacksPreviousBlocks: true } : { previousBlocks: blocks };
  }

  async #find(hash: string, call: CallOptions): Promise<FoundTransaction> {
    const { transactions } = await this.#once(`find|${hash}`, () =>
      this.access.v3.transactions({ hash: [hash], limit: 1 }, call),
    );
    const found = transactions?.[0] ?? (await this.#receiverOf(hash, call));
    if (found === undefined) {
      throw replayNotFoundError(hash, this.access.network.name);
    }
    if (found.emulated === true) {
      throw replayImpossibleError(
        'This transaction is not in a block yet: the service has only emulated it.',
        'Wait until it is confirmed.',
      );
    }
    const place = placeOf(found);
    if (found.hash == null || found.account == null || found.lt == null || place === undefined) {
      throw replayImpossibleError(`The service did not say in which block the transaction ${hash} is.`);
    }
    return { hash: found.hash, account: found.account, lt: found.lt, block: place };
  }

  /** The transaction that received a message; a message that is still on its way has none. */
  async #receiverOf(hash: string, call: CallOptions): Promise<V3Transaction | undefined> {
    const { transactions } = await this.#count(
      this.access.v3.transactionsByMessage({ msg_hash: [hash], direction: 'in', limit: 1 }, call),
    );
    return transactions?.[0];
  }

  async #block(place: BlockPlace, call: CallOptions): Promise<FoundBlock> {
    const { blocks } = await this.#once(`block|${placeKey(place)}`, () =>
      this.access.v3.blocks({ ...place, limit: 1 }, call),
    );
    const block = blocks?.[0];
    const seqno = place.workchain === -1 ? place.seqno : block?.masterchain_block_ref?.seqno;
    if (block?.rand_seed == null || seqno == null) {
      throw replayImpossibleError(
        `The service did not give the random seed of block ${placeKey(place)}, which the transaction ran with.`,
      );
    }
    const referred = place.workchain === -1 ? seqno - 1 : (block.master_ref_seqno ?? seqno - 1);
    return {
      seqno,
      referred,
      seed: block.rand_seed,
      genUtime: block.gen_utime ?? 0,
      startLt: block.start_lt ?? 0n,
    };
  }

  /** The account's transactions after the state up to the target, oldest first. */
  async #cells({ account, lt, hash, after, seqno, confirm, call }: Search): Promise<Cell[]> {
    const cells: Cell[] = [];
    let next = { lt, hash };
    while (next.lt > after) {
      if (cells.length === page && confirm !== undefined) {
        const cost = await this.#cost(account, after, lt, call);
        if (!(await confirm(cost))) {
          throw replayImpossibleError('The replay was not started.');
        }
      }
      const { lt: fromLt, hash: fromHash } = next;
      const got = await this.#once(`cells|${fromHash}|${after}`, () =>
        fromArchive(this.access, seqno, () =>
          this.access.v2.getTransactions(
            { address: account, lt: fromLt, hash: fromHash, to_lt: after, limit: page, archival: true },
            call,
          ),
        ),
      );
      for (const { data } of got) {
        const cell = Cell.fromBase64(data);
        if (cell.hash().toString('hex') !== next.hash) {
          break;
        }
        cells.push(cell);
        const { prevTransactionLt, prevTransactionHash } = loadAnyTransaction(cell);
        next = { lt: prevTransactionLt, hash: prevTransactionHash.toString(16).padStart(64, '0') };
      }
      if (cells.length - 1 > mostEarlier) {
        throw replayImpossibleError(
          `More than ${mostEarlier} transactions of ${account} must run before this one.`,
        );
      }
      if (next.hash === fromHash) {
        throw replayImpossibleError(`The service did not give the transaction ${fromHash} itself.`);
      }
    }
    return cells.reverse();
  }

  async #cost(account: string, after: bigint, lt: bigint, call: CallOptions): Promise<ReplayCost> {
    const { transactions } = await this.#count(
      this.access.v3.transactions(
        { account: [account], start_lt: after + 1n, end_lt: lt - 1n, limit: mostEarlier },
        call,
      ),
    );
    const earlier = transactions?.length ?? 0;
    // One page is here already; the seeds take one more request at least, the configuration another.
    return { earlier, requests: Math.ceil((earlier + 1) / page) - 1 + 2 };
  }

  /** The seeds of the blocks of `cells`. Usually all are in the target's block. */
  async #seeds(cells: readonly Cell[], target: Target, call: CallOptions): Promise<string[]> {
    const first = cells[0];
    if (first === undefined || cells.length === 1) {
      return [target.seed];
    }
    const { transactions } = await this.#once(`seeds|${first.hash().toString('hex')}|${target.lt}`, () =>
      this.access.v3.transactions(
        {
          account: [target.account],
          start_lt: loadAnyTransaction(first).lt,
          end_lt: target.lt,
          limit: mostEarlier,
          sort: 'asc',
        },
        call,
      ),
    );
    const places = new Map((transactions ?? []).map((one) => [one.hash, placeOf(one)]));
    const seeds: string[] = [];
    for (const cell of cells) {
      const place = places.get(cell.hash().toString('hex')) ?? target.block;
      const isSame = placeKey(place) === placeKey(target.block);
      seeds.push(isSame ? target.seed : (await this.#block(place, call)).seed);
    }
    return seeds;
  }

  async #config(seqno: number, call: CallOptions): Promise<string> {
    const { config } = await this.#once(`config|${seqno}`, () =>
      fromArchive(this.access, seqno, () => this.access.v2.getConfigAll({ seqno }, call)),
    );
    return config.bytes;
  }

  /** Asks once for what never changes. Failures are not kept. */
  #once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key) as Promise<T> | undefined;
    if (kept !== undefined) {
      return kept;
    }
    const answer = this.#count(ask());
    if (this.access.network.kind !== 'local') {
      keepNewest(this.#kept, key, answer, keptAnswers);
      answer.catch(() => this.#kept.delete(key));
    }
    return answer;
  }

  #count<T>(answer: Promise<T>): Promise<T> {
    this.requests += 1;
    this.onRequest(this.requests);
    return answer;
  }
}

interface BlockPlace {
  workchain: number;
  shard: string;
  seqno: number;
}

interface FoundTransaction {
  hash: string;
  account: string;
  lt: bigint;
  block: BlockPlace;
}

interface FoundBlock {
  /** Of the masterchain block. */
  seqno: number;
  /** Of the masterchain block that was the newest for its code. */
  referred: number;
  /** Lowercase hex. */
  seed: string;
  genUtime: number;
  startLt: bigint;
}

interface Search {
  account: string;
  lt: bigint;
  hash: string;
  /** Logical time of the account's last transaction in the state. */
  after: bigint;
  /** Of the masterchain block. */
  seqno: number;
  confirm: GatherOptions['confirm'];
  call: CallOptions;
}

interface Target {
  account: string;
  lt: bigint;
  block: BlockPlace;
  seed: string;
}

function placeOf({ block_ref: place }: V3Transaction): BlockPlace | undefined {
  return place?.workchain == null || place.shard == null || place.seqno == null
    ? undefined
    : { workchain: place.workchain, shard: place.shard, seqno: place.seqno };
}

function placeKey({ workchain, shard, seqno }: BlockPlace): string {
  return `(${workchain},${shard},${seqno})`;
}

function lastLtOf({ shardAccount }: SourcedAccount): bigint {
  return loadFolded(Cell.fromBase64(shardAccount), loadShardAccount).lastTransactionLt;
}

/** The code of an account, or of the state init of a message. */
function codeIn(cell: Cell): Cell[] {
  const account = readOr(() => loadFolded(cell, loadShardAccount).account);
  const state = account?.storage.state;
  const init = state === undefined ? readOr(() => loadFolded(cell, loadMessage).init) : undefined;
  const code = state?.type === 'active' ? state.state.code : init?.code;
  return code == null || code.isExotic ? [] : [code];
}

function readOr<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function base64(cell: Cell): string {
  return cell.toBoc().toString('base64');
}

/** The hash of the transaction that a replay is of: lowercase hex. */
export function targetHash({ target }: Pick<ReplayInputs, 'target'>): string {
  return Cell.fromBase64(target.boc).hash().toString('hex');
}
