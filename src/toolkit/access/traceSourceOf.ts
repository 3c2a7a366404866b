import type { Access } from './createAccess';
import { wrongShapeError } from './errors';
import { v3Endpoints } from './v3/v3Endpoints';

/** The endpoints that provide traces and related data. */
type TraceEndpoint = 'traces' | 'pendingTraces' | 'transactions' | 'jettonWallets';

/** A network as a source of traces for the trace views and the chain check: the service's own JSON, unchanged. */
export interface NetworkTraceSource {
  request(
    endpoint: TraceEndpoint,
    parameters: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}

/** A network as a source of traces. Readers of the JSON validate it: missing or odd fields are not rejected here. */
export function traceSourceOf(access: Access): NetworkTraceSource {
  return {
    async request(endpoint, parameters, signal) {
      const { json } = await access.ask(v3Endpoints[endpoint], parameters, { signal });
      if (typeof json !== 'object' || json === null || Array.isArray(json)) {
        throw wrongShapeError(v3Endpoints[endpoint], { path: [], expected: 'an object' });
      }
      const list = endpoint === 'pendingTraces' ? 'traces' : endpoint;
      // An answer without its list means that there is nothing, like null.
      return list in json || endpoint === 'jettonWallets' ? json : { ...json, [list]: null };
    },
  };
}
