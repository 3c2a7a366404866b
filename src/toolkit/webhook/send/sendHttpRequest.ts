/*
 * Node's own HTTP client, not fetch: header names, order, and duplicates are sent as given, no headers are added, and
 * a redirect is an ordinary answer.
 */
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { abortedError } from '../../errors';
import { isLoopbackHost } from '../../isLoopbackHost';
import { systemClock } from '../../time';
import type { Clock } from '../../time';
import type { HeaderList } from '../delivery/headerList';
import { endpointError, endpointTimeoutError, endpointCutError } from './endpointErrors';
import { limits } from '../../limits';

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
