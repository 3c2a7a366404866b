import { Address } from '@ton/core';
import { BitCursor } from '../../cell/light/bitCursor';
import { readLightCell } from '../../cell/light/lightCell';
import { readMessage, readOpcode } from '../../cell/light/readMessage';
import type { BlockContext, DryRun, QueuedMessage } from '../../execution/cascade';
import { transactionSurroundings } from '../../execution/cascade';
import type { Log } from '../../base/log';
import { Listeners } from '../../base/numberWidths';
import { walletTags } from '../../contracts/opcodes/walletCodes';
import type { AccountChange, BlockMode } from '../records/blockInput';
import type { BlockRecord, FailedMessage } from '../records/records';
import { stateUnwritableError } from '../storage/stateStore';
import type { BlockBuilder, BlockNetwork } from './blockBuilder';
import type { LocalChainOptions } from './chainState';
import { ChainState } from './chainState';
import { messagesUnderWay } from './history';
import type { InboundMessage, InjectedMessage, PendingMessage } from './inboundMessage';
import { Incoming, RejectedMessageError, readInboundMessage, rejection } from './inboundMessage';
import type { Ledger } from './ledger';

/** Which failed messages; all if omitted. */
interface FailedSelection {
  hash?: string | undefined;
  destination?: string | undefined;
}

/** Handles messages and calls that the emulator could not execute. */
class Failures {
  /** Calls of special accounts that failed in the last block. */
  calls: BlockBuilder['failedCalls'] = [];
  #drops: string[] = [];

  constructor(private readonly log: Log) {}

  /** Messages that the next block will drop. */
  get drops(): number {
    return this.#drops.length;
  }

  drop(hash: string): void {
    this.#drops.push(hash);
  }

  /** Cancels a drop. */
  keep(hash: string): void {
    this.#drops = this.#drops.filter((one) => one !== hash);
  }

  /** Everything the block drops, including these; undefined if nothing. */
  dropsWith(more: readonly string[]): string[] | undefined {
    const all = [...this.#drops, ...more];
    return all.length === 0 ? undefined : all;
  }

  /** Called after a block has dropped these. */
  dropped(hashes: readonly string[] = []): void {
    hashes.forEach((hash) => this.keep(hash));
  }

  clear(): void {
    this.calls = [];
    this.#drops = [];
  }

  /** Logs a block's failures; a call that fails in every block is logged once. */
  tell({ failed, failedCalls }: BlockBuilder, seqno: number): void {
    for (const { hash, destination, error } of failed) {
      this.log.error(
        `The emulator failed on the message ${hash} to ${destination} in block ${seqno}: ${error}. ` +
          'It is kept with its coins: /control/retry retries it, /control/drop discards it.',
      );
    }
    for (const { address, which, error } of failedCalls) {
      if (!this.calls.some((call) => call.address === address && call.error === error)) {
        this.log.error(`The emulator failed on the ${which} of ${address} in block ${seqno}: ${error}.`);
      }
    }
    this.calls = failedCalls;
  }
}

/** The selected failed messages not already waiting for the next block, ready for its queue. */
function failedAgain(
  { failed }: Ledger,
  { hash, destination }: FailedSelection,
  queue: readonly QueuedMessage[],
): QueuedMessage[] {
  const isMeant = (message: FailedMessage): boolean =>
    (hash === undefined || message.hash === hash) &&
    (destination === undefined || message.destination === destination) &&
    !queue.some(({ boc }) => boc === message.boc);
  return [...failed.values()].filter(isMeant).map(({ boc, destination: to, ignoreSignatures }) => ({
    boc,
    destination: to,
    ...(ignoreSignatures === undefined ? {} : { ignoreSignatures }),
  }));
}

/**
 * Runs an external message on its account's current state without storing anything, like a lite server before it
 * passes a message on. Throws {@link RejectedMessageError} if the contract does not accept it.
 */
async function tryMessage(
  network: BlockNetwork,
  context: BlockContext,
  { boc, destination }: QueuedMessage,
): Promise<DryRun> {
  const account = network.ledger.accounts.get(destination);
  if (account === undefined || account.facts.status === 'nonexist') {
    throw new RejectedMessageError(`Failed to unpack account state: ${noAccount(boc, destination)}`);
  }
  const surroundings = transactionSurroundings(network, context, account.current);
  const outcome = await network.emulator.runTransaction({ ...surroundings, message: boc });
  if (!outcome.success) {
    throw rejection(destination, outcome);
  }
  return { context, shardAccount: surroundings.shardAccount, outcome };
}

/**
 * Wallet v5r1: the bits of a wallet id that do not depend on the network, for workchain 0, version 0, subwallet 0.
 */
const usualContext = 2 ** 31;

/**
 * Why an external message (BoC, base64) finds no account, and what to do: usually the wallet's id, and so its
 * address, differs from the one the user has in mind.
 */
function noAccount(boc: string, destination: string): string {
  const address = Address.parseRaw(destination).toString({ bounceable: false });
  return `this network has no account ${address}; ${cause(boc)}`;
}

function cause(boc: string): string {
  const { body } = readMessage(readLightCell(Buffer.from(boc, 'base64')));
  if (readOpcode(body) !== walletTags.signedExternal || body.bitLength < 64) {
    return 'send it coins first (control/faucet), or check which wallet version and workchain the address was made with';
  }
  const walletId = new BitCursor(body).skip(32).uint(32);
  const network = (walletId ^ usualContext) | 0;
  const known =
    network === -239 || network === -3 ? `network ${network}, subwallet 0` : 'not one of the usual ones';
  return (
    `its v5r1 wallet id is ${walletId} (${known}): send it coins first (control/faucet), ` +
    'or use the mnemonic of a wallet in control/accounts, with its version'
  );
}

/** A chain with the input of its next block: messages, state changes, and failures. Makes no blocks itself. */
export abstract class ChainIntake extends ChainState {
  readonly failures: Failures;
  protected readonly incoming = new Incoming();
  /** The surroundings of dry runs since the last block. */
  protected context: BlockContext | undefined;
  readonly #options: LocalChainOptions;
  readonly #accepted = new Listeners<PendingMessage>();
  readonly #dropped = new Listeners<undefined>();

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
    const pending = { boc, destination, external, dryRun };
    this.incoming.pending.set(external.hash, pending);
    this.#accepted.tell(pending);
  }

