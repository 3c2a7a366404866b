/** The endpoints that traces come from. */
type TraceEndpoint = 'traces' | 'pendingTraces' | 'transactions';

/** A request parameter: one value, or a list sent as a repeated parameter. */
export type TraceParameter = string | number | boolean | readonly string[] | undefined;

/**
 * The source of traces: this folder's only view of a network. Answers are the service's own JSON, unchanged: {@link
 * readTraces} reads it once.
 */
export interface TraceSource {
  request(
    endpoint: TraceEndpoint,
    parameters: Readonly<Record<string, TraceParameter>>,
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}
