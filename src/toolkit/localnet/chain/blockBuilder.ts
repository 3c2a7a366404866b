import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Emulator, TransactionOutcome, TransactionSurroundings } from '../../emulator/emulator';
import type { NetworkConfig } from '../../emulator/networkConfig';
import type { Fork } from '../fork/fork';
import type { LightCell } from '../../cell/light/lightCell';
import { readBoc } from '../../cell/light/readBoc';
import { writeBoc } from '../../cell/light/writeBoc';
import type { AccountChange, ExecutedTransaction } from '../records/blockInput';
import type { FailedMessage } from '../records/failedMessage';
import type { Ledger } from './ledger';
import { readMessage } from '../../cell/light/readMessage';
import { readTransaction } from '../../cell/light/readTransaction';

/** What all transactions of a block share. */
export interface BlockContext {
  seqno: number;
  /** Unix seconds. */
  now: number;
  startLt: bigint;
  seed: Buffer;
}

/** A message waiting for its transaction. */
export interface QueuedMessage {
  /** BoC, base64, with the very cells the sender's transaction holds. */
  boc: string;
  destination: string;
  /** For a message from outside: its dry run, which stands when nothing has changed since. */
  dryRun?: DryRun;
  ignoreSignatures?: boolean;
}

/** An execution that was not stored. */
export interface DryRun {
  context: BlockContext;
  /** The ShardAccount it ran on. */
  shardAccount: string;
  outcome: TransactionOutcome;
}

/** ShardAccount of an address that nothing was ever sent to: no account, hash and lt zero. */
export const absentAccount = 'te6ccgEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFA';

/** What a block is built on. */
export interface BlockNetwork {
  readonly ledger: Ledger;
  readonly emulator: Emulator;
  readonly config: NetworkConfig;
  readonly libraries: string | null;
  /** Set on a fork: what must be read before a message can run. */
  readonly fork: Pick<Fork, 'knows' | 'load' | 'loadLibraries'> | undefined;
}

/** A message whose account could not be read, and why. */
export interface Postponed {
  message: QueuedMessage;
  error: string;
}

/** Milliseconds of work before others get a turn. */
const turn = 8;

/** Runs queued messages one after the other, the messages they send included, without touching the ledger. */
export class BlockBuilder {
  readonly executed: ExecutedTransaction[] = [];
  /** Messages from outside that their contract refused when their turn came, with the reason. */
  readonly refused: { hash: string; message: QueuedMessage; error: string }[] = [];
  /** Messages that the emulator could not execute. */
  readonly failed: FailedMessage[] = [];
  /** Calls of special accounts that the emulator could not execute; they are repeated with every block. */
  readonly failedCalls: { address: string; which: 'tick' | 'tock'; error: string }[] = [];
  /** Messages that must wait, in order: those to an account that could not be read. */
  readonly postponed: Postponed[] = [];
  readonly #unreadable = new Map<string, string>();
  readonly #accounts = new Map<string, string>();
  #turnBegan = performance.now();

  constructor(
    private readonly network: BlockNetwork,
    readonly context: BlockContext,
    changes: readonly AccountChange[] = [],
  ) {
    for (const { address, shardAccount } of changes) {
      this.#accounts.set(address, shardAccount.toString('base64'));
    }
  }

