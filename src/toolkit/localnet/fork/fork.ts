import { Cell } from '@ton/core';
import { libraryHashes } from '../../accounts/codeHashes';
import type { SourcedAccount, StateFidelity } from '../../accounts/libraryShelf';
import { WorkbenchError, toWorkbenchError } from '../../base/errors';
import type { ChainSettings, ForkPoint, ForkStatus, JournalEntry } from '../records/blockInput';

/** A fork's access to its chain. */
export interface ForkChain {
  /** Whether the account is in the ledger. */
  has(address: string): boolean;
  /** Adds a state (ShardAccount, BoC) as if the account had always had it. */
  adopt(address: string, shardAccount: Buffer): void;
  librariesChanged(): void;
  record(entry: JournalEntry): void;
}

/** Maximum libraries for one account or message. */
const mostLibraries = 64;

/** The accounts and libraries of another network, read on first use and then stored. */
export class Fork {
  /** Libraries read so far. */
  readonly libraries = new Map<string, Cell>();
  readonly #known = new Map<string, StateFidelity | 'absent'>();
  readonly #loading = new Map<string, Promise<void>>();
  /** Libraries the network does not have. */
  readonly #missing = new Set<string>();
  #failure: string | null = null;

  constructor(
    readonly point: ForkPoint,
    /** What the fork starts with, mainly the network's configuration. */
    readonly settings: ChainSettings,
    /** Undefined only while reading a state that turns out to be a fork. */
    private readonly source: ForkSource | undefined,
    private readonly chain: ForkChain,
  ) {}

  /** How completely an account's state was read; undefined if it was not read or was created here. */
  fidelity(address: string): StateFidelity | undefined {
    const known = this.#known.get(address);
    return known === 'absent' ? 'exact' : known;
  }

  /** What was read, by account. */
  get accounts(): ReadonlyMap<string, StateFidelity | 'absent'> {
    return this.#known;
  }

  status(): ForkStatus {
    const { network, url, seqno, genUtime } = this.point;
    const count = (kind: string): number =>
      [...this.#known.values()].filter((known) => known === kind).length;
    return {
      network,
      url,
      seqno,
      genUtime,
      exact: count('exact'),
      partial: count('partial'),
      absent: count('absent'),
      libraries: this.libraries.size,
      failure: this.#failure,
    };
  }

  /** Whether {@link load} has nothing to do. */
  knows(address: string): boolean {
    return this.chain.has(address) || this.#known.has(address) || !/^(?:0|-1):/.test(address);
  }

  /** Makes sure that the ledger has the account if the network has it. Throws the errors of reading. */
  async load(address: string): Promise<void> {
    if (this.knows(address)) {
      return;
    }
    let loading = this.#loading.get(address);
    if (loading === undefined) {
      loading = this.#read(address).finally(() => this.#loading.delete(address));
      this.#loading.set(address, loading);
    }
    await loading;
  }

  async #read(address: string): Promise<void> {
    const { shardAccount, fidelity } = await this.#noting((source) => source.account(this.point, address));
    await this.loadLibraries(shardAccount);
    if (this.knows(address)) {
      return;
    }
    const boc = Buffer.from(shardAccount, 'base64');
    const isAbsent = Cell.fromBoc(boc)[0]?.refs[0]?.bits.length === 1;
    const entry = {
      type: 'fetched' as const,
      address,
      fidelity,
      shardAccount: isAbsent ? Buffer.alloc(0) : boc,
    };
    this.chain.record(entry);
    this.restore(entry);
  }

  /** Loads the libraries that a BoC (base64) refers to, if the network has them. */
  async loadLibraries(boc: string): Promise<void> {
    const wanted = libraryHashes(boc);
    for (let count = 0; count < mostLibraries; count += 1) {
      const hash = wanted.pop();
      if (hash === undefined) {
        return;
      }
      const library = await this.loadLibrary(hash);
      if (library !== undefined) {
        wanted.push(...libraryHashes(library));
      }
    }
  }

