import { Cell } from '@ton/core';
import type { Emulator } from '../../emulator/emulator';
import type { NetworkConfig } from '../../emulator/networkConfig';
import { importNetworkConfig } from '../../emulator/networkConfig';
import { blockSeed } from '../../emulator/seed';
import type { Log } from '../../log';
import type { Clock } from '../../time';
import type { JournalEntry } from '../storage/journalEntry';
import type { BlockContext, DryRun, QueuedMessage } from './blockBuilder';
import { BlockBuilder } from './blockBuilder';
import type { ChainSettings } from './chainSettings';
import { initialSettings } from './chainSettings';
import type { ExternalMessage } from './externalMessage';
import { readExternalMessage } from './externalMessage';
import { genesisAccounts } from './genesis';
import { ledgerUpTo, messagesUnderWay } from './history';
import type { AccountChange, BlockInput } from './ledger';
import { Ledger } from './ledger';
import { libraryDictionary } from './libraries';
import type { BlockRecord } from './records';
import { rejection } from './rejection';
import { RejectedMessageError } from './rejectedMessageError';

/** When blocks are made: some time after a message arrives, regularly, or only when told to. Milliseconds. */
export type BlockMode =
  { kind: 'automatic'; delay: number } | { kind: 'interval'; every: number } | { kind: 'manual' };

export interface LocalChainOptions {
  emulator: Emulator;
  config: NetworkConfig;
  clock: Clock;
  log: Log;
  mode: BlockMode;
  /** Keeps what happened; without it the chain lives in memory only. */
  journal?: ChainJournal | undefined;
}

/** Where a chain writes down what happens. */
export interface ChainJournal {
  /** Throws when the disk refuses it: what must not happen unrecorded asks first. */
  require(entry: JournalEntry): void;
  /** Never throws: what has happened is written as soon as the disk takes it. */
  record(entry: JournalEntry): void;
  /** Begins an empty one. */
  reset(): void;
}

/** An accepted external message that is not yet in a block. */
export interface PendingMessage extends QueuedMessage {
  external: ExternalMessage;
  dryRun: DryRun;
}

/** At most so many transactions in one block; the rest of a cascade follows in the next. */
const transactionsPerBlock = 1_000;

/** The network: takes external messages, makes blocks of them, keeps the ledger. */
export class LocalChain {
  ledger = new Ledger();
  readonly emulator: Emulator;
  config: NetworkConfig;
  /** BoC (base64) of the library dictionary; null without libraries. */
  libraries: string | null = null;
  settings: ChainSettings = initialSettings;
  /** Accepted and waiting, by raw hash. */
  readonly pending = new Map<string, PendingMessage>();
  readonly #options: LocalChainOptions;
  readonly #blockListeners = new Set<(block: BlockRecord) => void>();
  readonly #resetListeners = new Set<() => void>();
  /** Internal messages for the next block: what did not fit into the last one, and what was sent by hand. */
  #queue: QueuedMessage[] = [];
  #changes: AccountChange[] = [];
  #mode: BlockMode;
  #context: BlockContext | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** One thing at a time: blocks, and what must not happen while one is made. */
  #work: Promise<unknown> = Promise.resolve();
  #busy = false;
  #closed = false;

  constructor(options: LocalChainOptions) {
    this.#options = options;
    this.#mode = options.mode;
    this.emulator = options.emulator;
    this.config = options.config;
  }

  /** A chain that begins with the named accounts. */
  static begin(options: LocalChainOptions): LocalChain {
    const chain = new LocalChain(options);
    chain.begin();
    return chain;
  }

  /** Makes the first block. */
  begin(): void {
    const genUtime = this.now();
    const { nextStartLt: startLt } = this.ledger;
    this.#apply({ genUtime, startLt, changes: genesisAccounts(genUtime), transactions: [] }, []);
    this.#schedule();
  }

