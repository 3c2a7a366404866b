import type { V3AddressBookRow, V3Message, V3MetadataRow, V3Transaction } from '../api/v3Objects';
import type { V3Action, V3Trace } from '../api/v3Traces';

/** How a transaction ended. See {@link outcomeOf}. */
export type Outcome =
  /** Everything it was asked to do is done. */
  | 'ok'
  /** The contract's code did not run, but nothing was undone: the coins were simply credited. */
  | 'notRun'
  /** It was undone, entirely or in part. */
  | 'failed'
  /** It succeeded but skipped actions sent with "ignore errors". */
  | 'partial'
  /** The answer lacks the transaction or its outcome. */
  | 'unknown';

/** One transaction of a trace and its position in the tree. */
export interface TraceNode {
  /** Position in {@link TraceModel.nodes}: depth first, children by logical time. */
  readonly index: number;
  /** Transaction hash; undefined for a message without a transaction (yet). */
  readonly hash: string | undefined;
  /** The service's object; undefined if the answer lacks it. */
  readonly transaction: V3Transaction | undefined;
  /** Whether the answer has the transaction; cheaper than getting the transaction itself. */
  readonly isCarried: boolean;
  /** The message that caused it, from either side's copy; undefined for tick-tock and the like. */
  readonly message: V3Message | undefined;
  /** `workchain:hex`, lowercase; undefined if unknown. */
  readonly account: string | undefined;
  readonly parent: TraceNode | undefined;
  readonly children: TraceNode[];
  /** Roots have 0. */
  readonly depth: number;
  /**
   * Why there is no transaction, and none will come automatically: the local network's emulator failed on the
   * message.
   */
  readonly failure?: string | undefined;
  readonly outcome: Outcome;
}

/** An inconsistency in the data; shown to the user, never fatal. */
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

/** complete, pending, broken, unknown if the answer does not say, or a word the service may add later. */
type TraceState = 'complete' | 'pending' | 'broken' | 'unknown' | (string & {});

/** One trace from any source. Built by {@link buildTrace}; the only input of every view. */
export interface TraceModel {
  /** Hash of the root transaction; undefined if unknown. */
  id: string | undefined;
  state: TraceState;
  /** The answer lacks transactions of the trace. */
  incomplete: boolean;
  nodes: TraceNode[];
  /** Usually one; more if the answer has gaps. */
  roots: TraceNode[];
  /** By transaction hash. */
  byHash: ReadonlyMap<string, TraceNode>;
  /** Accounts in order of appearance; the position determines the letter. */
  accounts: readonly string[];
  actions: readonly V3Action[];
  problems: readonly TraceProblem[];
  /** By account, lowercase. */
  addressBook: ReadonlyMap<string, V3AddressBookRow>;
  metadata: ReadonlyMap<string, V3MetadataRow>;
  /** The service's object, for fields that the structure does not need. */
  source: V3Trace;
}
