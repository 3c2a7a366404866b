/** The endpoints that traces come from. */
type TraceEndpoint = 'traces' | 'pendingTraces' | 'transactions';

/** A parameter of a request: one value, or a list that is sent as a repeated parameter. */
export type TraceParameter = string | number | boolean | readonly string[] | undefined;

/**
 * Where traces are asked for: the one thing this folder knows of a network. Answers are the service's own JSON, as it was
 * sent: {@link readTraces} reads it once.
 */
export interface TraceSource {
  request(
    endpoint: TraceEndpoint,
    parameters: Readonly<Record<string, TraceParameter>>,
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}
