import { actionPhaseOf, computePhaseOf } from '../../replay/replayErrors';
import { finalFailure, instructionAt } from '../../recording/recording';
import type { SourcePlace } from '../../sourceMap/sourceMap';
import type { AccountNames } from '../debugValue';
import type { RunView } from '../runView';

/** An execution that is asked. */
export interface AskedRun {
  view: RunView;
  /** The account that it ran on, raw; undefined if that is not known. */
  account: string | undefined;
  /** What its contract is called: by the network, by the project, and by its source. */
  names: readonly string[];
  nameOf: AccountNames;
  /** As of the program. */
  pathOf: (file: string) => string | undefined;
}

/** A value that a hit has. */
export interface HitValue {
  name: string;
  /** Undefined if it is unknown: `why` tells the reason. */
  value: string | undefined;
  /** The value before, if the hit is a change of it. */
  before?: string | undefined;
  why?: string | undefined;
}

/** What is known of a hit. */
export interface HitFacts {
  /** In words: `half(value: 20) → 10`, `total 6 TON → 12 TON`. */
  title: string;
  values: readonly HitValue[];
  /** Its line; undefined if none is known. */
  place: SourcePlace | undefined;
  /** Why what it did was not kept; undefined if it was. */
  undone?: string | undefined;
}

/** A hit in an execution; what is known of it is read when somebody asks. */
export interface FoundHit {
  /** Index in the recording. */
  step: number;
  /** Of a message: the account that gets it, raw; undefined for one to the outside. */
  to?: string | undefined;
  tell: () => HitFacts;
}

/** What an execution answers. */
export interface RunHits {
  /** Ascending. */
  hits: readonly FoundHit[];
  /** What is unknown, as sentences. */
  notes: readonly string[];
  /** The execution has nothing by the name that is asked for: the names of what it has instead. */
  instead?: readonly string[] | undefined;
}

/** Why what an execution did at a step was not kept, as the end of a sentence; undefined if it was. */
export function undoneAt({ run, recording }: RunView, step: number): string | undefined {
  const { transaction } = run;
  if (transaction === undefined) {
    return 'a get-method or a refused message keeps nothing';
  }
  if (actionPhaseOf(transaction)?.success === false) {
    return 'its actions failed';
  }
  const isCommitted = (one: number): boolean =>
    one > step && instructionAt(recording, one).startsWith('COMMIT');
  const hasFailed = finalFailure(recording) !== undefined || computePhaseOf(transaction)?.type !== 'vm';
  return hasFailed && !recording.writes.some(isCommitted) ? 'the execution failed' : undefined;
}

/** A value with its name as text: `by = 5`, `by is unknown: …`. */
export function hitValueText({ name, value, why }: HitValue): string {
  return value === undefined ? `${name} is unknown: ${why ?? 'nothing tells'}` : `${name} = ${value}`;
}
