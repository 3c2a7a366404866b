import { setMaxListeners } from 'node:events';
import type * as z from 'zod';
import type { V3AddressBook } from '../api/v3Objects';
import { WorkbenchError } from '../base/errors';
import type { Log } from '../base/log';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import { changesChain, decodeAnswer } from './decodeAnswer';
import type { Endpoint, Method, ParametersOf } from './endpoint/endpoint';
import { apiMissingError } from './errors';
import type { ExchangeServices, PaceWait, ServiceAnswer } from './exchange';
import { exchange } from './exchange';
import type { Limiter, Priority, Ticket } from './limiter';
import { alone, createLimiter, joinRequests } from './limiter';
import type { PreparedRequest } from './prepareRequest';
import { hasOtherNames, prepareRequest, v2Variant } from './prepareRequest';
import type { Network } from './network';
import { publicPace } from './network';
import type { StreamServices } from './openStream';
import type { StreamTransport, Transport } from './transport';
import { TransportFailure, transportFailure } from './transport';
import { v2Endpoints } from './v2/v2Endpoints';
import { v3Endpoints } from './v3/v3Endpoints';

/** What an access is made from. */
export interface AccessParameters {
  network: Network;
  /** Default: the global fetch. */
  transport?: Transport | undefined;
  /** For streams; default: the global fetch. */
  streamTransport?: StreamTransport | undefined;
  /** Shared by the whole window; default: a private one. */
  limiter?: Limiter | undefined;
  /** Requests per second to an origin; undefined means no limit. Default: {@link publicPace}. */
  requestsPerSecond?: ((hasKey: boolean, origin: string) => number | undefined) | undefined;
  /** Called for every request that has to wait its turn. */
  onWait?: ((wait: PaceWait) => void) | undefined;
  /** The key to send as X-API-Key to an origin such as `https://toncenter.com`; looked up for each request. */
  apiKey?: ((origin: string) => Promise<string | undefined>) | undefined;
  /** The client name in requests (`user-agent`); default: the transport's. */
  client?: string | undefined;
  /** Called after each attempt with whether the service could be reached. */
  onReach?: ((isReached: boolean) => void) | undefined;
  /** Called with the address book of each decoded v3 answer that has one. */
  onBook?: ((book: V3AddressBook) => void) | undefined;
  log?: Log | undefined;
  clock?: Clock | undefined;
  /** Random number in [0, 1); spreads retries. */
  random?: (() => number) | undefined;
  /** Largest answer in bytes; default 64 MiB. */
  maximumBytes?: number | undefined;
  /** For one attempt, in milliseconds; default 20 s. */
  timeoutMs?: number | undefined;
  /** For a whole call with queueing and retries, in milliseconds; default 60 s. */
  budgetMs?: number | undefined;
}

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Default `normal`. */
  priority?: Priority | undefined;
  /** Asks once, whatever is known of the service: to find out what it has. */
  isProbe?: boolean | undefined;
  /** Only if an endpoint takes both; default GET unless the query would be too long. */
  method?: Method | undefined;
}

/** A successful answer as the service sent it. */
export interface RawAnswer {
  /** The body. */
  text: string;
  /** The body, parsed; with v2 the whole envelope. */
  json: unknown;
  /** From the call to the decoded answer, including queueing and retries. */
  elapsedMs: number;
  /** The service's `X-API-Version`, if sent. */
  apiVersion: string | undefined;
  /** The service's own time (`Date`), in milliseconds since the Unix epoch, to the second; undefined if not sent. */
  servedAt: number | undefined;
}

/** A decoded answer: `json` has become the value. */
interface Answer<Value> extends Omit<RawAnswer, 'json'> {
  value: Value;
}

type Call<E extends Endpoint> =
  Record<string, never> extends ParametersOf<E['parameters']>
    ? (parameters?: ParametersOf<E['parameters']>, options?: CallOptions) => Promise<z.output<E['result']>>
    : (parameters: ParametersOf<E['parameters']>, options?: CallOptions) => Promise<z.output<E['result']>>;

/** One method per row of an endpoint table. */
export type Client<Table extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Table]: Call<Table[Name]>;
};

