import type { QueuedMessage } from '../../execution/queuedMessage';
import type { BlockContext } from '../../execution/transactionSurroundings';
import type { BlockMode } from '../records/blockMode';
import type { LocalChainOptions } from './chainOptions';
import { ChainState } from './chainState';
import type { InboundMessage } from './readInboundMessage';
import { readInboundMessage } from './readInboundMessage';
import type { FailedSelection } from './failures';
import { failedAgain, Failures } from './failures';
import { stateUnwritableError } from '../storage/stateErrors';
import type { AccountChange } from '../records/blockInput';
import { Incoming } from './incoming';
import type { InjectedMessage, PendingMessage } from './incoming';
import type { BlockRecord } from '../records/records';
import { RejectedMessageError } from './rejectedMessageError';
import { tryMessage } from './tryMessage';
import { withClockHint } from './withClockHint';

/** A chain with the input of its next block: messages, state changes, and failures. Makes no blocks itself. */
export abstract class ChainIntake extends ChainState {
  readonly failures: Failures;
  protected readonly incoming = new Incoming();
  /** The surroundings of dry runs since the last block. */
  protected context: BlockContext | undefined;
  readonly #options: LocalChainOptions;

  constructor(options: LocalChainOptions) {
    super(options);
    this.#options = options;
    this.failures = new Failures(options.log);
  }

  abstract get mode(): BlockMode;

  /** Makes the next block now, whether or not anything is pending. */
  abstract mine(): Promise<BlockRecord>;

  /** Something waits for a block. */
  protected abstract wake(): void;

  /** Accepted external messages waiting for a block, by raw hash. */
  get pending(): ReadonlyMap<string, PendingMessage> {
    return this.incoming.pending;
  }

  /** Number of internal messages waiting for the next block. */
  get carried(): number {
    return this.incoming.queue.length;
  }

  /**
   * Accepts an external message (BoC) if its contract accepts it in the current state, like a lite server. Throws
   * RejectedMessageError otherwise.
   */
  async submit(boc: Buffer): Promise<InboundMessage> {
    const external = readInboundMessage(boc);
    if (!this.pending.has(external.hash)) {
      this.#checkJournal();
      await this.accept(external, () =>
        this.#options.journal?.require({ type: 'accepted', hash: external.hash, boc }),
      );
      this.wake();
    }
    return external;
  }

  /** Until the disk takes the block of earlier messages, no more are accepted. */
  #checkJournal(): void {
    const fault = this.#options.journal?.fault;
    if (fault !== undefined && this.pending.size > 0) {
      throw stateUnwritableError(fault);
    }
  }

  protected async accept(external: InboundMessage, onAccept?: () => void): Promise<void> {
    const { destination } = external.facts;
    await this.load(destination);
    const boc = external.boc.toString('base64');
    await this.fork?.loadLibraries(boc);
    const context = (this.context ??= this.newContext());
    const dryRun = await tryMessage(this, context, { boc, destination }).catch((error: unknown) => {
      if (error instanceof RejectedMessageError) {
        this.tellPrinted(destination, error.printed);
      }
      throw withClockHint(error, this.ahead);
    });
    onAccept?.();
    this.incoming.pending.set(external.hash, { boc, destination, external, dryRun });
  }

  /**
   * Accepts a forged internal message (the faucet's, or one "sent as" a contract) and makes its block, except in
   * manual mode. When this resolves, the message or its block is on disk; if it rejects, nothing has happened.
   */
  async inject(message: InjectedMessage): Promise<void> {
    const keep = (): void => {
      const { hash, destination, boc } = message;
      const entry = { type: 'injected' as const, hash, destination, boc: Buffer.from(boc, 'base64') };
      this.#options.journal?.require(entry);
      message.isKept = true;
    };
    if (this.mode.kind === 'manual') {
      keep();
      this.incoming.queue.push(message);
      return;
    }
    this.incoming.queue.push(message);
    await this.#mineFor(message);
    if (this.incoming.queue.includes(message)) {
      // It must wait: the block was full, or its account cannot be read now.
      await this.#orWithdraw(message, keep);
    }
  }

  /** Makes the next block retry failed messages; returns how many. */
  retry(which: FailedSelection = {}): number {
    const again = failedAgain(this.ledger, which, this.incoming.queue);
    this.incoming.queue.push(...again);
    this.wake();
    return again.length;
  }

  /** Makes the next block drop a failed message (by hash) together with its coins. */
  drop(hash: string): void {
    const boc = this.ledger.failed.get(hash)?.boc;
    this.incoming.queue = this.incoming.queue.filter((message) => message.boc !== boc);
    this.failures.drop(hash);
    this.wake();
  }

  /** States to set in the next block that are derived from others and need not be stored. */
  change(changes: readonly AccountChange[]): void {
    this.incoming.changes.push(...changes);
    this.wake();
  }

  /** Makes a block that sets a state. If this rejects, nothing has happened. */
  async changeNow(change: AccountChange): Promise<BlockRecord> {
    this.incoming.changes.push(change);
    await this.#mineFor(change);
    return this.ledger.last;
  }

  async #mineFor(what: QueuedMessage | AccountChange): Promise<void> {
    await this.#orWithdraw(what, () => this.mine());
  }

  /** If the work fails, its input is withdrawn, unless another block has taken it. */
  async #orWithdraw(what: QueuedMessage | AccountChange, work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.incoming.withdraw(what)) {
        throw error;
      }
    }
  }
}