  /** Repeats an entry of the journal. All entries come before the first use. */
  replay(entry: JournalEntry, accepted: Map<string, Buffer>): void {
    switch (entry.type) {
      case 'accepted':
        accepted.set(readExternalMessage(entry.boc).hash, entry.boc);
        return;
      case 'block':
        this.ledger.apply(entry.block);
        entry.settled.forEach((hash) => accepted.delete(hash));
        return;
      case 'settings':
        this.#use(entry.settings);
        return;
      case 'restored':
        this.ledger = ledgerUpTo(this.ledger, entry.seqno);
    }
  }

  /** After the last {@link replay}: takes up what was under way, and executes what was accepted. */
  async resume(accepted: ReadonlyMap<string, Buffer>): Promise<void> {
    if (this.ledger.blocks.length === 0) {
      this.begin();
      return;
    }
    this.#queue = messagesUnderWay(this.ledger);
    this.#use(this.settings);
    for (const boc of accepted.values()) {
      await this.#accept(readExternalMessage(boc)).catch((error: unknown) =>
        this.#options.log.warn(`A message accepted before the restart cannot run any more: ${String(error)}`),
      );
    }
    if (this.pending.size > 0) {
      await this.mine();
    }
    this.#schedule();
  }

  /** The network's time in Unix seconds. Never goes back. */
  now(): number {
    const wall = Math.floor(this.#options.clock.now() / 1000) + this.settings.timeOffset;
    return Math.max(wall, this.ledger.blocks.at(-1)?.genUtime ?? 0);
  }

  get mode(): BlockMode {
    return this.#mode;
  }

  set mode(mode: BlockMode) {
    this.#mode = mode;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#schedule();
  }

  /** How many internal messages wait for the next block. */
  get carried(): number {
    return this.#queue.length;
  }

  /** Called after each block. Returns how to stop that. */
  onBlock(listener: (block: BlockRecord) => void): () => void {
    this.#blockListeners.add(listener);
    return () => this.#blockListeners.delete(listener);
  }

  /** Called when the chain was taken back or began anew. Returns how to stop that. */
  onReset(listener: () => void): () => void {
    this.#resetListeners.add(listener);
    return () => this.#resetListeners.delete(listener);
  }

  /**
   * Takes an external message (BoC) when its contract accepts it on the present state, as a lite server does.
   * Throws {@link RejectedMessageError} otherwise.
   */
  async submit(boc: Buffer): Promise<ExternalMessage> {
    const external = readExternalMessage(boc);
    if (!this.pending.has(external.hash)) {
      await this.#accept(external, () => this.#options.journal?.require({ type: 'accepted', boc }));
      this.#schedule();
    }
    return external;
  }

  async #accept(external: ExternalMessage, onAccept?: () => void): Promise<void> {
    const { destination } = external.facts;
    const account = this.ledger.accounts.get(destination);
    if (account === undefined || account.facts.status === 'nonexist') {
      throw new RejectedMessageError('Failed to unpack account state');
    }
    const context = (this.#context ??= this.newContext());
    const boc = external.boc.toString('base64');
    const run = {
      config: this.config.base64,
      libraries: this.libraries,
      shardAccount: account.current,
      message: boc,
      now: context.now,
      lt: context.startLt + 1n,
      seed: context.seed,
    };
    const outcome = await this.emulator.runTransaction(run);
    if (!outcome.success) {
      throw await rejection(this.emulator, run, destination, outcome);
    }
    onAccept?.();
    const dryRun = { context, shardAccount: run.shardAccount, outcome };
    this.pending.set(external.hash, { boc, destination, external, dryRun });
  }

  /** Queues an internal message from outside the protocol: the faucet's, or one "sent as" a contract. */
  inject(message: QueuedMessage): void {
    this.#queue.push(message);
    this.#schedule();
  }

  /** States to be set by the next block. */
  change(changes: readonly AccountChange[]): void {
    this.#changes.push(...changes);
    this.#schedule();
  }

  /** Changes settings, for this run and the next. */
  configure(change: Partial<ChainSettings>): void {
    const settings = { ...this.settings, ...change };
    this.#options.journal?.require({ type: 'settings', settings });
    this.#use(settings);
    this.#context = undefined;
  }

  #use(settings: ChainSettings): void {
    const { config } = settings;
    if (config !== undefined && config.origin !== this.config.origin) {
      this.config = importNetworkConfig(config.boc, config.origin);
    }
    this.settings = settings;
    this.libraries = libraryDictionary(
      settings.libraries.map((boc) => Cell.fromBase64(boc)),
      this.ledger,
    );
  }

  /** Makes the next block now, whether or not anything is pending. */
  mine(): Promise<BlockRecord> {
    return this.#exclusively(() => this.#produce());
  }

  /** Takes the chain back to the end of a block; what was pending is dropped. */
  restore(seqno: number): Promise<void> {
    return this.#exclusively(() => {
      this.#options.journal?.require({ type: 'restored', seqno });
      this.#restart(ledgerUpTo(this.ledger, seqno));
      this.#queue = messagesUnderWay(this.ledger);
    });
  }

  /** Begins anew. */
  reset(): Promise<void> {
    return this.#exclusively(() => {
      this.#options.journal?.reset();
      this.#restart(new Ledger());
      this.settings = initialSettings;
      this.config = this.#options.config;
      this.libraries = null;
      this.begin();
    });
  }

  #restart(ledger: Ledger): void {
    this.ledger = ledger;
    this.pending.clear();
    this.#queue = [];
    this.#changes = [];
    this.#context = undefined;
    this.#resetListeners.forEach((listener) => listener());
  }

  /** Stops making blocks; a block under way is finished. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#work.catch(() => undefined);
  }

  /** What the next block would be like if it began now. */
  newContext(): BlockContext {
    const seqno = this.ledger.blocks.length + 1;
    return { seqno, now: this.now(), startLt: this.ledger.nextStartLt, seed: blockSeed(seqno) };
  }

  #exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#work.then(async () => {
      this.#busy = true;
      try {
        return await work();
      } finally {
        this.#busy = false;
        this.#schedule();
      }
    });
    this.#work = result.catch(() => undefined);
    return result;
  }

  #schedule(): void {
    const idle = this.pending.size === 0 && this.#queue.length === 0 && this.#changes.length === 0;
    const mode = this.#mode;
    const wanted = mode.kind === 'interval' || (mode.kind === 'automatic' && !idle);
    if (!wanted || this.#closed || this.#timer !== undefined || this.#busy) {
      return;
    }
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.mine().catch((error: unknown) => this.#options.log.error('A block could not be made', error));
      },
      mode.kind === 'interval' ? mode.every : mode.delay,
    ).unref();
  }

  async #produce(): Promise<BlockRecord> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const context = this.#blockContext();
    // What arrives from here on belongs to the next block and runs on the state after this one.
    const externals = [...this.pending.values()];
    const changes = this.#changes;
    const queue = [...this.#queue, ...externals];
    this.#changes = [];
    this.#queue = [];
    const builder = new BlockBuilder(this, context, changes);
    await builder.run(queue, transactionsPerBlock);
    const { now: genUtime, startLt } = context;
    this.#context = undefined;
    const left = new Set(queue);
    const settled = externals.filter((message) => !left.has(message)).map(({ external }) => external.hash);
    const block = this.#apply({ genUtime, startLt, changes, transactions: builder.executed }, settled);
    this.#queue = [...queue.filter((message) => !('external' in message)), ...this.#queue];
    settled.forEach((hash) => this.pending.delete(hash));
    for (const { message, error } of builder.refused) {
      this.#options.log.info(
        `A message to ${message.destination} was refused in block ${block.seqno}: ${error}`,
      );
    }
    this.#blockListeners.forEach((listener) => listener(block));
    return block;
  }

  /** The one that dry runs were made with, unless time has moved on: then they are repeated. */
  #blockContext(): BlockContext {
    const context = this.#context;
    const current = context !== undefined && (this.#mode.kind === 'automatic' || context.now === this.now());
    return current ? context : this.newContext();
  }

  #apply(input: BlockInput, settled: string[]): BlockRecord {
    const block = this.ledger.apply(input);
    if (block.transactions.some(({ account }) => account.facts.libraries !== null)) {
      this.#use(this.settings);
    }
    this.#options.journal?.record({ type: 'block', block: input, settled });
    return block;
  }
}
