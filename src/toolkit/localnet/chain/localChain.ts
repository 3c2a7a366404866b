import type { ForkPoint } from '../fork/forkPoint';
import type { BlockContext, DryRun, Postponed, QueuedMessage } from './blockBuilder';
import { BlockBuilder } from './blockBuilder';
import type { BlockMode } from './blockTimer';
import { BlockTimer } from './blockTimer';
import type { LocalChainOptions } from './chainOptions';
import type { ChainSettings } from './chainSettings';
import { ChainState } from './chainState';
import { initialSettings } from './chainSettings';
import type { ExternalMessage } from './externalMessage';
import { readExternalMessage } from './externalMessage';
import type { FailedSelection } from './failures';
import { failedAgain, Failures } from './failures';
import { genesisAccounts } from './genesis';
import { blockInput, forkEntries, ledgerUpTo, messagesUnderWay } from './history';
import type { AccountChange } from './accountIndex';
import type { BlockInput } from './ledger';
import { Ledger } from './ledger';
import { Listeners } from './listeners';
import type { BlockRecord } from './records';
import { systemChanges } from '../system/systemAccounts';
import { tryMessage } from './tryMessage';
import { withClockHint } from './withClockHint';

/** An accepted external message that is not yet in a block. */
export interface PendingMessage extends QueuedMessage {
  external: ExternalMessage;
  dryRun: DryRun;
}

/** At most so many transactions in one block; the rest of a cascade follows in the next. */
const transactionsPerBlock = 1_000;
/** Milliseconds until an account of a fork that could not be read is asked for again. */
const retryPause = 2_000;

/** The network: takes external messages, makes blocks of them, keeps the ledger. */
export class LocalChain extends ChainState {
  /** Accepted and waiting, by raw hash. */
  readonly pending = new Map<string, PendingMessage>();
  readonly failures: Failures;
  readonly #options: LocalChainOptions;
  readonly #made = new Listeners<BlockRecord>();
  readonly #turnedBack = new Listeners<undefined>();
  readonly #configured = new Listeners<undefined>();
  readonly #timer: BlockTimer;
  /** Internal messages for the next block: what did not fit into the last one, and what was sent by hand. */
  #queue: QueuedMessage[] = [];
  #changes: AccountChange[] = [];
  #context: BlockContext | undefined;
  /** One thing at a time: blocks, and what must not happen while one is made. */
  #work: Promise<unknown> = Promise.resolve();
  #busy = false;

  constructor(options: LocalChainOptions) {
    super(options);
    this.#options = options;
    this.failures = new Failures(options.log);
    const { genesis } = options;
    if (genesis !== undefined) {
      const { accounts, balance } = genesis;
      this.settings = { ...this.settings, genesis: { accounts, balance: balance.toString() } };
    }
    const state = {
      isIdle: () => this.isIdle,
      isBusy: () => this.#busy,
      mine: () => this.mine(),
    };
    this.#timer = new BlockTimer(options.mode, state, options.log);
  }

  /** A chain that begins with the named accounts. */
  static begin(options: LocalChainOptions): LocalChain {
    const chain = new LocalChain(options);
    chain.begin();
    return chain;
  }

