import * as z from 'zod';
import type { StreamFinality, StreamType } from '../api/v3Traces';
import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import type { Clock } from '../base/time';
import { every } from '../base/time';
import type { Endpoint } from './endpoint/endpoint';
import type { CallContext } from './errors';
import { connectionLostError, timeoutError, tooLargeError } from './errors';
import { errorWithoutKey, readSecretly, toAccessError, withoutKey } from './exchange';
import type { Limiter } from './limiter';
import { abortReason } from './limiter';
import type { Network } from './network';
import { serviceError } from './serviceError';
import type { StreamTransport } from './transport';
import { transportFailure } from './transport';
import { v2Endpoints } from './v2/v2Endpoints';

/** What to be told about. */
export interface StreamRequest {
  types: readonly StreamType[];
  /** In any form; required for every type but `trace`. */
  addresses?: readonly string[] | undefined;
  /** Normalized hashes of external messages, for `trace`. */
  traces?: readonly string[] | undefined;
  /** Default `finalized`. */
  minFinality?: StreamFinality | undefined;
  /** Of actions; default all. */
  actionTypes?: readonly string[] | undefined;
  addressBook?: boolean | undefined;
  metadata?: boolean | undefined;
}

/** How to be told: both carry the same events. */
export type StreamWay = 'sse' | 'ws';

/** What a connection is made with. */
export interface StreamServices {
  network: Network;
  transport: StreamTransport;
  limiter: Limiter;
  clock: Clock;
  apiKey: (origin: string) => Promise<string | undefined>;
  requestsPerSecond: (hasKey: boolean, origin: string) => number | undefined;
  client: string | undefined;
}

/** Milliseconds: a service gives a sign of life every 15 s. */
const silenceMs = 45_000;
/** Between the pings of a WebSocket, in milliseconds. */
const pingMs = 15_000;
/** Messages of a WebSocket that wait for a slow reader; then no more is read. */
const mostWaiting = 500;

/** Stands in errors for the endpoints of a stream. */
export const streamEndpoint: Endpoint = {
  ...v2Endpoints.sendBoc,
  path: 'streaming',
  parameters: {},
  result: z.unknown(),
  changesChain: false,
};

/** Where a network streams: beside its other APIs. Undefined if that is not known. */
export function streamingBase({ v2, v3 }: Pick<Network, 'v2' | 'v3'>): string | undefined {
  for (const base of [v3, v2]) {
    const found = base === undefined ? null : /^(.*)\/api\/v[23]\/?$/.exec(base);
    if (found !== null) {
      return `${found[1]}/api/streaming/v2`;
    }
    // TONAPI has the same streams at a path of its own.
    if (base !== undefined && /(?:^|\.)tonapi\.io$/.test(new URL(base).hostname)) {
      return `${new URL(base).origin}/streaming/v2`;
    }
  }
  return undefined;
}

/**
 * One connection: yields each message as parsed JSON, first `{"status": "subscribed"}`. Returns when the service ends
 * it.
 * @throws WorkbenchError of the service's refusal, `connection-lost`, `timeout` after 45 s of silence, `aborted`
 */
export async function* openStream(
  services: StreamServices,
  request: StreamRequest,
  { way, signal: given }: { way: StreamWay; signal: AbortSignal },
): AsyncGenerator<Readonly<Record<string, unknown>>, void> {
  const base = streamingBase(services.network) ?? '';
  const { origin } = new URL(base);
  const key = (await services.apiKey(origin)) || undefined;
  const context = { endpoint: streamEndpoint, origin, hasKey: key !== undefined, changesChain: false };
  const life = new Life(services.clock, context, given);
  const { signal } = life;
  try {
    const ticket = { priority: 'background' as const };
    const rate = services.requestsPerSecond(context.hasKey, origin);
    await services.limiter.acquire(origin, rate, ticket, signal);
    const headers = headersFor(origin, key, services.client);
    const body = bodyOf(request);
    const connection = { ...{ context, life, headers, body, apiKey: key }, url: `${base}/${way}` };
    yield* way === 'sse' ? overSse(services, connection) : overWebSocket(services, connection);
  } catch (error) {
    const sizes = { maximumBytes: limits.streamFrame.most, timeoutMs: silenceMs };
    const known = signal.aborted ? abortReason(signal) : toAccessError(sizes, context, error, signal);
    throw key === undefined ? known : errorWithoutKey(known, key);
  } finally {
    life.end();
  }
}

/** TON Center takes a key in a header of its own, TONAPI as a bearer. */
function headersFor(
  origin: string,
  key: string | undefined,
  client: string | undefined,
): Record<string, string> {
  const isTonapi = /(?:^|\.)tonapi\.io$/.test(new URL(origin).hostname);
  return {
    ...(client === undefined ? {} : { 'user-agent': client }),
    ...(key === undefined ? {} : isTonapi ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }),
  };
}

function bodyOf(request: StreamRequest): object {
  const { types, addresses, traces, minFinality, actionTypes, addressBook, metadata } = request;
  return {
    types,
    ...(addresses === undefined ? {} : { addresses }),
    ...(traces === undefined ? {} : { trace_external_hash_norms: traces }),
    ...(minFinality === undefined ? {} : { min_finality: minFinality }),
    ...(actionTypes === undefined ? {} : { action_types: actionTypes }),
    ...(addressBook === undefined ? {} : { include_address_book: addressBook }),
    ...(metadata === undefined ? {} : { include_metadata: metadata }),
  };
}

interface Connection {
  context: CallContext;
  life: Life;
  headers: Readonly<Record<string, string>>;
  body: object;
  url: string;
  apiKey: string | undefined;
}

type Message = Readonly<Record<string, unknown>>;

