import type { Access } from '../access/createAccess';
import { traceSourceOf } from '../access/traceSourceOf';
import { findTrace } from '../trace/findTrace';
import type { FindOptions } from '../trace/findTrace';
import type { JettonBook } from '../trace/jettonBook';
import type { TraceContext } from '../trace/traceContext';
import type { TraceModel } from '../trace/traceModel';
import { describeTrace } from './describeTrace';
import type { TraceWordSources } from './describeTrace';

/** Longest that the contracts of jettons are asked for one trace, in milliseconds. */
const patienceMs = 10_000;

/** What is asked of a network. */
export interface TraceSearch extends Pick<FindOptions, 'limit' | 'names'> {
  access: Access;
  text: string;
}

/** Which traces are opened, and with what they are told. */
export interface OpenTraceParameters {
  /** What was read from a file, or the network that is asked: for a hash, an account, or an explorer's link. */
  from: readonly TraceModel[] | TraceSearch;
  words: TraceWordSources;
  /** Asks jettons for what the answer lacks of them; without it, nobody is asked. */
  jettons?: JettonBook | undefined;
  signal?: AbortSignal | undefined;
}

/** What is told while traces are opened. */
export type OpenTraceEvent =
  /** Everything that was found, newest first, with what is known at once. */
  | { type: 'found'; contexts: readonly TraceContext[] }
  /** One of them with all that can be found out: the symbols and decimals of its jettons. In their order. */
  | { type: 'complete'; context: TraceContext };

/**
 * Opens traces: finds them, names what is in them, and asks their jettons.
 *
 * @throws WorkbenchError `trace-query-invalid`, `trace-not-found`, or what the network answers
 */
export async function* openTrace({
  from,
  words,
  jettons,
  signal,
}: OpenTraceParameters): AsyncGenerator<OpenTraceEvent, void, undefined> {
  const models =
    'access' in from
      ? await findTrace(traceSourceOf(from.access), from.text, {
          limit: from.limit,
          names: from.names,
          signal,
        })
      : from;
  const contexts = await Promise.all(models.map((model) => describeTrace(model, words)));
  yield { type: 'found', contexts };
  for (const context of contexts) {
    yield { type: 'complete', context: await askJettons(context, jettons, signal) };
  }
}

/** The trace with what its jettons say of themselves, in the time that anybody wants to wait for it. */
export async function askJettons(
  context: TraceContext,
  jettons: JettonBook | undefined,
  signal?: AbortSignal,
): Promise<TraceContext> {
  const timeout = AbortSignal.timeout(patienceMs);
  const ends = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  return (await jettons?.complete(context, ends)) ?? context;
}
