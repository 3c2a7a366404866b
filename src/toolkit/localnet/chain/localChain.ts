import type { NetworkConfig } from '../../execution/emulator/networkConfig';
import { WorkbenchError } from '../../base/errors';
import type { BlockContext } from '../../execution/cascade';
import { Listeners } from '../../base/numberWidths';
import { namedAccounts } from '../accounts/namedAccounts';
import type {
  AccountChange,
  BlockMode,
  ChainSettings,
  ExecutedBlock,
  ForkPoint,
} from '../records/blockInput';
import { freshSettings } from '../records/blockInput';
import type { BlockRecord } from '../records/records';
import { genesisBalance } from '../system/systemAccounts';
import type { Postponed } from './blockBuilder';
import { BlockBuilder } from './blockBuilder';
import { BlockTimer } from './blockTimer';
import { ChainIntake } from './chainIntake';
import type { LoadedState, LocalChainOptions, WaitingMessages } from './chainState';
import { firstBlock, systemChangesOf } from './chainState';
import {
  applyAgain,
  blocksAfter,
  forkEntries,
  ledgerUpTo,
  ledgerUpToInTurns,
  messagesUnderWay,
} from './history';
import type { PendingMessage, TakenMessages } from './inboundMessage';
import { readInboundMessage, settledBy } from './inboundMessage';
import { keepBlock } from './keepBlock';
import { Ledger } from './ledger';
import type { Undone } from './undoneBlocks';
import { UndoneBlocks } from './undoneBlocks';
import { WorkQueue } from './workQueue';

/** Maximum transactions per block; the rest of a cascade follows in the next. */
const transactionsPerBlock = 1_000;
/** Milliseconds until a fork retries an account that could not be read. */
const retryPause = 2_000;

/** The network: accepts external messages, makes blocks, and keeps the ledger. */
export class LocalChain extends ChainIntake {
  readonly #options: LocalChainOptions;
  readonly #made = new Listeners<BlockRecord>();
  readonly #turnedBack = new Listeners<undefined>();
  #turns = 0;
  readonly #configured = new Listeners<undefined>();
  readonly #timer: BlockTimer;
  /** What {@link restore} has removed and {@link undoRestore} can bring back. */
  readonly undone = new UndoneBlocks();
  /** Serializes blocks with everything that must not happen during one. */
  readonly #work = new WorkQueue(() => this.#timer.schedule());

  constructor(options: LocalChainOptions) {
    super(options);
    this.#options = options;
    const state = {
      isIdle: () => this.isIdle,
      isBusy: () => this.#work.isBusy,
      mine: () => this.mine(),
    };
    this.#timer = new BlockTimer(options.mode, state, options.log, options.clock);
  }

  /** A chain that starts with the named accounts. */
  static begin(options: LocalChainOptions): LocalChain {
    const chain = new LocalChain(options);
    chain.begin();
    return chain;
  }

