import type { AccountChange } from '../records/blockInput';
import type { DryRun, QueuedMessage } from '../../execution/queuedMessage';
import type { InboundMessage } from './readInboundMessage';

/** An accepted external message that is not yet in a block. */
export interface PendingMessage extends QueuedMessage {
  external: InboundMessage;
  dryRun: DryRun;
}

/** An internal message not sent by a transaction. */
export interface InjectedMessage extends QueuedMessage {
  /** Lowercase hex. */
  hash: string;
  /** It is in the journal, so the block that executes it must record that. */
  isKept?: boolean;
}

/** The input of one block. */
export interface TakenMessages {
  externals: readonly PendingMessage[];
  internals: readonly QueuedMessage[];
  changes: readonly AccountChange[];
}

/** What waits for the next block. */
export class Incoming {
  /** Accepted external messages, by raw hash. */
  readonly pending = new Map<string, PendingMessage>();
  /** Internal messages: those that did not fit into the last block, and those sent manually. */
  queue: QueuedMessage[] = [];
  changes: AccountChange[] = [];

  get isEmpty(): boolean {
    return this.pending.size === 0 && this.queue.length === 0 && this.changes.length === 0;
  }

  /**
   * Takes everything for a block about to start; later arrivals are for the next one. External messages stay pending.
   */
  take(): TakenMessages {
    const { queue: internals, changes } = this;
    this.queue = [];
    this.changes = [];
    return { externals: [...this.pending.values()], internals, changes };
  }

  /** The block was discarded. */
  putBack({ internals, changes }: TakenMessages): void {
    this.queue = [...internals, ...this.queue];
    this.changes = [...changes, ...this.changes];
  }

  /** Withdraws what no block has executed yet; returns whether it was still there. */
  withdraw(what: QueuedMessage | AccountChange): boolean {
    const found = this.queue.some((one) => one === what) || this.changes.some((one) => one === what);
    this.queue = this.queue.filter((one) => one !== what);
    this.changes = this.changes.filter((one) => one !== what);
    return found;
  }

  clear(): void {
    this.pending.clear();
    this.queue = [];
    this.changes = [];
  }
}

/** Hashes of the messages handled by a block that the journal promised to execute. */
export function settledBy(taken: TakenMessages, waiting: ReadonlySet<QueuedMessage>): string[] {
  const externals = taken.externals
    .filter((message) => !waiting.has(message))
    .map(({ external }) => external.hash);
  const injected = taken.internals
    .filter((message): message is InjectedMessage => 'hash' in message)
    .filter((message) => message.isKept === true && !waiting.has(message))
    .map(({ hash }) => hash);
  return [...externals, ...injected];
}
