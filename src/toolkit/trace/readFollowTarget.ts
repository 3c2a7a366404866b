import type { AccountsByName } from '../address/resolveAccount';
import { WorkbenchError } from '../base/errors';
import type { Clock } from '../base/time';
import { parseTraceQuery } from './parseTraceQuery';
import type { TraceModel } from './traceModel';

/** What to follow: messages by hash, or everything of an account. */
export type FollowTarget = Pick<FollowParameters, 'hashes' | 'account'>;

/**
 * Parses what to follow: hashes separated by spaces, or one account, by address, name, or explorer link.
 * @throws WorkbenchError `trace-query-invalid`, `account-unknown` (input)
 */
export function readFollowTarget(text: string, accounts?: AccountsByName): FollowTarget {
  const queries = text
    .trim()
    .split(/\s+/)
    .map((part) => parseTraceQuery(part, accounts));
  const hashes = queries.flatMap((query) => (query.kind === 'hash' ? [query.hash] : []));
  const [account, ...more] = queries.flatMap((query) => (query.kind === 'account' ? [query.account] : []));
  if (more.length > 0) {
    throw new WorkbenchError({
      code: 'trace-query-invalid',
      kind: 'input',
      message: 'You can follow several hashes, but only one account at a time.',
    });
  }
  return { ...(hashes.length === 0 ? {} : { hashes }), ...(account === undefined ? {} : { account }) };
}

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
  /** Waits between two rounds, in place of the clock: until something has happened, if that is known otherwise. */
  rest?: ((ms: number) => Promise<void>) | undefined;
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