  /** Takes messages from the front of `queue` until it is empty or the block has `limit` transactions. */
  async run(queue: QueuedMessage[], limit: number): Promise<void> {
    queue.push(...(await this.#tickTock('tick')));
    let next = 0;
    while (next < queue.length && this.executed.length < limit) {
      const message = queue[next] as QueuedMessage;
      next += 1;
      if (this.network.fork === undefined || (await this.#prepare(message, this.network.fork))) {
        for (const sent of await this.#execute(message)) {
          queue.push(sent);
        }
      }
      if (performance.now() - this.#turnBegan > turn) {
        await nextTurn();
        this.#turnBegan = performance.now();
      }
    }
    queue.splice(0, next);
    queue.push(...(await this.#tickTock('tock')));
  }

  /** Reads what the message needs; false when it cannot be read now. */
  async #prepare(message: QueuedMessage, fork: NonNullable<BlockNetwork['fork']>): Promise<boolean> {
    const { destination } = message;
    const known = this.#unreadable.get(destination);
    if (known !== undefined) {
      this.postponed.push({ message, error: known });
      return false;
    }
    try {
      if (!this.#accounts.has(destination) && !fork.knows(destination)) {
        await fork.load(destination);
      }
      await fork.loadLibraries(message.boc);
      return true;
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause);
      this.#unreadable.set(destination, error);
      this.postponed.push({ message, error });
      return false;
    }
  }

  /** Calls the masterchain's special accounts, at the beginning and at the end of the block. */
  async #tickTock(which: 'tick' | 'tock'): Promise<QueuedMessage[]> {
    const sent: QueuedMessage[] = [];
    for (const { address, facts } of this.network.ledger.tickTockAccounts) {
      if (facts[which]) {
        const outcome = await this.network.emulator.runTickTock({ ...this.#surroundings(address), which });
        if (outcome.success) {
          sent.push(...this.#keep(address, outcome, false));
        } else {
          this.failedCalls.push({ address, which, error: outcome.error });
        }
      }
    }
    return sent;
  }

  /** The account as the block's transactions have left it so far. */
  account(address: string): string {
    return this.#accounts.get(address) ?? this.network.ledger.accounts.get(address)?.current ?? absentAccount;
  }

  async #execute(message: QueuedMessage): Promise<QueuedMessage[]> {
    const cell = (): LightCell => readBoc(Buffer.from(message.boc, 'base64'));
    let error: string;
    try {
      const outcome = await this.#outcome(message);
      if (outcome.success) {
        return this.#keep(message.destination, outcome, message.ignoreSignatures ?? false);
      }
      ({ error } = outcome);
      // An internal message is never refused: what does not execute it is the emulator.
      if (outcome.engineFailed !== true && readMessage(cell()).kind === 'external-in') {
        this.refused.push({ hash: cell().hash64, message, error });
        return [];
      }
    } catch (cause) {
      error = cause instanceof Error ? cause.message : String(cause);
    }
    const { boc, destination, ignoreSignatures } = message;
    const failed = { hash: cell().hash64, boc, destination, error };
    this.failed.push(ignoreSignatures === true ? { ...failed, ignoreSignatures } : failed);
    return [];
  }

  #keep(
    address: string,
    outcome: Extract<TransactionOutcome, { success: true }>,
    ignoreSignatures: boolean,
  ): QueuedMessage[] {
    const boc = Buffer.from(outcome.transaction, 'base64');
    const cell = readBoc(boc);
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

  async #outcome(message: QueuedMessage): Promise<TransactionOutcome> {
    const shardAccount = this.account(message.destination);
    const { dryRun } = message;
    if (dryRun?.context === this.context && dryRun.shardAccount === shardAccount) {
      return dryRun.outcome;
    }
    return this.network.emulator.runTransaction({
      ...this.#surroundings(message.destination),
      message: message.boc,
      ignoreSignatures: message.ignoreSignatures ?? false,
    });
  }

  #surroundings(address: string): TransactionSurroundings {
    const { config, libraries } = this.network;
    const { now, startLt, seed } = this.context;
    const shardAccount = this.account(address);
    // The emulator raises the lt above the account's last one and the message's own.
    return { config: config.base64, libraries, shardAccount, now, lt: startLt + 1n, seed };
  }
}

/** The messages a transaction sends on, in order; those to the outside are not delivered. */
export function sentMessages(transaction: LightCell): QueuedMessage[] {
  const result: QueuedMessage[] = [];
  for (const cell of readTransaction(transaction).outMessages) {
    const { kind, destination } = readMessage(cell);
    if (kind === 'internal' && destination !== null) {
      result.push({ boc: writeBoc(cell).toString('base64'), destination });
    }
  }
  return result;
}
