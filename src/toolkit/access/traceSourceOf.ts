import type { Access } from './createAccess';
import { wrongShapeError } from './errors';
import { v3Endpoints } from './v3/v3Endpoints';

/** The endpoints that traces, and what is said of them, come from. */
type TraceEndpoint = 'traces' | 'pendingTraces' | 'transactions' | 'jettonWallets';

/** A network as the source of traces that the trace views and the chain check ask: the service's own JSON, as it was sent. */
export interface NetworkTraceSource {
  request(
    endpoint: TraceEndpoint,
    parameters: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}

/** A network as a source of traces. What reads the JSON judges it: a field that is missing or odd is no reason to refuse it. */
export function traceSourceOf(access: Access): NetworkTraceSource {
  return {
    async request(endpoint, parameters, signal) {
      const { json } = await access.ask(v3Endpoints[endpoint], parameters, { signal });
      if (typeof json !== 'object' || json === null || Array.isArray(json)) {
        throw wrongShapeError(v3Endpoints[endpoint], { path: [], expected: 'an object' });
      }
      const list = endpoint === 'pendingTraces' ? 'traces' : endpoint;
      // An answer without its list says that there is nothing, as null does.
      return list in json || endpoint === 'jettonWallets' ? json : { ...json, [list]: null };
    },
  };
}
