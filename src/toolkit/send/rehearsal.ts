import type { DebugOutput } from '../emulator/emulator';
import type { TraceModel } from '../trace/traceModel';
import type { DestinationState } from './destinationState';
import type { RefusalReason } from './refusalReason';

/**
 * How sure a rehearsal is. `exact`: run on the very states and configuration of the network, by rules the emulator
 * knows. `same-compute`: some states were put together from parts; exit codes and gas hold, storage fees may differ.
 * `emulated`: something that matters is missing or newer than the emulator; `doubts` says what. `unknown`: the emulator
 * could not execute the message, which says nothing about the network.
 */
export type Confidence = 'exact' | 'same-compute' | 'emulated' | 'unknown';

/** What a message will do, as far as can be known before it is sent. */
export interface Rehearsal {
  /** The contract takes the message; undefined when the emulator could not say, see `reason`. */
  accepted: boolean | undefined;
  /** All that follows was executed too. Otherwise fees and money are the least, and `doubts` says what is missing. */
  complete: boolean;
  /** Of the compute phase of the first transaction; null when the TVM did not run. */
  exitCode: number | null;
  /** Result code of the action phase of the first transaction; null when there was none. */
  actionCode: number | null;
  /** Why it is refused, or does not do all it says; undefined when everything succeeds. */
  reason: RefusalReason | undefined;
  /** Nanocoins: the fees of all transactions and of the messages between them. */
  fees: bigint;
  /** Nanocoins: the fees of the first transaction and of the messages it sends, to hold against a service's estimate. */
  firstFees: bigint;
  confidence: Confidence;
  /** Why the confidence is not `exact`, one sentence each. */
  doubts: readonly string[];
  /** The predicted trace; undefined when the message is refused. */
  trace: TraceModel | undefined;
  /** The account that gets the message, before it. */
  destination: {
    status: DestinationState['status'];
    /** Nanocoins. */
    balance: bigint;
    /** `wallet v5 r1` and the like, for known wallets. */
    wallet: string | undefined;
  };
  /** Masterchain block the states are of. */
  seqno: number;
  /** Unix seconds at which it was run. */
  now: number;
  /** The end of the TVM's log when the contract refused. */
  vmLog: string | undefined;
  /** What the contract printed before it refused; what accepted messages print stands in the trace. */
  printed: DebugOutput;
}
