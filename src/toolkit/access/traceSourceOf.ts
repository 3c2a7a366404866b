import type { Access } from './createAccess';
import { v3Endpoints } from './v3/endpoints';

/** The endpoints that traces come from. */
type TraceEndpoint = 'traces' | 'pendingTraces' | 'transactions';

/** A network as the source of traces that toolkit/trace asks: the service's own JSON, as it was sent. */
export interface NetworkTraceSource {
  request(
    endpoint: TraceEndpoint,
    parameters: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}

/** A network as a source of traces. */
export function traceSourceOf(access: Access): NetworkTraceSource {
  return {
    async request(endpoint, parameters, signal) {
      const { text } = await access.call(v3Endpoints[endpoint], parameters, { signal });
      return JSON.parse(text) as unknown;
    },
  };
}
