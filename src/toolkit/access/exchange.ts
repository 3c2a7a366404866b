import { WorkbenchError, toWorkbenchError } from '../base/errors';
import type { Log } from '../base/log';
import type { Clock } from '../base/time';
import { abortReason, withDeadline } from './limiter';
import type { CallContext } from './errors';
import { connectionLostError, heldOffError, timeoutError, tooLargeError, unreachableError } from './errors';
import type { Limiter, Ticket } from './limiter';
import type { PreparedRequest } from './prepareRequest';
import { readAnswer } from './readAnswer';
import { pauseAfter } from './serviceError';
import type { Transport, TransportAnswer } from './transport';
import { TransportFailure } from './transport';

/** Why a request waits its turn. */
export interface PaceWait {
  origin: string;
  hasKey: boolean;
  /** The rate limit of the origin; undefined if only a pause requested by the service holds the request. */
  requestsPerSecond: number | undefined;
}

/** What an exchange needs from its environment. */
export interface ExchangeServices {
  transport: Transport;
  limiter: Limiter;
  clock: Clock;
  log: Log | undefined;
  onWait: ((wait: PaceWait) => void) | undefined;
  onReach: ((isReached: boolean) => void) | undefined;
  client: string | undefined;
  /** Random number in [0, 1). */
  random: () => number;
  maximumBytes: number;
  /** For one attempt, in milliseconds. */
  timeoutMs: number;
  /** For the whole call, in milliseconds. */
  budgetMs: number;
}

export interface ExchangeRequest {
  context: CallContext;
  /** Base URL of the API, without a trailing slash. */
  base: string;
  prepared: PreparedRequest;
  apiKey: string | undefined;
  requestsPerSecond: number | undefined;
  /** Most attempts; default 4. */
  attempts?: number | undefined;
}

/** A successful answer. */
export interface ServiceAnswer {
  json: unknown;
  text: string;
  /** The `X-API-Version` header. */
  apiVersion: string | undefined;
  /** The `Date` header, in milliseconds since the Unix epoch. */
  servedAt: number | undefined;
}

const mostAttempts = 4;
const firstBackoffMs = 400;
const mostBackoffMs = 10_000;
const mostRedirects = 3;

/**
 * One request to the service with queueing, retries, and errors. Reads are retried on 429, 502, 503, 504, an HTML
 * 5xx, and a 500 that mentions a timeout, at most 4 times, with jittered exponential backoff or as Retry-After says;
 * requests that change the chain are never retried. Ends within the budget; aborting `controller`, which belongs to
 * the whole call, ends the exchange down to the socket.
 */
export async function exchange(
  services: ExchangeServices,
  request: ExchangeRequest,
  ticket: Ticket,
  controller: AbortController,
): Promise<ServiceAnswer> {
  const { context } = request;
  const { signal } = controller;
  const deadlineAt = services.clock.monotonic() + services.budgetMs;
  for (let attempt = 1; ; attempt++) {
    const heldMs = services.limiter.heldFor(context.origin);
    if (services.clock.monotonic() + heldMs > deadlineAt) {
      throw heldOffError(context, heldMs);
    }
    const turn = services.limiter.acquire(context.origin, request.requestsPerSecond, ticket, signal);
    if (turn !== undefined) {
      const { origin, hasKey } = context;
      services.onWait?.({ origin, hasKey, requestsPerSecond: request.requestsPerSecond });
      const leftMs = deadlineAt - services.clock.monotonic();
      await withDeadline(
        controller,
        leftMs,
        () => timeoutError(context, services.budgetMs),
        () => turn,
      );
    }
    try {
      return await attemptOnce(services, request, controller, attempt, deadlineAt);
    } catch (error) {
      const waitMs = retryWait(services, error, attempt);
      if (WorkbenchError.is(error, 'rate-limited')) {
        services.limiter.holdOff(context.origin, waitMs);
      }
      const mayRetry =
        attempt < (request.attempts ?? mostAttempts) && !context.changesChain && isWorthRetrying(error);
      if (!mayRetry || services.clock.monotonic() + waitMs > deadlineAt) {
        throw error;
      }
      await sleep(services.clock, waitMs, signal);
    }
  }
}

async function attemptOnce(
  services: ExchangeServices,
  request: ExchangeRequest,
  controller: AbortController,
  attempt: number,
  deadlineAt: number,
): Promise<ServiceAnswer> {
  const { context } = request;
  const startedAt = services.clock.monotonic();
  const timeoutMs = Math.min(services.timeoutMs, deadlineAt - startedAt);
  const cancel = services.clock.after(timeoutMs, () => controller.abort(timeoutError(context, timeoutMs)));
  let outcome = '';
  try {
    const answer = await send(services, request, controller.signal);
    outcome = `${answer.status}, ${answer.body.length} bytes`;
    services.onReach?.(true);
    const { json, text } = readSecretly(request, answer, services.clock);
    const date = Date.parse(answer.header('date') ?? '');
    const servedAt = Number.isNaN(date) ? undefined : date;
    return { json, text, apiVersion: answer.header('x-api-version'), servedAt };
  } catch (error) {
    const known = toAccessError(services, context, error, controller.signal);
    outcome += ` ${known.code}`;
    if (known.code === 'unreachable') {
      services.onReach?.(false);
    }
    throw known;
  } finally {
    cancel();
    logAttempt(services, request, outcome, attempt, startedAt);
  }
}

