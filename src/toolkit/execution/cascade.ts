import { setImmediate as nextTurn } from 'node:timers/promises';
import { readTransaction } from '../cell/light/bitCursor';
import type { LightCell } from '../cell/light/lightCell';
import { readLightCell, writeLightCell } from '../cell/light/lightCell';
import { readMessage } from '../cell/light/readMessage';
import type {
  Emulator,
  ExecutedOutcome,
  FailedOutcome,
  TransactionOutcome,
  TransactionSurroundings,
} from './emulator/emulator';
import type { NetworkConfig } from './emulator/networkConfig';
import { abortedError } from '../base/errors';
import { systemClock } from '../base/time';
import type { ExecutedTransaction } from './encodeRun';

/** What a cascade runs on. */
export interface CascadeWorld {
  readonly emulator: Pick<Emulator, 'runTransaction'>;
  /** The surroundings of the next transaction. */
  rules(): ExecutionRules;
  /** The account before the cascade: ShardAccount, BoC in base64. */
  account(address: string): string;
  /** Reads what a message needs to run; false if it cannot run now and is skipped. */
  prepare?(message: QueuedMessage): Promise<boolean>;
}

/** An external message that its contract did not accept. */
export interface RefusedMessage {
  message: QueuedMessage;
  outcome: FailedOutcome;
}

/** A message that the emulator could not execute; what the network would do is unknown. */
export interface FailedExecution {
  message: QueuedMessage;
  /** One sentence without a period. */
  error: string;
  /** The emulator's error, if it did not answer. */
  cause?: unknown;
}

/** How far a cascade goes. */
export interface CascadeLimits {
  /** Maximum number of transactions. */
  transactions: number;
  signal?: AbortSignal | undefined;
}

/** Milliseconds of work before yielding. */
const turn = 8;

/**
 * Runs messages in order, and then the messages that they send: messages in, transactions out. The underlying state
 * is not changed; resulting account states are kept here.
 */
export class Cascade {
  readonly executed: ExecutedTransaction[] = [];
  readonly refused: RefusedMessage[] = [];
  readonly failed: FailedExecution[] = [];
  readonly #accounts = new Map<string, string>();
  #turnBegan = systemClock.monotonic();

  constructor(
    private readonly world: CascadeWorld,
    readonly context: BlockContext,
  ) {}

  /**
   * Takes messages from the front of `queue` until it is empty or the limit is reached; sent messages are appended.
   *
   * @throws WorkbenchError `aborted` between two messages if the signal fires, and the errors of `prepare`
   */
  async run(queue: QueuedMessage[], { transactions, signal }: CascadeLimits): Promise<void> {
    let next = 0;
    while (next < queue.length && this.executed.length < transactions) {
      if (signal?.aborted === true) {
        throw abortedError(signal.reason);
      }
      const message = queue[next] as QueuedMessage;
      next += 1;
      const isReady = await this.world.prepare?.(message);
      if (isReady !== false) {
        for (const sent of await this.#execute(message)) {
          queue.push(sent);
        }
      }
      if (systemClock.monotonic() - this.#turnBegan > turn) {
        await nextTurn();
        this.#turnBegan = systemClock.monotonic();
      }
    }
    queue.splice(0, next);
  }

  /** The account after the transactions so far: ShardAccount, BoC in base64. */
  account(address: string): string {
    return this.#accounts.get(address) ?? this.world.account(address);
  }

  /** Sets an account's state as if a transaction had left it. */
  setAccount(address: string, shardAccount: string): void {
    this.#accounts.set(address, shardAccount);
  }

  /** Whether a transaction or state change has touched the account. */
  hasTouched(address: string): boolean {
    return this.#accounts.has(address);
  }

  /** The inputs of an account's next transaction. */
  surroundings(address: string): TransactionSurroundings {
    return transactionSurroundings(this.world.rules(), this.context, this.account(address));
  }

