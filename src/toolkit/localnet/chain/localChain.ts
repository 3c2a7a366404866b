import type { Emulator } from '../../emulator/emulator';
import type { NetworkConfig } from '../../emulator/networkConfig';
import { blockSeed } from '../../emulator/seed';
import type { Log } from '../../log';
import type { Clock } from '../../time';
import type { BlockContext, DryRun, QueuedMessage } from './blockBuilder';
import { BlockBuilder } from './blockBuilder';
import type { ExternalMessage } from './externalMessage';
import { readExternalMessage } from './externalMessage';
import { genesisAccounts } from './genesis';
import { Ledger } from './ledger';
import type { BlockRecord } from './records';
import { rejection } from './rejection';
import { RejectedMessageError } from './rejectedMessageError';

export interface LocalChainOptions {
  emulator: Emulator;
  config: NetworkConfig;
  clock: Clock;
  log: Log;
  /** Milliseconds between the first pending message and its block. */
  blockDelayMs: number;
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
  readonly ledger = new Ledger();
  readonly emulator: Emulator;
  readonly config: NetworkConfig;
  /** BoC (base64) of the library dictionary; null without libraries. */
  readonly libraries: string | null = null;
  /** Accepted and waiting, by raw hash. */
  readonly pending = new Map<string, PendingMessage>();
  readonly #options: LocalChainOptions;
  readonly #listeners = new Set<(block: BlockRecord) => void>();
  /** Internal messages that did not fit into the last block. */
  #carried: QueuedMessage[] = [];
  #context: BlockContext | undefined;
  #timer: NodeJS.Timeout | undefined;
  #producing: Promise<BlockRecord> | undefined;
  #closed = false;

  constructor(options: LocalChainOptions) {
    this.#options = options;
    this.emulator = options.emulator;
    this.config = options.config;
    const genUtime = this.now();
    const { nextStartLt: startLt } = this.ledger;
    this.ledger.apply({ genUtime, startLt, changes: genesisAccounts(genUtime), transactions: [] });
  }

  /** The network's time in Unix seconds. Never goes back. */
  now(): number {
    const wall = Math.floor(this.#options.clock.now() / 1000);
    return Math.max(wall, this.ledger.blocks.at(-1)?.genUtime ?? 0);
  }

  /** How many internal messages wait for the next block. */
  get carried(): number {
    return this.#carried.length;
  }

  /** Called after each block. Returns how to stop that. */
  onBlock(listener: (block: BlockRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Takes an external message (BoC) when its contract accepts it on the present state, as a lite server does.
   * Throws {@link RejectedMessageError} otherwise.
   */
  async submit(boc: Buffer): Promise<ExternalMessage> {
    const external = readExternalMessage(boc);
    if (this.pending.has(external.hash)) {
      return external;
    }
    const { destination } = external.facts;
    const account = this.ledger.accounts.get(destination);
    if (account === undefined || account.facts.status === 'nonexist') {
      throw new RejectedMessageError('Failed to unpack account state');
    }
    const context = (this.#context ??= this.newContext());
    const message = boc.toString('base64');
    const run = {
      config: this.config.base64,
      libraries: this.libraries,
      shardAccount: account.current,
      message,
      now: context.now,
      lt: context.startLt + 1n,
      seed: context.seed,
    };
    const outcome = await this.emulator.runTransaction(run);
    if (!outcome.success) {
      throw await rejection(this.emulator, run, destination, outcome);
    }
    const dryRun = { context, shardAccount: account.current, outcome };
    this.pending.set(external.hash, { boc: message, destination, external, dryRun });
    this.#schedule();
    return external;
  }

  /** Makes the next block now, whether or not anything is pending. */
  async mine(): Promise<BlockRecord> {
    while (this.#producing !== undefined) {
      await this.#producing;
    }
    this.#producing = this.#produce();
    try {
      return await this.#producing;
    } finally {
      this.#producing = undefined;
      this.#schedule();
    }
  }

  /** Stops making blocks; a block under way is finished. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#producing;
  }

  /** What the next block would be like if it began now. */
  newContext(): BlockContext {
    const seqno = this.ledger.blocks.length + 1;
    return { seqno, now: this.now(), startLt: this.ledger.nextStartLt, seed: blockSeed(seqno) };
  }

  #schedule(): void {
    const idle = this.pending.size === 0 && this.#carried.length === 0;
    if (idle || this.#closed || this.#timer !== undefined || this.#producing !== undefined) {
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.mine().catch((error: unknown) => this.#options.log.error('A block could not be made', error));
    }, this.#options.blockDelayMs).unref();
  }

  async #produce(): Promise<BlockRecord> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const context = this.#context ?? this.newContext();
    // What arrives from here on belongs to the next block and runs on the state after this one.
    const externals = [...this.pending.values()];
    const builder = new BlockBuilder(this.ledger, this.emulator, this.config, this.libraries, context);
    const queue = [...this.#carried, ...externals];
    await builder.run(queue, transactionsPerBlock);
    const { now: genUtime, startLt } = context;
    const block = this.ledger.apply({ genUtime, startLt, changes: [], transactions: builder.executed });
    this.#context = undefined;
    const left = new Set(queue);
    this.#carried = queue.filter((message) => !('external' in message));
    for (const message of externals) {
      if (!left.has(message)) {
        this.pending.delete(message.external.hash);
      }
    }
    for (const { message, error } of builder.refused) {
      this.#options.log.info(
        `A message to ${message.destination} was refused in block ${block.seqno}: ${error}`,
      );
    }
    for (const listener of this.#listeners) {
      listener(block);
    }
    return block;
  }
}
