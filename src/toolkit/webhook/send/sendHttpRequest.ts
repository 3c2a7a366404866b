/*
 * Node's own HTTP client, not fetch: header names, order, and duplicates are sent as given, no headers are added, and
 * a redirect is an ordinary answer.
 */

import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ErrorCode } from '../../base/errorCodes';
import { WorkbenchError, abortedError, toWorkbenchError } from '../../base/errors';
import { isLoopbackHost } from '../../base/loopback';
import { limits } from '../../base/limits';
import type { Clock } from '../../base/time';
import { systemClock } from '../../base/time';
import type { HeaderList } from '../delivery/signature';
import type { DeliveryPolicy } from '../provider/webhookProvider';

export interface HttpRequestParameters {
  url: URL;
  method: string;
  /** Without Host and Content-Length, which are set here. */
  headers: HeaderList;
  body: Buffer;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Sends the body in this many pieces, evenly over `ms`. */
  pace?: { pieces: number; ms: number } | undefined;
  /** Close the connection once the request is sent, without waiting for the answer. */
  cutAnswer?: boolean | undefined;
  /** Default: the machine's. */
  clock?: Clock | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: HeaderList;
  /** Beginning of the body, at most 4 KiB, as text. */
  text: string;
  /** Milliseconds from the start to the end of the answer. */
  ms: number;
}

const keptAnswerBytes = limits.webhookAnswer.most;

/**
 * Sends one request and reads the complete answer.
 * @throws WorkbenchError `endpoint-refused`, `endpoint-unknown-host`, `endpoint-closed`, `endpoint-certificate`,
 *   `endpoint-unreachable`, `endpoint-timeout`, `endpoint-cut`, `aborted` (all network), details {ms}
 */
export async function sendHttpRequest(parameters: HttpRequestParameters): Promise<HttpAnswer> {
  const { url, signal, timeoutMs, clock = systemClock } = parameters;
  if (signal?.aborted) {
    throw abortedError(signal.reason);
  }
  const started = clock.monotonic();
  const elapsed = (): number => Math.round((clock.monotonic() - started) * 10) / 10;
  const request = open(parameters);
  let failure: Error | undefined;
  // Once an answer has begun, destroying the request loses the reason, so it is kept here.
  const fail = (error: Error): void => {
    failure ??= error;
    request.destroy(error);
  };
  const onAbort = (): void => fail(abortedError(signal?.reason));
  const cancel = clock.after(timeoutMs, () => fail(endpointTimeoutError(url, timeoutMs)));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('error', reject).on('response', (response) => {
        if (parameters.cutAnswer === true) {
          // The answer came before the cut: it is discarded anyway.
          reject(endpointCutError(url));
        } else {
          resolve(response);
        }
      });
      writeBody(request, parameters, fail);
    });
    const text = await readAnswer(response);
    return { ...head(response), text, ms: elapsed() };
  } catch (error) {
    throw endpointError(url, failure ?? error, elapsed());
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
    request.destroy();
  }
}

function open({ url, method, headers, body }: HttpRequestParameters): ClientRequest {
  const all = [...headers, ['Host', url.host] as const, ['Content-Length', String(body.length)] as const];
  const options = {
    method,
    // A flat list keeps order, case, and duplicates.
    headers: all.flat(),
    agent: false,
    // A developer's local server may have a self-signed certificate.
    rejectUnauthorized: !isLoopbackHost(url.hostname),
  } as const;
  return url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
}

function writeBody(
  request: ClientRequest,
  { body, pace, cutAnswer, url, signal, clock = systemClock }: HttpRequestParameters,
  fail: (error: Error) => void,
): void {
  if (cutAnswer === true) {
    // After sending, waits a moment for arrival, then cuts the connection.
    request.once('finish', () => {
      // Canceling destroys the request by itself.
      void clock.sleep(100, signal).then(
        () => fail(endpointCutError(url)),
        () => undefined,
      );
    });
    request.end(body);
    return;
  }
  if (pace === undefined) {
    request.end(body);
    return;
  }
  const size = Math.ceil(body.length / pace.pieces);
  const pause = pace.ms / Math.max(1, pace.pieces - 1);
  let sent = 0;
  const next = (): void => {
    if (request.destroyed) {
      return;
    }
    request.write(body.subarray(sent, sent + size));
    sent += size;
    if (sent >= body.length) {
      request.end();
    } else {
      // Canceling destroys the request, so there is nothing left to send.
      void clock.sleep(pause, signal).then(next, () => undefined);
    }
  };
  next();
}

function head(response: IncomingMessage): Pick<HttpAnswer, 'status' | 'headers'> {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < response.rawHeaders.length; index += 2) {
    headers.push([response.rawHeaders[index] ?? '', response.rawHeaders[index + 1] ?? '']);
  }
  return { status: response.statusCode ?? 0, headers };
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (length < keptAnswerBytes) {
      kept.push(chunk.subarray(0, keptAnswerBytes - length));
    }
    length += chunk.length;
  }
  return Buffer.concat(kept).toString('utf8');
}

const causes: Readonly<Record<string, [code: ErrorCode, text: string, hint: string]>> = {
  ECONNREFUSED: [
    'endpoint-refused',
    'nothing is listening there',
    'Start the receiver, or check the host and port.',
  ],
  ENOTFOUND: ['endpoint-unknown-host', 'the host name is unknown', 'Check the host name.'],
  EAI_AGAIN: ['endpoint-unknown-host', 'the host name cannot be resolved', 'Check the host name.'],
  ECONNRESET: ['endpoint-closed', 'the connection was closed before the answer', "See the receiver's log."],
  EPIPE: ['endpoint-closed', 'the connection was closed before the answer', "See the receiver's log."],
};