  /** One library by hash (lowercase hex); returns its BoC if it is new here. */
  async loadLibrary(hash: string): Promise<string | undefined> {
    if (this.libraries.has(hash) || this.#missing.has(hash)) {
      return undefined;
    }
    const library = await this.#noting((source) => source.library(this.point, hash));
    if (library === undefined) {
      this.#missing.add(hash);
      return undefined;
    }
    const entry = { type: 'library' as const, boc: Buffer.from(library, 'base64') };
    this.chain.record(entry);
    this.restore(entry);
    return library;
  }

  /** Replays a journal entry. */
  restore(entry: Extract<JournalEntry, { type: 'fetched' | 'library' }>): void {
    if (entry.type === 'library') {
      const [cell] = Cell.fromBoc(entry.boc);
      if (cell !== undefined) {
        this.libraries.set(cell.hash().toString('hex'), cell);
        this.chain.librariesChanged();
      }
      return;
    }
    const isAbsent = entry.shardAccount.length === 0;
    this.#known.set(entry.address, isAbsent ? 'absent' : entry.fidelity);
    if (!isAbsent) {
      this.chain.adopt(entry.address, entry.shardAccount);
    }
  }

  async #noting<T>(read: (source: ForkSource) => Promise<T>): Promise<T> {
    try {
      if (this.source === undefined) {
        throw new Error('the fork has no network to read from');
      }
      const value = await read(this.source);
      this.#failure = null;
      return value;
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
      throw forkReadError(this.point, error);
    }
  }
}

export function forkNeededError(folder: string, { network, url, seqno }: ForkPoint): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-fork-needed',
    kind: 'input',
    message: `The state in ${folder} is a fork of ${network} at block ${seqno}, and the network to read from is unknown.`,
    hint: `Start it as a fork of ${network} (--fork ${url}), or choose another folder.`,
    details: { folder, network, url, seqno },
  });
}

/**
 * An account, library or configuration could not be read from the network that the fork reads from:
 * `fork-read-failed`. Cancellation is passed on unchanged.
 */
function forkReadError({ network, url }: ForkPoint, thrown: unknown): WorkbenchError {
  const error = toWorkbenchError(thrown);
  if (error.code === 'aborted') {
    return error;
  }
  const { kind, message } = error;
  return new WorkbenchError({
    code: 'fork-read-failed',
    kind,
    message: `this fork could not read from ${network}: ${message}`,
    hint:
      error.code === 'fork-block-replaced'
        ? error.hint
        : 'Check that the network is running and reachable, then try again.',
    details: { network, url },
    cause: thrown,
  });
}

export function forkMismatchError(
  folder: string,
  point: ForkPoint | undefined,
  wish: ForkWish,
): WorkbenchError {
  const kept =
    point === undefined
      ? 'is not a fork'
      : `is a fork of ${point.network} (${point.url}) at block ${point.seqno}`;
  const wished = wish.seqno === undefined ? wish.url : `${wish.url} at block ${wish.seqno}`;
  return new WorkbenchError({
    code: 'localnet-fork-mismatch',
    kind: 'input',
    message: `The state in ${folder} ${kept}; you asked for a fork of ${wished}.`,
    hint: 'Choose another folder for this fork, or delete that one.',
    details: { folder, kept: point, wished: wish },
  });
}

/** Where a fork reads what it does not have yet. Everything is as of the point; nothing is requested twice. */
export interface ForkSource {
  /** Chooses the block; called once in a fork's life. */
  pin(): Promise<ForkPoint>;
  /** @param address raw, lowercase */
  account(point: ForkPoint, address: string): Promise<SourcedAccount>;
  /** BoC, base64; undefined if the network has none with this hash (lowercase hex). */
  library(point: ForkPoint, hash: string): Promise<string | undefined>;
  /** BoC, base64; undefined if the service does not provide it. */
  config(point: ForkPoint): Promise<string | undefined>;
}

/** The requested fork: enough to tell whether a saved state is that fork. */
export interface ForkWish {
  network: string;
  url: string;
  /** Undefined means the newest block, or that of the saved state. */
  seqno?: number | undefined;
}
