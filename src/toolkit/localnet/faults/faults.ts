/** Faults that the server injects, to test how clients cope. None by default. */
export interface Faults {
  /** Requests need one of these API keys; empty for none. */
  keys: readonly string[];
  /** Requests per second, over all clients; 0 for no limit. */
  requestsPerSecond: number;
  /** Which of the service's two bodies a 429 gets. */
  rateLimitBody: 'result' | 'error';
  /** Milliseconds before each answer. */
  latency: number;
  /** Fraction of requests that fail, 0 to 1. */
  failureShare: number;
  /** How they fail: a status, an HTML page as from gateways, or a truncated body. */
  failures: readonly ('429' | '500' | '503' | 'html' | 'timeout' | 'cut')[];
}

export const noFaults: Faults = {
  keys: [],
  requestsPerSecond: 0,
  rateLimitBody: 'result',
  latency: 0,
  failureShare: 0,
  failures: ['500'],
};