/** Converts any request failure to our own error. */
function endpointError(url: URL, cause: unknown, ms: number): WorkbenchError {
  if (cause instanceof WorkbenchError) {
    return new WorkbenchError({ ...pick(cause), details: { ...cause.details, ms } });
  }
  const system = (cause as NodeJS.ErrnoException).code ?? '';
  const isCertificate = /CERT|SSL|TLS|VERIFY|ISSUER/.test(system);
  const message = cause instanceof Error ? cause.message : String(cause);
  const [code, text, hint]: [ErrorCode, string, string] = isCertificate
    ? [
        'endpoint-certificate',
        `its certificate is not trusted (${system})`,
        'Use a certificate from a public CA.',
      ]
    : (causes[system] ?? ['endpoint-unreachable', message, 'Check the address and the network.']);
  return new WorkbenchError({
    code,
    kind: 'network',
    message: `No answer from ${url.origin}: ${text}.`,
    hint,
    details: { ms },
    cause,
  });
}

/** No complete answer in time. */
function endpointTimeoutError(url: URL, timeoutMs: number): WorkbenchError {
  return new WorkbenchError({
    code: 'endpoint-timeout',
    kind: 'network',
    message: `No complete answer from ${url.origin} within ${timeoutMs / 1_000} s.`,
    hint: 'Store the delivery, answer, and do slow work afterwards.',
  });
}

/** The scenario closed the connection before the answer. */
function endpointCutError(url: URL): WorkbenchError {
  return new WorkbenchError({
    code: 'endpoint-cut',
    kind: 'network',
    message: `The connection to ${url.origin} was closed on purpose before the answer.`,
  });
}

function pick({ code, kind, message, hint, cause }: WorkbenchError): {
  code: ErrorCode;
  kind: WorkbenchError['kind'];
  message: string;
  hint: string | undefined;
  cause: unknown;
} {
  return { code, kind, message, hint, cause };
}

/** One attempt to deliver. */
export interface Attempt {
  /** From 1. */
  attempt: number;
  /** ISO 8601. */
  startedAt: string;
  /** Milliseconds until the answer, or until the attempt was given up. */
  ms: number;
  /** HTTP status; null without a complete answer. */
  status: number | null;
  /** Why there is no status. */
  error: { code: ErrorCode; message: string } | null;
  /** Beginning of the answer's body, as text. */
  answer: string;
}

export interface DeliveryOutcome {
  delivered: boolean;
  attempts: Attempt[];
}

interface DeliverParameters {
  url: URL;
  headers: HeaderList;
  body: Buffer;
  policy: DeliveryPolicy;
  /**
   * Factor for the waits between attempts: 1 is real time, 0.01 a hundred times faster. The time limit of an answer
   * and the speed of a body are unaffected, because the receiver is judged by them.
   */
  timeScale?: number | undefined;
  /** Maximum retries; default: the service's number. */
  retries?: number | undefined;
  /**
   * Whether an answer that means "not delivered" also ends the attempts, such as a refusal that a test
   * expects.
   */
  isFinal?: ((status: number) => boolean) | undefined;
  pace?: HttpRequestParameters['pace'];
  /** Close the first attempt's connection before its answer. */
  cutFirstAnswer?: boolean | undefined;
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
  /** Called after each attempt, with the wait before the next in milliseconds, if there is one. */
  onAttempt?: ((attempt: Attempt, waitMs: number | undefined) => void) | undefined;
}

/**
 * Delivers a body as the service does: same time limit, same retries on everything but 2xx, no redirects.
 * @throws WorkbenchError `aborted`
 */
export async function deliver(parameters: DeliverParameters): Promise<DeliveryOutcome> {
  const { policy, retries, isFinal, timeScale = 1, signal, clock = systemClock, onAttempt } = parameters;
  const delays = policy.retryDelaysMs.slice(0, retries);
  const attempts: Attempt[] = [];
  for (let number = 1; ; number++) {
    const attempt = await attemptOnce(parameters, number, clock);
    attempts.push(attempt);
    const delivered = attempt.status !== null && policy.isDelivered(attempt.status);
    const ended = delivered || (attempt.status !== null && isFinal?.(attempt.status) === true);
    const delay = ended ? undefined : delays[number - 1];
    const waitMs = delay === undefined ? undefined : delay * timeScale;
    onAttempt?.(attempt, waitMs);
    if (waitMs === undefined) {
      return { delivered, attempts };
    }
    await clock.sleep(waitMs, signal);
  }
}

async function attemptOnce(parameters: DeliverParameters, number: number, clock: Clock): Promise<Attempt> {
  const { url, headers, body, policy, pace, signal, cutFirstAnswer } = parameters;
  const base = { attempt: number, startedAt: new Date(clock.now()).toISOString() };
  try {
    const answer = await sendHttpRequest({
      url,
      method: 'POST',
      headers,
      body,
      timeoutMs: policy.timeoutMs,
      pace,
      clock,
      signal,
      cutAnswer: cutFirstAnswer === true && number === 1,
    });
    return { ...base, ms: answer.ms, status: answer.status, error: null, answer: answer.text };
  } catch (thrown) {
    const error = toWorkbenchError(thrown);
    if (error.code === 'aborted') {
      throw error;
    }
    const ms = typeof error.details.ms === 'number' ? error.details.ms : 0;
    return { ...base, ms, status: null, error: { code: error.code, message: error.message }, answer: '' };
  }
}
