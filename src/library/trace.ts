import { traceSourceOf } from '../toolkit/access/traceSourceOf';
import { findTrace } from '../toolkit/trace/findTrace';
import { followTrace as followToolkitTrace } from '../toolkit/trace/followTrace';
import { openTraces } from '../toolkit/trace/traceFile';
import { WorkbenchError } from '../toolkit/errors';
import type { Access } from './access';
import { toolkitAccess } from './toolkitAccess';
import { toPublicTrace } from './traces';

/** How a transaction ended: `failed` is undone in whole or in part, `partial` left out actions, `notRun` ran no code. */
export type TransactionOutcome = 'ok' | 'notRun' | 'failed' | 'partial' | 'unknown';

/** The message that caused a transaction. */
export interface TraceMessage {
  /** `transfer`, `jetton_transfer`, an opcode where nothing is known of it, or `external in`. */
  readonly name: string;
  /** Raw, lower case; undefined for a message from outside. */
  readonly source: string | undefined;
  readonly destination: string | undefined;
  /** Nanocoins; 0 for a message from outside. */
  readonly value: bigint;
  /** The text it carries, also behind a transfer of jettons. Written by whoever sent it. */
  readonly comment: string | undefined;
  readonly bounced: boolean;
}

/** One step of a trace: a transaction, or a message that has none yet. */
export interface TraceStep {
  /** Lower-case hex; undefined for a message without a transaction. */
  readonly hash: string | undefined;
  /** Raw, lower case. */
  readonly account: string | undefined;
  readonly outcome: TransactionOutcome;
  /** Of the compute phase. */
  readonly exitCode: number | undefined;
  readonly message: TraceMessage | undefined;
  /** Position of the step that sent the message, in `steps`. */
  readonly parent: number | undefined;
}

/** How one account ended. Amounts are changes. */
export interface TraceMoney {
  /** Raw, lower case. */
  readonly account: string;
  /** Nanocoins. */
  readonly coins: bigint;
  /** By the address of the jetton's master, in the jetton's smallest unit. */
  readonly jettons: ReadonlyMap<string, bigint>;
}

/** What happened after one message. */
export interface Trace {
  /** Hash of the first transaction, lower-case hex. */
  readonly id: string | undefined;
  /** `complete`: nothing more will come. */
  readonly state: 'complete' | 'pending' | 'broken' | (string & {});
  /** Nothing failed in it. */
  readonly succeeded: boolean;
  /** Why it failed, in one sentence. */
  readonly verdict: string | undefined;
  /** Depth first. */
  readonly steps: readonly TraceStep[];
  readonly money: readonly TraceMoney[];
  /** All fees, nanocoins. */
  readonly fees: bigint;
  /** What the command line prints: actions, tree, money. */
  toText(): string;
  /** A sequence diagram in Mermaid. */
  toMermaid(): string;
}

/** How traces are put into words. */
export interface TraceWords {
  /** Your names for accounts: name to address in any usual form. */
  names?: Readonly<Record<string, string>> | undefined;
}

/** How a message is followed. */
export interface FollowOptions extends TraceWords {
  signal?: AbortSignal | undefined;
  /** Between two questions, in milliseconds; default 2000, on a local network 100. */
  intervalMs?: number | undefined;
  /** Gives up on a message that nobody has seen for so long; default 120,000. */
  patienceMs?: number | undefined;
}

/**
 * The traces that a text names: the one of a hash (of a transaction or any of its messages), or the newest of an account.
 *
 * @throws WorkbenchError `trace-query-invalid` (input), `trace-not-found` (failed), and what the network answers
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
 * Follows a message from "sent" to the end: yields its trace whenever it has grown, at last when it is complete.
 *
 * @param hash of the message, normalized or not, or of a transaction
 * @throws WorkbenchError `trace-not-found` (failed) when nobody has seen it within the patience, `aborted`
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
    } else if (event.type === 'gone' || event.type === 'unseen') {
      throw (event.type === 'unseen' ? event.error : undefined) ?? notSeenError(hash);
    }
  }
  if (signal?.aborted === true) {
    throw new WorkbenchError({ code: 'aborted', kind: 'network', message: 'Canceled.' });
  }
}

/**
 * The trace of a message when it is complete.
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
    throw notSeenError(hash);
  }
  return last;
}

/**
 * The traces in a text: an answer of v3's `/traces` or `/transactions`, or a file that the editor has saved.
 * @throws WorkbenchError `trace-unreadable` (input)
 */
export function readTraces(json: string, options: TraceWords = {}): Trace[] {
  return openTraces(json).map((model) => toPublicTrace(model, options));
}

function notSeenError(hash: string): WorkbenchError {
  return new WorkbenchError({
    code: 'trace-not-found',
    kind: 'failed',
    message: `Nothing was seen of the message ${hash}; it was probably not accepted.`,
    hint: 'Check the network, and whether the message has expired.',
  });
}
