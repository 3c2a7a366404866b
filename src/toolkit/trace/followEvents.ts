import type { WorkbenchError } from '../errors';
import type { Clock } from '../time';
import type { TraceModel } from './traceModel';

export interface FollowParameters {
  /** Hashes of external messages (raw or normalized), of any messages in the trace, or of transactions; any form. */
  hashes?: readonly string[] | undefined;
  /** Everything of this account, until the signal fires. */
  account?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Between two rounds; default 2000. A round is at most three requests, which may also wait for the limiter. */
  intervalMs?: number | undefined;
  /** Give up on an unseen hash after this time; default 120,000. */
  patienceMs?: number | undefined;
  clock?: Clock | undefined;
}

/** The events of following, in order. */
export type FollowEvent =
  /** Nothing is known yet: no request has been made. */
  | { type: 'waiting'; hash: string }
  /** A trace appeared or grew. The same trace always has the same `key`. */
  | { type: 'trace'; key: string; model: TraceModel; isFinal: boolean }
  /** A pending trace has disappeared: it was dropped, or replaced by another. */
  | { type: 'gone'; key: string; model: TraceModel }
  /** A hash was not seen in time; `error` is set if the last request failed. */
  | { type: 'unseen'; hash: string; error?: WorkbenchError }
  /** A round failed, `failures` times in a row; the next one follows after `retryInMs`. */
  | { type: 'error'; error: WorkbenchError; failures: number; retryInMs: number };