  /** Called with each external message that waits for a block from now on. Returns what removes the listener. */
  onAccept(listener: (pending: PendingMessage) => void): () => void {
    return this.#accepted.add(listener);
  }

  /** Called when messages that waited for a block were dropped. Returns what removes the listener. */
  onDrop(listener: () => void): () => void {
    return this.#dropped.add(listener);
  }

  /**
   * Forgets messages from outside that wait for a block, on disk too.
   * @param which those external messages; default all, and injected ones too
   * @returns how many messages that were
   */
  protected forgetPending(which?: (pending: PendingMessage) => boolean): number {
    const { incoming, ledger } = this;
    const journal = this.#options.journal;
    const before = this.pending.size + this.carried;
    const kept = [...incoming.pending.values()].filter((one) => which?.(one) === false);
    incoming.queue = which === undefined ? messagesUnderWay(ledger) : incoming.queue;
    // The journal forgets everything since the block; what stays is written again.
    journal?.require({ type: 'restored', seqno: ledger.last.seqno });
    kept.forEach(({ external: { hash, boc } }) => journal?.require({ type: 'accepted', hash, boc }));
    for (const message of incoming.queue) {
      if ('isKept' in message) {
        const { hash, destination, boc } = message as InjectedMessage;
        journal?.require({ type: 'injected', hash, destination, boc: Buffer.from(boc, 'base64') });
      }
    }
    incoming.pending.clear();
    kept.forEach((one) => incoming.pending.set(one.external.hash, one));
    this.#dropped.tell(undefined);
    return before - this.pending.size - this.carried;
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

/** Exit codes of wallets for a message that came too late: v2 34, v3 35, v4 36, v5 136. */
const expired: ReadonlySet<number | undefined> = new Set([34, 35, 36, 136]);

/**
 * Adds a hint to a rejection caused by the network's clock. @param ahead seconds that the network's clock is ahead of
 * the machine's
 */
function withClockHint(error: unknown, ahead: number): unknown {
  if (ahead <= 0 || !(error instanceof RejectedMessageError) || !expired.has(error.exitCode)) {
    return error;
  }
  return new RejectedMessageError(
    `${error.reason}\nThe clock of this local network is ${ahead} s ahead of the machine's, so a valid_until based on the ` +
      "machine's time may have passed: base it on the time of the last block, or move the clock back (control/time).",
    error.exitCode,
    error.printed,
  );
}
