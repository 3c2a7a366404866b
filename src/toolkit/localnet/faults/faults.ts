import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/time';

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

/** A way in which networks misbehave, by name. */
export interface FaultPreset {
  title: string;
  /** What clients see. */
  detail: string;
  faults: Faults;
}

/** The usual ways in which the public service misbehaves. */
export const faultPresets: readonly FaultPreset[] = [
  {
    title: 'One request a second',
    detail: 'As the public service without an API key: everything beyond is answered with 429.',
    faults: { ...noFaults, requestsPerSecond: 1 },
  },
  {
    title: 'Always 429',
    detail: 'Every request is over the limit.',
    faults: { ...noFaults, failureShare: 1, failures: ['429'] },
  },
  {
    title: 'Slow',
    detail: 'Each answer takes 3 s.',
    faults: { ...noFaults, latency: 3_000 },
  },
  {
    title: 'Unreliable',
    detail: 'A third of the requests fail: 500, 503, a page of HTML, or an answer that is cut off.',
    faults: { ...noFaults, failureShare: 1 / 3, failures: ['500', '503', 'html', 'cut'] },
  },
  {
    title: 'Down',
    detail: 'Every request is answered with 503.',
    faults: { ...noFaults, failureShare: 1, failures: ['503'] },
  },
];

/** Faults in words, each clause once: `1 request a second, 3 s slower`. */
export function describeFaults({ keys, requestsPerSecond, latency, failureShare, failures }: Faults): string {
  const parts = [
    ...(keys.length === 0 ? [] : ['an API key is needed']),
    ...(requestsPerSecond === 0
      ? []
      : [`${requestsPerSecond} ${requestsPerSecond === 1 ? 'request' : 'requests'} a second`]),
    ...(latency === 0 ? [] : [`${latency / 1_000} s slower`]),
    ...(failureShare === 0 || failures.length === 0
      ? []
      : [`${Math.round(failureShare * 100)} % fail (${failures.join(', ')})`]),
  ];
  return parts.length === 0 ? 'as usual' : parts.join(', ');
}

const rateLimited = {
  result: { ok: false, result: 'Ratelimit exceed', code: 429 },
  error: { ok: false, code: 429, error: 'Ratelimit exceeded' },
};

/** Requests of the last second, for the rate limit. */
export class RateWindow {
  readonly #moments: number[] = [];

  /** Whether one more request is allowed; counts it if so. */
  admit(now: number, perSecond: number): boolean {
    while (this.#moments.length > 0 && (this.#moments[0] as number) <= now - 1000) {
      this.#moments.shift();
    }
    const fits = this.#moments.length < perSecond;
    if (fits) {
      this.#moments.push(now);
    }
    return fits;
  }
}

/** Delays, rejects, or corrupts a request as configured; returns whether it was answered. */
export async function injectFaults(
  faults: Faults,
  window: RateWindow,
  clock: Clock,
  random: () => number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  if (faults.latency > 0) {
    await clock.sleep(faults.latency);
  }
  if (faults.keys.length > 0 && !faults.keys.includes(keyOf(request))) {
    return json(reply, 401, { ok: false, code: 401, error: 'API key does not exist' });
  }
  if (faults.requestsPerSecond > 0 && !window.admit(clock.monotonic(), faults.requestsPerSecond)) {
    return json(reply, 429, rateLimited[faults.rateLimitBody]);
  }
  if (faults.failures.length === 0 || random() >= faults.failureShare) {
    return false;
  }
  return fail(
    faults.failures[Math.floor(random() * faults.failures.length)] as Faults['failures'][number],
    faults,
    reply,
  );
}

function keyOf({ headers, query }: FastifyRequest): string {
  const given = headers['x-api-key'] ?? (query as Record<string, unknown>).api_key;
  return typeof given === 'string' ? given : '';
}

function fail(failure: Faults['failures'][number], faults: Faults, reply: FastifyReply): boolean {
  switch (failure) {
    case '429':
      return json(reply, 429, rateLimited[faults.rateLimitBody]);
    case '500':
      return json(reply, 500, { ok: false, error: 'internal server error', code: 500 });
    case '503':
      return json(reply, 503, { ok: false, error: 'service unavailable', code: 503 });
    case 'timeout':
      return json(reply, 500, { error: 'timeout: context deadline exceeded' });
    case 'html':
      void reply
        .code(500)
        .type('text/html')
        .send(
          '<html><head><title>500 Internal Server Error</title></head><body><center>openresty</center></body></html>',
        );
      return true;
    case 'cut':
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      reply.raw.write('{"ok":true,"result":{"@type":"raw.fu', () => reply.raw.destroy());
      return true;
  }
}

function json(reply: FastifyReply, status: number, body: unknown): boolean {
  void reply.code(status).type('application/json').send(JSON.stringify(body));
  return true;
}