  /** Makes the first block. */
  begin(): void {
    if (this.settings.genesis !== undefined) {
      this.#options.journal?.require({ type: 'settings', settings: this.settings });
    }
    const genUtime = this.now();
    const { nextStartLt: startLt } = this.ledger;
    const wallets = this.fork?.point.hasNamedAccounts === true ? [] : genesisAccounts(genUtime, this.genesis);
    const changes = [...wallets, ...this.#systemChanges()];
    this.#apply({ genUtime, startLt, changes, transactions: [] }, []);
    this.#timer.schedule();
  }

  /**
   * Makes the first block on top of another network's.
   * @param configBoc that network's configuration (base64), where it is known
   */
  beginFork(point: ForkPoint, configBoc: string | undefined): void {
    const origin = `block ${point.seqno} of ${point.network}`;
    const ahead = point.genUtime - Math.floor(this.#options.clock.now() / 1000);
    const settings = {
      ...this.#freshSettings(),
      timeOffset: Math.max(0, ahead),
      config: configBoc === undefined ? undefined : { boc: configBoc, origin },
    };
    this.#options.journal?.require({ type: 'fork', point, settings });
    this.openFork(point, settings);
    this.begin();
  }

  /** After the last {@link replay}: takes up what was under way, and executes what was accepted. */
  async resume(accepted: ReadonlyMap<string, Buffer>): Promise<void> {
    if (this.ledger.blocks.length === 0) {
      this.begin();
      return;
    }
    this.#queue = messagesUnderWay(this.ledger);
    this.use(this.settings);
    this.#changes = this.#systemChanges();
    for (const boc of accepted.values()) {
      await this.#accept(readExternalMessage(boc)).catch((error: unknown) =>
        this.#options.log.warn(`A message accepted before the restart cannot run any more: ${String(error)}`),
      );
    }
    if (this.pending.size > 0) {
      await this.mine();
    }
    this.#timer.schedule();
  }

  get mode(): BlockMode {
    return this.#timer.mode;
  }

  set mode(mode: BlockMode) {
    this.#timer.mode = mode;
  }

  /** Nothing is left to do: no message waits for a block, and no change. Failed messages wait for their user. */
  get isIdle(): boolean {
    const { size } = this.pending;
    return !this.#busy && size + this.#queue.length + this.#changes.length + this.failures.drops === 0;
  }

  /** How many internal messages wait for the next block. */
  get carried(): number {
    return this.#queue.length;
  }

  /** Called after each block. Returns how to stop that. */
  onBlock(listener: (block: BlockRecord) => void): () => void {
    return this.#made.add(listener);
  }

  /** Called when the chain was taken back or began anew. Returns how to stop that. */
  onReset(listener: () => void): () => void {
    return this.#turnedBack.add(listener);
  }

  /** Called when settings were changed. Returns how to stop that. */
  onConfigure(listener: () => void): () => void {
    return this.#configured.add(listener);
  }

  /**
   * Takes an external message (BoC) when its contract accepts it on the present state, as a lite server does.
   * Throws RejectedMessageError otherwise.
   */
  async submit(boc: Buffer): Promise<ExternalMessage> {
    const external = readExternalMessage(boc);
    if (!this.pending.has(external.hash)) {
      await this.#accept(external, () =>
        this.#options.journal?.require({ type: 'accepted', hash: external.hash, boc }),
      );
      this.#timer.wake();
    }
    return external;
  }

  async #accept(external: ExternalMessage, onAccept?: () => void): Promise<void> {
    const { destination } = external.facts;
    await this.load(destination);
    const boc = external.boc.toString('base64');
    await this.fork?.loadLibraries(boc);
    const context = (this.#context ??= this.newContext());
    const dryRun = await tryMessage(this, context, { boc, destination }).catch((error: unknown) => {
      throw withClockHint(error, this.ahead);
    });
    onAccept?.();
    this.pending.set(external.hash, { boc, destination, external, dryRun });
  }

  /** Queues an internal message from outside the protocol: the faucet's, or one "sent as" a contract. */
  inject(message: QueuedMessage): void {
    this.#queue.push(message);
    this.#timer.wake();
  }

  /** Lets the next block try failed messages again. Answers how many. */
  retry(which: FailedSelection = {}): number {
    const again = failedAgain(this.ledger, which, this.#queue);
    this.#queue.push(...again);
    this.#timer.wake();
    return again.length;
  }

  /** Lets the next block give up a failed message (hash, base64), and its coins with it. */
  drop(hash: string): void {
    const boc = this.ledger.failed.get(hash)?.boc;
    this.#queue = this.#queue.filter((message) => message.boc !== boc);
    this.failures.drop(hash);
    this.#timer.wake();
  }

  /** States to be set by the next block. */
  change(changes: readonly AccountChange[]): void {
    this.#changes.push(...changes);
    this.#timer.wake();
  }

  /** Changes settings, for this run and the next. */
  configure(change: Partial<ChainSettings>): void {
    const settings = { ...this.settings, ...change };
    this.#options.journal?.require({ type: 'settings', settings });
    this.use(settings);
    this.#context = undefined;
    if (change.config !== undefined) {
      this.change(this.#systemChanges());
    }
    this.#configured.tell(undefined);
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
      this.#changes = this.#systemChanges();
    });
  }