/** A service may repeat the key in its answer; it must not be shown, cached, or logged. */
export function readSecretly(
  { context, apiKey }: Pick<ExchangeRequest, 'context' | 'apiKey'>,
  answer: TransportAnswer,
  clock: Clock,
): { json: unknown; text: string } {
  try {
    return readAnswer(context, answer, clock);
  } catch (error) {
    if (apiKey === undefined || !WorkbenchError.is(error)) {
      throw error;
    }
    try {
      readAnswer(context, answerWithoutKey(answer, apiKey), clock);
    } catch (clean) {
      throw WorkbenchError.is(clean) ? errorWithoutKey(clean, apiKey) : clean;
    }
    throw errorWithoutKey(error, apiKey);
  }
}

function logAttempt(
  { log, clock }: ExchangeServices,
  { context, prepared }: ExchangeRequest,
  outcome: string,
  attempt: number,
  startedAt: number,
): void {
  if (log !== undefined) {
    const elapsed = Math.round(clock.monotonic() - startedAt);
    const again = attempt === 1 ? '' : `, attempt ${attempt}`;
    const what = `${context.endpoint.layer} ${prepared.method} ${prepared.target} at ${context.origin}`;
    log.debug(`${what}: ${outcome.trim()}, ${elapsed} ms${again}`);
  }
}

/** Sends once; for reads, follows a redirect within the same origin. Others are left for the reader to reject. */
async function send(
  { transport, maximumBytes, client }: ExchangeServices,
  { context, base, prepared, apiKey }: ExchangeRequest,
  signal: AbortSignal,
): Promise<TransportAnswer> {
  const { method, body } = prepared;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
  }
  if (client !== undefined) {
    headers['user-agent'] = client;
  }
  if (apiKey !== undefined) {
    headers['x-api-key'] = apiKey;
  }
  let url = base + prepared.target;
  for (let hop = 0; ; hop++) {
    const answer = await transport({ method, url, headers, body, signal, maximumBytes });
    const next = method === 'GET' && hop < mostRedirects ? redirectTarget(answer, url) : undefined;
    if (next?.origin !== context.origin) {
      return answer;
    }
    url = next.href;
  }
}

function redirectTarget({ status, header }: TransportAnswer, from: string): URL | undefined {
  if (status < 300 || status >= 400) {
    return undefined;
  }
  const location = header('location');
  return location !== undefined && URL.canParse(location, from) ? new URL(location, from) : undefined;
}

/** What went wrong between a request and its answer. */
export function toAccessError(
  { maximumBytes, timeoutMs }: Pick<ExchangeServices, 'maximumBytes' | 'timeoutMs'>,
  context: CallContext,
  error: unknown,
  signal: AbortSignal,
): WorkbenchError {
  if (error instanceof WorkbenchError || error instanceof RangeError) {
    return toWorkbenchError(error);
  }
  if (signal.aborted) {
    return abortReason(signal);
  }
  if (error instanceof TransportFailure) {
    switch (error.reason) {
      case 'unreachable':
        return unreachableError(context, error.message, error);
      case 'timeout':
        return timeoutError(context, timeoutMs);
      case 'too-large':
        return tooLargeError(context, maximumBytes);
      case 'connection-lost':
        break;
    }
  }
  return connectionLostError(context, error instanceof Error ? error.message : String(error), error);
}

function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof WorkbenchError)) {
    return false;
  }
  if (error.code === 'rate-limited') {
    return true;
  }
  const { status, serviceText, isHtml } = error.details;
  if (error.code !== 'service-failure' || typeof status !== 'number') {
    return false;
  }
  const isTimeout = typeof serviceText === 'string' && /time(?:d )?out|deadline exceeded/i.test(serviceText);
  return (
    status === 502 || status === 503 || status === 504 || isHtml === true || (status === 500 && isTimeout)
  );
}

/** Milliseconds until the next attempt: as the service asks, else half to all of a doubling delay. */
function retryWait({ random }: ExchangeServices, error: unknown, attempt: number): number {
  const most = Math.min(mostBackoffMs, firstBackoffMs * 2 ** (attempt - 1));
  return pauseAfter(error, most * (0.5 + random() / 2));
}

async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch {
    throw abortReason(signal);
  }
}

const redacted = '[redacted]';

/** The answer without the key, however it is escaped in the JSON: for errors, which quote the service. */
function answerWithoutKey(answer: TransportAnswer, key: string): TransportAnswer {
  let text = answer.body.toString('utf8');
  try {
    // Escapes such as \u0061 would hide it.
    const plain = JSON.stringify(JSON.parse(text));
    if (plain.includes(JSON.stringify(key).slice(1, -1))) {
      text = plain.replaceAll(JSON.stringify(key).slice(1, -1), redacted);
    }
  } catch {
    // Not JSON: used as is.
  }
  return {
    status: answer.status,
    header: (name) => {
      const value = answer.header(name);
      return value === undefined ? undefined : withoutKey(value, key);
    },
    body: Buffer.from(withoutKey(text, key), 'utf8'),
  };
}

/** The error with the key removed from all its texts. */
export function errorWithoutKey(error: WorkbenchError, key: string): WorkbenchError {
  const { code, kind, message, hint, details, cause } = error;
  if (!JSON.stringify([message, hint, details]).includes(JSON.stringify(key).slice(1, -1))) {
    return error;
  }
  return new WorkbenchError({
    code,
    kind,
    message: withoutKey(message, key),
    hint: hint === undefined ? undefined : withoutKey(hint, key),
    details: Object.fromEntries(
      Object.entries(details).map(([name, value]) => [
        name,
        typeof value === 'string' ? withoutKey(value, key) : value,
      ]),
    ),
    cause,
  });
}

/** A text of the service without the key. */
export function withoutKey(text: string, key: string): string {
  return text.replaceAll(key, redacted).replaceAll(encodeURIComponent(key), redacted);
}
