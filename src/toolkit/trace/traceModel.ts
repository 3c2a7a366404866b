import type { V3AddressBookRow, V3Message, V3MetadataRow, V3Transaction } from '../api/v3Objects';
import type { V3Action, V3Trace } from '../api/v3Traces';

/** How a transaction ended. See {@link outcomeOf}. */
export type Outcome =
  /** Everything it was asked to do is done. */
  | 'ok'
  /** The contract's code did not run, and nothing was undone: the coins were simply credited. */
  | 'notRun'
  /** It was undone, in whole or in part. */
  | 'failed'
  /** It succeeded but left out actions that were sent with "ignore errors". */
  | 'partial'
  /** The answer does not carry the transaction, or not how it ended. */
  | 'unknown';

/** One transaction of a trace and its place in the tree. */
export interface TraceNode {
  /** Position in {@link TraceModel.nodes}: depth first, children by logical time. */
  readonly index: number;
  /** Transaction hash; undefined for a message that has no transaction yet. */
  readonly hash: string | undefined;
  /** The service's object; undefined where the answer does not carry it. */
  readonly transaction: V3Transaction | undefined;
  /** Whether the answer carries the transaction; cheaper to ask than the transaction itself. */
  readonly isCarried: boolean;
  /** The message that caused it, from whichever side the answer has it; undefined for tick-tock and the like. */
  readonly message: V3Message | undefined;
  /** `workchain:hex`, lower case; undefined when nothing names it. */
  readonly account: string | undefined;
  readonly parent: TraceNode | undefined;
  readonly children: TraceNode[];
  /** Roots have 0. */
  readonly depth: number;
  /** Why there is no transaction and none comes by itself: the local network's emulator failed on the message. */
  readonly failure?: string | undefined;
  readonly outcome: Outcome;
}

/** Something in the data that does not fit; told to the user, never fatal. */
export interface TraceProblem {
  code:
    | 'emulator-failed'
    | 'missing-transactions'
    | 'too-large'
    | 'incomplete'
    | 'cycle'
    | 'several-roots'
    | 'duplicate'
    | 'unreadable-transaction';
  text: string;
}

/** complete, pending, broken, unknown where the answer does not say, or a word the service may add later. */
type TraceState = 'complete' | 'pending' | 'broken' | 'unknown' | (string & {});

/** One trace from any source. Built by {@link buildTrace}; every view reads only this. */
export interface TraceModel {
  /** Hash of the root transaction; undefined when not even that is known. */
  id: string | undefined;
  state: TraceState;
  /** The answer lacks transactions of the trace. */
  incomplete: boolean;
  nodes: TraceNode[];
  /** Usually one. More when the answer has gaps. */
  roots: TraceNode[];
  /** By transaction hash. */
  byHash: ReadonlyMap<string, TraceNode>;
  /** Accounts in order of appearance; the position makes the letter. */
  accounts: readonly string[];
  actions: readonly V3Action[];
  problems: readonly TraceProblem[];
  /** By account, lower case. */
  addressBook: ReadonlyMap<string, V3AddressBookRow>;
  metadata: ReadonlyMap<string, V3MetadataRow>;
  /** The service's object, for the fields that the structure does not need. */
  source: V3Trace;
}