  /** Begins anew; a fork from its own block, with what it has read. */
  reset(): Promise<void> {
    return this.#exclusively(() => {
      const { fork } = this;
      this.#options.journal?.reset(fork === undefined ? [] : forkEntries(fork, this.ledger));
      this.#restart(fork === undefined ? new Ledger() : ledgerUpTo(this.ledger, fork.point.seqno));
      this.config = this.#options.config;
      this.use(fork?.settings ?? this.#freshSettings());
      this.begin();
    });
  }

  /** A network that begins anew keeps nothing but its wallets. */
  #freshSettings(): ChainSettings {
    const { genesis } = this.settings;
    return { ...initialSettings, ...(genesis === undefined ? {} : { genesis }) };
  }

  /** What the system's contracts lack. A fork has those of its network. */
  #systemChanges(): AccountChange[] {
    const { fork, ledger, config } = this;
    return fork === undefined ? systemChanges(ledger.accounts, config, this.now()) : [];
  }

  #restart(ledger: Ledger): void {
    this.ledger = ledger;
    this.pending.clear();
    this.#queue = [];
    this.#changes = [];
    this.failures.clear();
    this.#context = undefined;
    this.#turnedBack.tell(undefined);
  }

  /** Stops making blocks; a block under way is finished. */
  async close(): Promise<void> {
    this.#timer.close();
    await this.#work.catch(() => undefined);
  }

  #exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#work.then(async () => {
      this.#busy = true;
      try {
        return await work();
      } finally {
        this.#busy = false;
        this.#timer.schedule();
      }
    });
    this.#work = result.catch(() => undefined);
    return result;
  }

  async #produce(): Promise<BlockRecord> {
    this.#timer.cancel();
    const context = this.#blockContext();
    // What arrives from here on belongs to the next block and runs on the state after this one.
    const externals = [...this.pending.values()];
    const changes = this.#changes;
    const queue = [...this.#queue, ...externals];
    this.#changes = [];
    this.#queue = [];
    const builder = new BlockBuilder(this, context, changes);
    await builder.run(queue, transactionsPerBlock);
    const failed = builder.failed.length === 0 ? undefined : builder.failed;
    // A failed message from outside that was tried again and refused is done with.
    const refused = builder.refused.map(({ hash }) => hash).filter((hash) => this.ledger.failed.has(hash));
    const dropped = this.failures.takeDrops(refused);
    const { now: genUtime, startLt } = context;
    this.#context = undefined;
    const left = new Set(queue);
    const settled = externals.filter((message) => !left.has(message)).map(({ external }) => external.hash);
    const block = this.#apply(
      { genUtime, startLt, changes, transactions: builder.executed, failed, dropped },
      settled,
    );
    this.#queue = [...queue.filter((message) => !('external' in message)), ...this.#queue];
    if (builder.postponed.length > 0) {
      this.#postpone(builder.postponed);
    }
    settled.forEach((hash) => this.pending.delete(hash));
    for (const { message, error } of builder.refused) {
      this.#options.log.info(
        `A message to ${message.destination} was refused in block ${block.seqno}: ${error}`,
      );
    }
    this.failures.tell(builder, block.seqno);
    builder.executed.forEach(({ address, debugOutput = [] }) => this.tellPrinted(address, debugOutput));
    this.#made.tell(block);
    return block;
  }

  /** Messages whose accounts could not be read now stay in front of the queue, in their order. */
  #postpone(postponed: readonly Postponed[]): void {
    this.#queue = [...postponed.map(({ message }) => message), ...this.#queue];
    this.#timer.pause(retryPause);
    for (const { message, error } of postponed) {
      this.#options.log.warn(`A message to ${message.destination} waits: ${error}`);
    }
  }

  /** The one that dry runs were made with, unless time has moved on: then they are repeated. */
  #blockContext(): BlockContext {
    const context = this.#context;
    const current = context !== undefined && (this.mode.kind === 'automatic' || context.now === this.now());
    return current ? context : this.newContext();
  }

  #apply(input: BlockInput, settled: string[]): BlockRecord {
    const block = this.ledger.apply(input);
    if (block.transactions.some(({ account }) => account.facts.libraries !== null)) {
      this.use(this.settings);
    }
    this.#options.journal?.record({ type: 'block', block: blockInput(this.ledger, block), settled });
    return block;
  }
}