async function* overSse(
  { transport, clock }: StreamServices,
  connection: Connection,
): AsyncGenerator<Message, void> {
  const { context, life, headers, body, url } = connection;
  const all = { ...headers, accept: 'text/event-stream', 'content-type': 'application/json' };
  const answer = await transport({
    ...{ method: 'POST', url, headers: all, signal: life.signal },
    body: JSON.stringify(body),
  }).catch(rethrowFailure);
  if (answer.status !== 200 || !/^text\/event-stream/.test(answer.header('content-type') ?? '')) {
    const parts: Uint8Array[] = [];
    for await (const part of answer.body) {
      parts.push(part);
      if (parts.reduce((size, { byteLength }) => size + byteLength, 0) > limits.streamFrame.most) {
        break;
      }
    }
    const whole = { status: answer.status, header: answer.header, body: Buffer.concat(parts) };
    readSecretly(connection, whole, clock);
    throw refusal(connection, 404, 'no stream of events');
  }
  const frames = new FrameReader(context);
  const decoder = new TextDecoder();
  try {
    for await (const bytes of answer.body) {
      life.sign();
      for (const data of frames.push(decoder.decode(bytes, { stream: true }))) {
        yield readMessage(connection, data);
      }
    }
  } catch (error) {
    rethrowFailure(error);
  }
}

/** @throws WorkbenchError as it is, and everything else as a TransportFailure */
function rethrowFailure(error: unknown): never {
  throw WorkbenchError.is(error) ? error : transportFailure(error);
}

/** Puts the frames of server-sent events together; only their data counts here. */
export class FrameReader {
  #rest = '';
  #data: string[] = [];

  constructor(private readonly context: CallContext) {}

  /** The data of each frame that is complete with this text. @throws WorkbenchError `too-large` (service) */
  push(text: string): string[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    const done: string[] = [];
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length > 0) {
          done.push(this.#data.join('\n'));
        }
        this.#data = [];
      } else if (/^data(?::|$)/.test(line)) {
        this.#data.push(line.slice(5).replace(/^ /, ''));
      }
    }
    const size = this.#data.reduce((sum, { length }) => sum + length, this.#rest.length);
    if (size > limits.streamFrame.most) {
      throw tooLargeError(this.context, limits.streamFrame.most);
    }
    return done;
  }
}

async function* overWebSocket(
  { clock }: StreamServices,
  connection: Connection,
): AsyncGenerator<Message, void> {
  const { life, headers, body, url } = connection;
  const { WebSocket } = await import('ws');
  // Nobody would hear an abort that came meanwhile.
  life.signal.throwIfAborted();
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    headers,
    ...{ maxPayload: limits.streamFrame.most, perMessageDeflate: false, followRedirects: false },
  });
  const waiting: string[] = [];
  let wake = (): void => undefined;
  let failure: Error | undefined;
  let isOver = false;
  const over = (error?: Error): void => {
    failure ??= error;
    isOver = true;
    wake();
  };
  const leave = (): void => socket.terminate();
  life.signal.addEventListener('abort', leave, { once: true });
  const send = (message: object): void => socket.send(JSON.stringify(message));
  let stopPings = (): void => undefined;
  socket
    .on('open', () => {
      send({ operation: 'subscribe', ...body });
      stopPings = every(clock, pingMs, () => send({ operation: 'ping' }));
    })
    .on('message', (data) => {
      life.sign();
      waiting.push((data as Buffer).toString('utf8'));
      if (waiting.length >= mostWaiting) {
        socket.pause();
      }
      wake();
    })
    .on('unexpected-response', (_request, answer) => {
      over(refusal(connection, answer.statusCode ?? 0, answer.statusMessage ?? ''));
      socket.terminate();
    })
    .on('error', (error) => over(transportFailure(error)))
    .on('close', () => over());
  try {
    while (!isOver || waiting.length > 0) {
      for (const text of waiting.splice(0)) {
        const message = readMessage(connection, text);
        if (message.status !== 'pong') {
          yield message;
        }
      }
      socket.resume();
      if (!isOver && waiting.length === 0) {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    if (failure !== undefined) {
      throw failure;
    }
  } finally {
    stopPings();
    life.signal.removeEventListener('abort', leave);
    socket.terminate();
  }
}

/** @throws WorkbenchError with the service's words, if the message is a refusal, or no JSON object */
function readMessage(connection: Connection, text: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw connectionLostError(connection.context, 'a message that is no JSON object', undefined);
  }
  const { error, type } = value as { error?: unknown; type?: unknown };
  if (typeof error === 'string' && type === undefined) {
    const isLimit = /limit reached|too slow|went back|could not be told/.test(error);
    throw refusal(connection, isLimit ? 503 : 400, error);
  }
  return value as Message;
}

/** The service's words may repeat the key: it goes before they are cut. */
function refusal({ context, apiKey }: Connection, status: number, words: string): WorkbenchError {
  const text = apiKey === undefined ? words : withoutKey(words, apiKey);
  return serviceError(context, { status, text, isHtml: false });
}

/** Ends a connection that gives no sign of life, and with the caller's signal. */
class Life {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  #cancel = (): void => undefined;
  readonly #leave = (): void => this.#controller.abort(abortReason(this.given));

  constructor(
    private readonly clock: Clock,
    private readonly context: CallContext,
    private readonly given: AbortSignal,
  ) {
    given.addEventListener('abort', this.#leave, { once: true });
    if (given.aborted) {
      this.#leave();
    }
    this.sign();
  }

  sign(): void {
    this.#cancel();
    this.#cancel = this.clock.after(
      silenceMs,
      () => this.#controller.abort(timeoutError(this.context, silenceMs)),
      false,
    );
  }

  end(): void {
    this.#cancel();
    this.given.removeEventListener('abort', this.#leave);
    this.#controller.abort();
  }
}