  /** Uses the requested wallets. Only for a new chain: a stored one keeps its own. */
  #takeWish(): void {
    const { genesis } = this.#options;
    if (genesis !== undefined) {
      const { accounts = namedAccounts, balance = genesisBalance } = genesis;
      this.settings = { ...this.settings, genesis: { accounts, balance: balance.toString() } };
    }
  }

  /** Makes the first block. */
  begin(): void {
    this.#takeWish();
    if (this.settings.genesis !== undefined) {
      this.#options.journal?.require({ type: 'settings', settings: this.settings });
    }
    this.#apply(this.#firstBlock(this.ledger, this.settings, this.config), []);
    this.#timer.schedule();
  }

  #firstBlock(ledger: Ledger, settings: ChainSettings, config: NetworkConfig): ExecutedBlock {
    return firstBlock({ ledger, settings, config, fork: this.fork }, this.timeWith(settings, ledger));
  }

  /**
   * Makes the first block of a fork, on top of another network's.
   * @param configBoc that network's configuration (base64), if known
   */
  beginFork(point: ForkPoint, configBoc: string | undefined): void {
    this.#takeWish();
    const origin = `block ${point.seqno} of ${point.network}`;
    const ahead = point.genUtime - Math.floor(this.#options.clock.now() / 1000);
    const settings = {
      ...freshSettings(this.settings),
      timeOffset: Math.max(0, ahead),
      config: configBoc === undefined ? undefined : { boc: configBoc, origin },
    };
    this.#options.journal?.require({ type: 'fork', point, settings });
    this.openFork(point, settings);
    this.begin();
  }

  /** Called after the last {@link replay}: resumes unfinished work and executes accepted messages. */
  async resume(waiting: WaitingMessages): Promise<void> {
    if (this.ledger.blocks.length === 0) {
      this.begin();
      return;
    }
    this.incoming.queue = messagesUnderWay(this.ledger);
    this.use(this.settings);
    this.incoming.changes = this.#systemChanges();
    for (const entry of waiting.entries) {
      const { hash, boc } = entry;
      if (entry.type === 'injected') {
        const message = { boc: boc.toString('base64'), destination: entry.destination, hash, isKept: true };
        this.incoming.queue.push(message);
        continue;
      }
      await this.accept(readInboundMessage(boc)).catch((error: unknown) =>
        this.#options.log.warn(`A message accepted before the restart can no longer run: ${String(error)}`),
      );
    }
    if (this.pending.size > 0) {
      await this.mine().catch((error: unknown) => {
        if (!WorkbenchError.is(error, 'localnet-state-unwritable')) {
          throw error;
        }
      });
    }
    this.#timer.schedule();
  }

  protected override wake(): void {
    this.#timer.wake();
  }

  get mode(): BlockMode {
    return this.#timer.mode;
  }

  set mode(mode: BlockMode) {
    this.#timer.mode = mode;
  }

  /** Nothing is left to do: no message or change waits for a block. Failed messages wait for the user. */
  get isIdle(): boolean {
    return !this.#work.isBusy && this.incoming.isEmpty && this.failures.drops === 0;
  }

  /** How many times this process has gone back to an earlier block, started over, or loaded a state. */
  get turns(): number {
    return this.#turns;
  }

  /** Problems of the saved state, as text. */
  get stateProblems(): readonly string[] {
    return this.#options.journal?.problems ?? [];
  }

  /** Called after each block. Returns a function that removes the listener. */
  onBlock(listener: (block: BlockRecord) => void): () => void {
    return this.#made.add(listener);
  }

  /** Called when the chain was restored or reset. Returns a function that removes the listener. */
  onReset(listener: () => void): () => void {
    return this.#turnedBack.add(listener);
  }

  /** Called when settings were changed. Returns a function that removes the listener. */
  onConfigure(listener: () => void): () => void {
    return this.#configured.add(listener);
  }

  /** Changes settings, for this run and the next. */
  configure(change: Partial<ChainSettings>): void {
    const settings = { ...this.settings, ...change };
    this.#options.journal?.require({ type: 'settings', settings });
    this.use(settings);
    this.context = undefined;
    if (change.config !== undefined) {
      this.change(this.#systemChanges());
    }
    this.#configured.tell(undefined);
  }

  /** Makes the next block now, whether or not anything is pending. */
  mine(): Promise<BlockRecord> {
    return this.#work.run(() => this.#produce());
  }

  /**
   * Takes the chain back to the end of a block; pending input is dropped.
   *
   * @param keep whether {@link undoRestore} can bring back what follows the block
   * @returns the id for that
   */
  restore(seqno: number, { keep = false }: { keep?: boolean } = {}): Promise<number | undefined> {
    return this.#work.run(async () => {
      if (this.ledger.block(seqno) === undefined) {
        throw new RangeError(`there is no block ${seqno}`);
      }
      const blocks = keep ? await blocksAfter(this.ledger, seqno) : undefined;
      const earlier = await ledgerUpToInTurns(this.ledger, seqno);
      this.#options.journal?.require({ type: 'restored', seqno });
      this.undone.wentBack(seqno);
      this.#continueFrom(earlier);
      return blocks && this.undone.keep({ seqno, blocks, names: this.settings.names });
    });
  }

  /** Brings back what a {@link restore} removed, in place of the blocks made since. */
  undoRestore({ id, seqno, blocks, names }: Undone): Promise<void> {
    return this.#work.run(async () => {
      if (this.undone.find(id) === undefined) {
        throw new RangeError(`there is nothing to undo with the id ${id}`);
      }
      const { journal } = this.#options;
      const ledger = await ledgerUpToInTurns(this.ledger, seqno);
      journal?.require({ type: 'restored', seqno });
      try {
        await applyAgain(ledger, blocks, (block) => journal?.require({ type: 'block', block, settled: [] }));
        this.undone.forget(id);
      } finally {
        // If the disk fails in between, the chain is where the disk is, and the rest can still be brought back.
        this.#continueFrom(ledger);
      }
      this.configure({ names });
    });
  }

  #continueFrom(earlier: Ledger): void {
    this.#restart(earlier);
    this.incoming.queue = messagesUnderWay(earlier);
    this.incoming.changes = this.#systemChanges();
  }

  /** Starts over; a fork from its own block, with what it has read. */
  reset(): Promise<void> {
    return this.#work.run(() => {
      const { fork } = this;
      const ledger = fork === undefined ? new Ledger() : ledgerUpTo(this.ledger, fork.point.seqno);
      const settings = fork?.settings ?? freshSettings(this.settings);
      const first = this.#firstBlock(ledger, settings, this.#options.config);
      this.#options.journal?.reset([
        ...(fork === undefined ? [] : forkEntries(fork, this.ledger)),
        ...(settings.genesis === undefined ? [] : [{ type: 'settings' as const, settings }]),
        { type: 'block', block: keepBlock(ledger, first), settled: [] },
      ]);
      this.undone.clear();
      this.#restart(ledger);
      this.config = this.#options.config;
      this.use(settings);
      this.ledger.apply(first);
    });
  }

  /**
   * Continues from an imported state, at its time; replaces the current state, on disk too. If this rejects, nothing
   * has happened.
   */
  takeOver({ base, settings: given, block }: LoadedState): Promise<void> {
    return this.#work.run(async () => {
      const ledger = new Ledger(base);
      const kept = keepBlock(ledger, block);
      await ledger.applyInTurns(block);
      const settings = { ...given, timeOffset: block.genUtime - (this.now() - this.ahead) };
      this.#options.journal?.reset([
        { type: 'loaded', base },
        { type: 'settings', settings },
        { type: 'block', block: kept, settled: [] },
      ]);
      this.settings = settings;
      this.undone.clear();
      this.#restart(ledger);
      this.use(settings);
      this.incoming.changes = this.#systemChanges();
    });
  }

  /** Drops external messages waiting for a block, and returns how many. Messages between contracts continue. */
  dropPending(which?: (pending: PendingMessage) => boolean): Promise<number> {
    return this.#work.run(() => this.forgetPending(which));
  }

  /** Missing system contracts. A fork uses its network's own. */
  #systemChanges(): AccountChange[] {
    return systemChangesOf(this, this.now());
  }

  #restart(ledger: Ledger): void {
    this.ledger = ledger;
    this.incoming.clear();
    this.failures.clear();
    this.context = undefined;
    this.#turns += 1;
    this.#turnedBack.tell(undefined);
  }

  /** Stops making blocks; a running one is finished. */
  async close(): Promise<void> {
    this.#timer.close();
    await this.#work.settled();
  }

  async #produce(): Promise<BlockRecord> {
    this.#timer.cancel();
    const context = this.#blockContext();
    const taken = this.incoming.take();
    try {
      return await this.#produceFrom(context, taken);
    } catch (error) {
      this.incoming.putBack(taken);
      this.#timer.pause(retryPause);
      throw error;
    } finally {
      this.context = undefined;
    }
  }

  async #produceFrom(context: BlockContext, taken: TakenMessages): Promise<BlockRecord> {
    const { changes } = taken;
    const queue = [...taken.internals, ...taken.externals];
    const builder = new BlockBuilder(this, context, changes);
    await builder.run(queue, transactionsPerBlock);
    const failed = builder.failed.length === 0 ? undefined : builder.failed;
    // A failed external message that was retried and rejected is done.
    const refused = builder.refused.map(({ hash }) => hash).filter((hash) => this.ledger.failed.has(hash));
    const dropped = this.failures.dropsWith(refused);
    const { now: genUtime, startLt } = context;
    const waiting = new Set([...builder.postponed.map(({ message }) => message), ...queue]);
    const settled = settledBy(taken, waiting);
    const block = this.#apply(
      { genUtime, startLt, changes, transactions: builder.executed, failed, dropped },
      settled,
    );
    this.failures.dropped(dropped);
    const internals = [...waiting].filter((message) => !('external' in message));
    this.incoming.queue = [...internals, ...this.incoming.queue];
    settled.forEach((hash) => this.incoming.pending.delete(hash));
    if (builder.postponed.length > 0) {
      this.#postpone(builder.postponed);
    }
    for (const { message, outcome } of builder.refused) {
      this.#options.log.info(
        `A message to ${message.destination} was refused in block ${block.seqno}: ${outcome.error}`,
      );
    }
    this.failures.tell(builder, block.seqno);
    builder.executed.forEach(({ address, debugOutput = [] }) => this.tellPrinted(address, debugOutput));
    this.#made.tell(block);
    return block;
  }

  /** Messages whose accounts cannot be read now wait at the front of the queue, in order. */
  #postpone(postponed: readonly Postponed[]): void {
    this.#timer.pause(retryPause);
    for (const { message, error } of postponed) {
      this.#options.log.warn(`A message to ${message.destination} is waiting: ${error}`);
    }
  }

  /** The surroundings of the dry runs, unless time has moved on: then they are repeated. */
  #blockContext(): BlockContext {
    const context = this.context;
    const current = context !== undefined && (this.mode.kind === 'automatic' || context.now === this.now());
    return current ? context : this.newContext();
  }

  /** Written first: a block that the disk rejects has not happened. */
  #apply(input: ExecutedBlock, settled: string[]): BlockRecord {
    const { journal } = this.#options;
    journal?.require({ type: 'block', block: keepBlock(this.ledger, input), settled });
    const block = this.ledger.apply(input);
    if (block.transactions.some(({ account }) => account.facts.libraries !== null)) {
      this.use(this.settings);
    }
    return block;
  }
}