/** A network's two APIs, typed. */
export interface Access {
  readonly network: Network;
  readonly v2: Client<typeof v2Endpoints>;
  readonly v3: Client<typeof v3Endpoints>;
  /** Calls an endpoint by its row. Parameters may be text typed by a person. The answer's shape is not checked. */
  ask(
    endpoint: Endpoint,
    parameters: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<RawAnswer>;
  /** What streams of the network are opened with, by watchStream. */
  readonly stream?:
    | {
        readonly services: StreamServices;
        readonly clock: Clock;
        readonly random: () => number;
        readonly log: Log | undefined;
      }
    | undefined;
  /** Calls and decodes. */
  call<E extends Endpoint>(
    endpoint: E,
    parameters: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<Answer<z.output<E['result']>>>;
}

/** How long a service is taken not to have what it lacked: it may be updated, and a URL may be mended. */
const missingForMs = 60_000;
/** 64 MiB. */
const defaultMaximumBytes = 64 * 1024 * 1024;
const defaultTimeoutMs = 20_000;
const defaultBudgetMs = 60_000;

/**
 * Typed, rate-limited, and retried access to the APIs of one network. Every failure is a WorkbenchError: see
 * errors.ts and serviceError.ts for the codes.
 */
export function createAccess(parameters: AccessParameters): Access {
  const { network, apiKey, onBook } = parameters;
  const services: ExchangeServices = {
    transport: parameters.transport ?? createFetchTransport(),
    limiter: parameters.limiter ?? createLimiter(parameters.clock),
    clock: parameters.clock ?? systemClock,
    log: parameters.log,
    random: parameters.random ?? Math.random,
    onWait: parameters.onWait,
    onReach: parameters.onReach,
    client: parameters.client,
    maximumBytes: parameters.maximumBytes ?? defaultMaximumBytes,
    timeoutMs: parameters.timeoutMs ?? defaultTimeoutMs,
    budgetMs: parameters.budgetMs ?? defaultBudgetMs,
  };
  const rateOf = parameters.requestsPerSecond ?? ((hasKey, origin) => publicPace(origin, hasKey));
  const join = joinRequests<ServiceAnswer>();
  const origins = new Map<string, string>();
  const originOf = (base: string): string => {
    const origin = origins.get(base) ?? new URL(base).origin;
    origins.set(base, origin);
    return origin;
  };
  /** Endpoints whose parameters this service takes under their other names. */
  const takesOtherNames = new Set<Endpoint>();
  /** Endpoints that the service said it does not have: they are refused in the same words, without asking again. */
  const missing = new Map<string, { error: WorkbenchError; at: number }>();
  /** As last reported by the service. */
  let v2Version: string | undefined;

  const ask: Access['ask'] = async (
    endpoint,
    given,
    { signal, priority = 'normal', method, isProbe = false } = {},
  ) => {
    const startedAt = services.clock.monotonic();
    if (signal !== undefined) {
      // One signal may stop a hundred calls; Node warns from eleven listeners on.
      setMaxListeners(0, signal);
    }
    const base = network[endpoint.layer];
    if (base === undefined) {
      throw apiMissingError(endpoint, network.name);
    }
    const lacking = isProbe ? undefined : missing.get(pathOf(endpoint));
    if (lacking !== undefined && services.clock.monotonic() - lacking.at < missingForMs) {
      throw lacking.error;
    }
    const prepare = (otherNames: boolean): PreparedRequest =>
      prepareRequest(endpoint, given, { method, variant: v2Variant(v2Version), otherNames });
    const otherNames = takesOtherNames.has(endpoint);
    const prepared = prepare(otherNames);
    const origin = originOf(base);
    const key = apiKey === undefined ? undefined : (await apiKey(origin)) || undefined;
    const hasKey = key !== undefined;
    const context = { endpoint, origin, hasKey, changesChain: changesChain(endpoint, given) };
    const send = (sent: PreparedRequest): Promise<ServiceAnswer> => {
      const request = {
        ...{ context, base, prepared: sent, apiKey: key, attempts: isProbe ? 1 : undefined },
        requestsPerSecond: rateOf(hasKey, origin),
      };
      const run = (ticket: Ticket, controller: AbortController): Promise<ServiceAnswer> =>
        exchange(services, request, ticket, controller);
      const caller = { priority, signal };
      return sent.method === 'GET' ? join(base + sent.target, caller, run) : alone(caller, run);
    };
    let answer: ServiceAnswer;
    try {
      answer = await send(prepared);
    } catch (error) {
      if (WorkbenchError.is(error, 'not-found') && error.details.isMissingMethod === true) {
        missing.set(pathOf(endpoint), { error, at: services.clock.monotonic() });
      }
      if (!hasOtherNames(endpoint) || !WorkbenchError.is(error, 'bad-request')) {
        throw error;
      }
      // The service may know the parameter by its other name only. If it refuses that too, the first words count.
      answer = await send(prepare(!otherNames)).catch(() => Promise.reject(error));
      takesOtherNames[otherNames ? 'delete' : 'add'](endpoint);
    }
    if (endpoint.layer === 'v2') {
      v2Version = answer.apiVersion ?? v2Version;
    }
    const { json, text, apiVersion, servedAt } = answer;
    return { json, text, apiVersion, servedAt, elapsedMs: services.clock.monotonic() - startedAt };
  };

  const call: Access['call'] = async (endpoint, given, options) => {
    const { json, ...rest } = await ask(endpoint, given, options);
    const value = decodeAnswer(endpoint, json);
    const { address_book: book } = (value ?? {}) as { address_book?: V3AddressBook | null };
    if (onBook !== undefined && endpoint.layer === 'v3' && book != null) {
      onBook(book);
    }
    return { value, ...rest };
  };

  return {
    network,
    v2: createClient(v2Endpoints, call),
    v3: createClient(v3Endpoints, call),
    ask,
    call,
    stream: {
      services: {
        network,
        transport: parameters.streamTransport ?? fetchStream,
        limiter: services.limiter,
        clock: services.clock,
        apiKey: apiKey ?? (() => Promise.resolve(undefined)),
        requestsPerSecond: rateOf,
        client: services.client,
      },
      clock: services.clock,
      random: services.random,
      log: services.log,
    },
  };
}

/** Probes of the doctor are endpoints of their own: what they find counts for the path. */
function pathOf({ layer, path }: Endpoint): string {
  return layer + path;
}

function createClient<Table extends Readonly<Record<string, Endpoint>>>(
  table: Table,
  call: Access['call'],
): Client<Table> {
  const methods = Object.entries(table).map(([name, endpoint]) => [
    name,
    async (parameters: Record<string, unknown> = {}, options?: CallOptions): Promise<unknown> =>
      (await call(endpoint, parameters, options)).value,
  ]);
  return Object.fromEntries(methods) as Client<Table>;
}

/**
 * A transport over fetch, for the editor: VS Code patches the global fetch with its proxy settings and the system's
 * certificates, so fetch is looked up for each request.
 */
export function createFetchTransport(): Transport {
  return async ({ method, url, headers, body, signal, maximumBytes }) => {
    try {
      const response = await globalThis.fetch(url, {
        method,
        ...(body === undefined ? { headers } : sentOnce(headers, body)),
        signal,
        redirect: 'manual',
      });
      return {
        status: response.type === 'opaqueredirect' ? 302 : response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        body: await readBody(response, maximumBytes),
      };
    } catch (error) {
      if (signal.aborted) {
        throw signal.reason;
      }
      throw transportFailure(error);
    }
  };
}

/** The same for an answer that goes on. */
const fetchStream: StreamTransport = async ({ method, url, headers, body, signal }) => {
  const init = { method, headers, signal, redirect: 'manual' as const };
  const response = await globalThis.fetch(url, body === undefined ? init : { ...init, body });
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: (response.body ?? []) as AsyncIterable<Uint8Array>,
  };
};

/**
 * fetch resends a replayable body after status 421. A message must be sent at most once, so the body is a stream. The
 * length avoids chunked encoding.
 */
function sentOnce(
  headers: Readonly<Record<string, string>>,
  body: string,
): Pick<RequestInit, 'headers' | 'body'> & { duplex: 'half' } {
  const bytes = Buffer.from(body, 'utf8');
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return { headers: { ...headers, 'content-length': String(bytes.length) }, body: stream, duplex: 'half' };
}

async function readBody(response: Response, maximumBytes: number): Promise<Buffer> {
  const length = Number(response.headers.get('content-length') ?? NaN);
  if (length > maximumBytes) {
    await response.body?.cancel();
    throw new TransportFailure('too-large', `${length} bytes announced`);
  }
  // An announced length bounds the body, unless the body is compressed.
  if (!Number.isNaN(length) && response.headers.get('content-encoding') === null) {
    return Buffer.from(await response.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > maximumBytes) {
      await reader?.cancel();
      throw new TransportFailure('too-large', `${size} bytes read`);
    }
    chunks.push(part.value);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? Buffer.from(chunks[0]) : Buffer.concat(chunks);
}