  /** Adds an executed transaction; returns the messages it sends on. */
  add(address: string, outcome: ExecutedOutcome, ignoreSignatures = false): QueuedMessage[] {
    const boc = Buffer.from(outcome.transaction, 'base64');
    const cell = readLightCell(boc);
    this.#accounts.set(address, outcome.shardAccount);
    const shardAccount = Buffer.from(outcome.shardAccount, 'base64');
    this.executed.push({
      address,
      boc,
      cell,
      shardAccount,
      ...(ignoreSignatures ? { ignoreSignatures } : {}),
      ...(outcome.debugOutput.length === 0 ? {} : { debugOutput: outcome.debugOutput }),
    });
    return sentMessages(cell);
  }

  async #execute(message: QueuedMessage): Promise<QueuedMessage[]> {
    try {
      const outcome = await this.#outcome(message);
      if (outcome.success) {
        return this.add(message.destination, outcome, message.ignoreSignatures);
      }
      if (outcome.engineFailed !== true && isExternal(message)) {
        this.refused.push({ message, outcome });
      } else {
        // Internal messages are never rejected: a failure to execute one is the emulator's.
        this.failed.push({ message, error: outcome.error });
      }
    } catch (cause) {
      this.failed.push({ message, error: cause instanceof Error ? cause.message : String(cause), cause });
    }
    return [];
  }

  async #outcome(message: QueuedMessage): Promise<TransactionOutcome> {
    const { dryRun, destination, boc, ignoreSignatures = false } = message;
    if (dryRun?.context === this.context && dryRun.shardAccount === this.account(destination)) {
      return dryRun.outcome;
    }
    const input = { ...this.surroundings(destination), message: boc, ignoreSignatures };
    return this.world.emulator.runTransaction(input);
  }
}

function isExternal({ boc }: QueuedMessage): boolean {
  return readMessage(readLightCell(Buffer.from(boc, 'base64'))).kind === 'external-in';
}

/** The messages a transaction sends on, in order; those to the outside are not delivered. */
function sentMessages(transaction: LightCell): QueuedMessage[] {
  const result: QueuedMessage[] = [];
  for (const cell of readTransaction(transaction).outMessages) {
    const { kind, destination } = readMessage(cell);
    if (kind === 'internal' && destination !== null) {
      result.push({ boc: writeLightCell(cell).toString('base64'), destination });
    }
  }
  return result;
}

/** Shared by all transactions of a block. */
export interface BlockContext {
  /** Of the masterchain block. */
  seqno: number;
  /** Unix seconds. */
  now: number;
  /** Logical time at which the block begins. */
  startLt: bigint;
  /** 32 bytes. */
  seed: Buffer;
}

/** The configuration and libraries that transactions run under. */
export interface ExecutionRules {
  readonly config: NetworkConfig;
  /** BoC (base64) of the library dictionary; null without libraries. */
  readonly libraries: string | null;
}

/**
 * The emulator's parameters for a transaction in a block.
 *
 * @param shardAccount the account before it, BoC in base64
 */
export function transactionSurroundings(
  { config, libraries }: ExecutionRules,
  { now, startLt, seed }: BlockContext,
  shardAccount: string,
): TransactionSurroundings {
  // The emulator raises the lt above the account's last one and the message's own.
  return { config: config.base64, libraries, shardAccount, now, lt: startLt + 1n, seed };
}

/** A message waiting for its transaction. */
export interface QueuedMessage {
  /** BoC, base64, with the same cells as in the sender's transaction. */
  boc: string;
  /** Raw address. */
  destination: string;
  /** For an external message: its dry run, used if nothing has changed since. */
  dryRun?: DryRun;
  ignoreSignatures?: boolean;
}

/** A dry-run execution. */
export interface DryRun {
  context: BlockContext;
  /** The ShardAccount it ran on, BoC in base64. */
  shardAccount: string;
  outcome: TransactionOutcome;
}

/** The logical times of a block begin at a multiple of this. */
const ltStep = 1_000_000n;

/** The start of a block's logical time after a block that ended at `endLt`. */
export function nextStartLt(endLt: bigint): bigint {
  return (endLt / ltStep + 1n) * ltStep;
}
