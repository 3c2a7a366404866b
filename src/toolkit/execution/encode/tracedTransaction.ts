import type { MessageHead } from '../../cell/light/messageHead';

/** A state of an account, as needed to encode a transaction. */
export interface TracedState {
  /** ShardAccount, BoC; its code may be missing. */
  readonly packed: Buffer;
  /** Lowercase hex. */
  readonly codeHash: string | null;
}

/** A message and the transactions it connects. */
export interface TracedMessage extends MessageHead {
  readonly producer: TracedTransaction | null;
}

/** An executed transaction and its connections: a record of the local network, or of a run. */
export interface TracedTransaction {
  /** Lowercase hex. */
  readonly hash: string;
  readonly lt: bigint;
  /** Unix seconds. */
  readonly now: number;
  /** BoC. */
  readonly boc: Buffer;
  readonly account: { readonly address: string };
  /** Null if the account never existed. */
  readonly before: TracedState | null;
  readonly after: TracedState;
  readonly inMessage: TracedMessage | null;
  readonly outMessages: readonly TracedMessage[];
}

/** All transactions caused by one root. */
export interface TracedRun {
  readonly transactions: readonly TracedTransaction[];
  /** Total number of messages. */
  readonly messages: number;
  /** Internal messages sent but not received. */
  readonly pendingMessages: number;
}
