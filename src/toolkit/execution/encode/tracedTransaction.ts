import type { MessageHead } from '../../cell/light/messageHead';

/** A state of an account, as far as a transaction's encoding needs it. */
export interface TracedState {
  /** ShardAccount, BoC; its code may be missing. */
  readonly packed: Buffer;
  /** Lower-case hex. */
  readonly codeHash: string | null;
}

/** A message and the transactions it connects. */
export interface TracedMessage extends MessageHead {
  readonly producer: TracedTransaction | null;
}

/** An executed transaction and what it is connected with: a record of the local network, or one of a run. */
export interface TracedTransaction {
  /** Lower-case hex. */
  readonly hash: string;
  readonly lt: bigint;
  /** Unix seconds. */
  readonly now: number;
  /** BoC. */
  readonly boc: Buffer;
  readonly account: { readonly address: string };
  /** Null where nothing was ever there. */
  readonly before: TracedState | null;
  readonly after: TracedState;
  readonly inMessage: TracedMessage | null;
  readonly outMessages: readonly TracedMessage[];
}

/** All transactions that one root brought about. */
export interface TracedRun {
  readonly transactions: readonly TracedTransaction[];
  /** Messages in all. */
  readonly messages: number;
  /** Internal messages sent and not received. */
  readonly pendingMessages: number;
}
