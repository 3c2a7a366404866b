import type { DebugOutput } from '../emulator/emulator';
import type { ReplayInputs } from '../replay/replayInputs';
import type { TraceModel } from '../trace/traceModel';
import type { DestinationState } from './destinationState';
import type { RefusalReason } from './refusalReason';

/**
 * The confidence of a rehearsal. `exact`: run on the network's exact states and configuration, by rules the emulator
 * knows. `same-compute`: some states were rebuilt from parts; exit codes and gas are right, storage fees may differ.
 * `emulated`: something relevant is missing or newer than the emulator; see `doubts`. `unknown`: the emulator could
 * not execute the message, which says nothing about the network.
 */
export type Confidence = 'exact' | 'same-compute' | 'emulated' | 'unknown';

/** What a message will do, as far as can be known before it is sent. */
export interface Rehearsal {
  /** The contract accepts the message; undefined if the emulator could not tell, see `reason`. */
  accepted: boolean | undefined;
  /**
   * Everything that follows was executed too. Otherwise fees and amounts are lower bounds, and `doubts` says what is
   * missing.
   */
  complete: boolean;
  /** Of the compute phase of the first transaction; null if the TVM did not run. */
  exitCode: number | null;
  /** Result code of the first transaction's action phase; null if there was none. */
  actionCode: number | null;
  /** Why it is rejected, or does not do all it says; undefined if everything succeeds. */
  reason: RefusalReason | undefined;
  /** Nanocoins: the fees of all transactions and of the messages between them. */
  fees: bigint;
  /** Nanocoins: the fees of the first transaction and of its messages, to compare with a service's estimate. */
  firstFees: bigint;
  confidence: Confidence;
  /** Why the confidence is not `exact`, one sentence each. */
  doubts: readonly string[];
  /** The predicted trace; undefined if the message is rejected. */
  trace: TraceModel | undefined;
  /**
   * What a transaction of the predicted trace depended on, to run it again step by step; undefined if the trace has
   * none with this hash (lowercase hex).
   */
  inputsOf: (hash: string) => ReplayInputs | undefined;
  /** The destination account beforehand. */
  destination: {
    status: DestinationState['status'];
    /** Nanocoins. */
    balance: bigint;
    /** `wallet v5 r1` and the like, for known wallets. */
    wallet: string | undefined;
  };
  /** Masterchain block of the states. */
  seqno: number;
  /** Unix seconds used for the run. */
  now: number;
  /** The end of the TVM's log if the contract rejected it. */
  vmLog: string | undefined;
  /** The contract's debug output before a rejection; that of accepted messages is in the trace. */
  printed: DebugOutput;
}
