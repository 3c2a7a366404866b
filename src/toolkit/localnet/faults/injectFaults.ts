import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../time';
import type { Faults } from './faults';

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
