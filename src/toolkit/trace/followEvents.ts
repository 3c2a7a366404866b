import type { WorkbenchError } from '../errors';
import type { Clock } from '../time';
import type { TraceModel } from './traceModel';

export interface FollowParameters {
  /** Hashes of external messages (raw or normalized), of any of their messages, or of transactions; any form. */
  hashes?: readonly string[] | undefined;
  /** Everything of this account, until the signal fires. */
  account?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Between two rounds; default 2000. A round is at most three requests, and waits for the limiter besides. */
  intervalMs?: number | undefined;
  /** Give up on a hash that nobody has seen for so long; default 120,000. */
  patienceMs?: number | undefined;
  clock?: Clock | undefined;
}

/** What following tells, in order. */
export type FollowEvent =
  /** Nothing of it is known yet: nobody has looked. */
  | { type: 'waiting'; hash: string }
  /** A trace appeared or grew. The same trace always has the same `key`. */
  | { type: 'trace'; key: string; model: TraceModel; isFinal: boolean }
  /** A trace that was pending is nowhere any more: it was dropped, or replaced by another. */
  | { type: 'gone'; key: string; model: TraceModel }
  /** A hash was not seen within the patience; with `error` the network could not even be asked at last. */
  | { type: 'unseen'; hash: string; error?: WorkbenchError }
  /** A round failed, for the `failures`th time in a row; the next comes after `retryInMs`. */
  | { type: 'error'; error: WorkbenchError; failures: number; retryInMs: number };
