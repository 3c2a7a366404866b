import { traceSourceOf } from '../toolkit/access/traceSourceOf';
import { findTrace } from '../toolkit/trace/findTrace';
import { followTrace as followToolkitTrace } from '../toolkit/trace/followTrace';
import { openTraces } from '../toolkit/trace/traceFile';
import { WorkbenchError } from '../toolkit/base/errors';
import { goneError, unseenError } from '../toolkit/workflows/followMessage';
import type { Access } from './access';
import { toolkitAccess } from './toolkitAccess';
import { toPublicTrace } from './toPublicTrace';
import type { Trace, TraceWords } from './traceTypes';

export type {
  Trace,
  TraceMessage,
  TraceMoney,
  TraceStep,
  TraceWords,
  TransactionOutcome,
} from './traceTypes';

/** How to follow a message. */
export interface FollowOptions extends TraceWords {
  signal?: AbortSignal | undefined;
  /** Polling interval in milliseconds; default 2000, or 100 on a local network. */
  intervalMs?: number | undefined;
  /** Gives up on a message that has not been seen for this long, in milliseconds; default 120,000. */
  patienceMs?: number | undefined;
}

/**
 * Finds traces: the one with a hash (of a transaction or any of its messages), or the newest of an account.
 *
 * @throws WorkbenchError `trace-query-invalid` (input), `trace-not-found` (failed), and the network's errors
 * @example
 * ```ts
 * import { findTraces } from 'ton-workbench/trace';
 *
 * const [trace] = await findTraces(access, '0:ab…', { limit: 1 });
 * console.log(trace.verdict ?? 'nothing failed');
 * ```
 */
export async function findTraces(
  access: Access,
  hashOrAccount: string,
  options: TraceWords & { limit?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Trace[]> {
  const { limit, signal } = options;
  const models = await findTrace(traceSourceOf(toolkitAccess(access)), hashOrAccount, { limit, signal });
  return models.map((model) => toPublicTrace(model, options));
}

/**
 * Follows a message from "sent" to the end: yields its trace whenever it has grown, and finally when it is
 * complete.
 *
 * @param hash hash of the message, normalized or not, or of a transaction
 * @throws WorkbenchError `trace-not-found` (failed) if it is not seen in time, `message-dropped` (failed) if another
 *   message took its place or it expired, `aborted`
 * @example
 * ```ts
 * import { followTrace } from 'ton-workbench/trace';
 *
 * for await (const trace of followTrace(access, hash)) {
 *   console.log(trace.state, trace.steps.length);
 * }
 * ```
 */
export async function* followTrace(
  access: Access,
  hash: string,
  options: FollowOptions = {},
): AsyncGenerator<Trace, void, undefined> {
  const { network } = toolkitAccess(access);
  const { signal, intervalMs = network.kind === 'local' ? 100 : 2000, patienceMs } = options;
  const source = traceSourceOf(toolkitAccess(access));
  for await (const event of followToolkitTrace(source, { hashes: [hash], signal, intervalMs, patienceMs })) {
    if (event.type === 'trace') {
      yield toPublicTrace(event.model, options);
    } else if (event.type === 'gone') {
      throw await goneError(toolkitAccess(access), event.model, { signal });
    } else if (event.type === 'unseen') {
      throw event.error ?? unseenError(hash);
    }
  }
  if (signal?.aborted === true) {
    throw new WorkbenchError({ code: 'aborted', kind: 'network', message: 'Canceled.' });
  }
}

/**
 * Waits until the trace of a message is complete.
 *
 * @throws WorkbenchError as {@link followTrace}
 * @example
 * ```ts
 * const trace = await waitForTrace(access, message.hash);
 * if (!trace.succeeded) throw new Error(trace.verdict);
 * ```
 */
export async function waitForTrace(
  access: Access,
  hash: string,
  options: FollowOptions = {},
): Promise<Trace> {
  let last: Trace | undefined;
  for await (const trace of followTrace(access, hash, options)) {
    last = trace;
  }
  if (last === undefined) {
    throw unseenError(hash);
  }
  return last;
}

/**
 * Reads traces from text: an answer of v3's `/traces` or `/transactions`, or a file saved by the editor.
 * @throws WorkbenchError `trace-unreadable` (input)
 */
export function readTraces(json: string, options: TraceWords = {}): Trace[] {
  return openTraces(json).map((model) => toPublicTrace(model, options));
}
