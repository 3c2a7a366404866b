import type { Access } from '../access/createAccess';
import { findAccount } from '../accounts/findAccount';
import { traceSourceOf } from '../access/traceSourceOf';
import { isDomain } from '../address/resolveAccount';
import { findTrace } from '../trace/findTrace';
import type { FindOptions } from '../trace/findTrace';
import type { JettonBook } from '../trace/jettonBook';
import type { TraceContext } from '../trace/traceContext';
import type { TraceModel } from '../trace/traceModel';
import { describeTrace } from './describeTrace';
import type { TraceWordSources } from './describeTrace';

/** Maximum time for querying jetton contracts per trace, in milliseconds. */
const patienceMs = 10_000;

/** The network and what to search for. */
export interface TraceSearch extends Pick<FindOptions, 'limit' | 'names'> {
  access: Access;
  text: string;
}

/** Which traces to open, and the names to use. */
export interface OpenTraceParameters {
  /** Traces read from a file, or the network to query: for a hash, an account, or an explorer link. */
  from: readonly TraceModel[] | TraceSearch;
  words: TraceWordSources;
  /** Fetches jetton metadata missing from the answer; omit to skip that. */
  jettons?: JettonBook | undefined;
  signal?: AbortSignal | undefined;
}

/** The events of opening traces. */
export type OpenTraceEvent =
  /** Everything that was found, newest first, with what is immediately known. */
  | { type: 'found'; contexts: readonly TraceContext[] }
  /** One of them with all available metadata: symbols and decimals of its jettons. In order. */
  | { type: 'complete'; context: TraceContext };

/**
 * Opens traces: finds them, names their contents, and queries their jettons.
 *
 * @throws WorkbenchError `trace-query-invalid`, `trace-not-found`, and the network's errors
 */
export async function* openTrace({
  from,
  words,
  jettons,
  signal,
}: OpenTraceParameters): AsyncGenerator<OpenTraceEvent, void, undefined> {
  const models =
    'access' in from
      ? await findTrace(traceSourceOf(from.access), await searchText(from, signal), {
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

/** A domain is looked up first; everything else is read by the search itself. */
async function searchText({ access, text, names }: TraceSearch, signal?: AbortSignal): Promise<string> {
  return names !== undefined && isDomain(text) ? findAccount(access, text, names, signal) : text;
}

/** The trace with its jettons' own metadata, within a reasonable time. */
export async function askJettons(
  context: TraceContext,
  jettons: JettonBook | undefined,
  signal?: AbortSignal,
): Promise<TraceContext> {
  const timeout = AbortSignal.timeout(patienceMs);
  const ends = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  return (await jettons?.complete(context, ends)) ?? context;
}
