import * as z from 'zod';
import { WorkbenchError, toWorkbenchError } from '../../base/errors';
import type { Clock } from '../../base/time';
import type { Access } from '../createAccess';
import type { Endpoint, Method } from '../endpoint/endpoint';
import { integer, list, required, text } from '../endpoint/parameter';
import { v2Endpoints } from '../v2/v2Endpoints';
import { v3Endpoints } from '../v3/v3Endpoints';

/** The same endpoint with nothing to fill in: where it exists, it refuses that. */
function bare(endpoint: Endpoint): Endpoint {
  return { ...endpoint, parameters: {}, result: z.unknown(), changesChain: false };
}

/**
 * Methods of v2 that parts of the product stand on, asked without parameters. An empty `sendBoc` carries no message,
 * so nothing can be sent by it.
 */
export const v2Probes = {
  sendBoc: bare(v2Endpoints.sendBoc),
  runGetMethod: bare(v2Endpoints.runGetMethod),
  getShardAccountCell: bare(v2Endpoints.getShardAccountCell),
  getLibraries: bare(v2Endpoints.getLibraries),
  /** Of block 0, which no service takes: the whole configuration would be large. */
  getConfigAll: { ...bare(v2Endpoints.getConfigAll), parameters: { seqno: integer('0') } },
} satisfies Record<string, Endpoint>;

/** The same for v3. */
export const v3Probes = {
  traces: { ...bare(v3Endpoints.traces), parameters: { limit: integer('1') } },
  pendingTraces: bare(v3Endpoints.pendingTraces),
} satisfies Record<string, Endpoint>;

/** What fails without one of the probed methods. */
export const useOf: Readonly<Record<keyof typeof v2Probes | keyof typeof v3Probes, string>> = {
  sendBoc: 'messages cannot be sent',
  runGetMethod: 'get-methods run over v3 only',
  getShardAccountCell: 'forks and replays rebuild states from their parts (partial)',
  getLibraries: 'code in libraries is not found',
  getConfigAll: 'forks, rehearsals, and replays lack the configuration',
  traces: 'traces cannot be opened',
  pendingTraces: 'traces show once they are in a block',
};

/** A parameter of the configuration by one of its two names. */
export function configParameter(name: 'config_id' | 'param'): Endpoint {
  return {
    ...v2Endpoints.getConfigParam,
    parameters: { [name]: required(integer('Number of the parameter.')) },
  };
}

/** Streaming v2, next to the other APIs, with no subscription: it refuses that. */
export const streamingProbe: Endpoint = {
  ...bare(v2Endpoints.sendBoc),
  path: '/../streaming/v2/sse',
};

/** Addresses in one request: no more than gateways take in a URL. */
export const batchSize = 100;

export const batchProbe: Endpoint = {
  ...v3Endpoints.addressBook,
  parameters: { address: required(list(text('An address.'))) },
  result: z.unknown(),
};

/** What became of a question. */
export type ReplyState =
  /** Answered. */
  | 'answered'
  /** The endpoint is there: it refused the parameters. */
  | 'taken'
  /** The service has no such endpoint. */
  | 'lacking'
  /** The key is missing or wrong. */
  | 'locked'
  /** Refused because of too many requests, in one of several ways. */
  | 'throttled'
  /** Any other failure. */
  | 'failed'
  /** The budget was used up, or there is no such API. */
  | 'not asked';

export interface Reply<Value = unknown> {
  state: ReplyState;
  /** Of an answer. */
  value?: Value | undefined;
  apiVersion?: string | undefined;
  /** The service's clock, in milliseconds since the Unix epoch. */
  servedAt?: number | undefined;
  elapsedMs?: number;
  error?: WorkbenchError | undefined;
  /** Why it was not asked, as a sentence. */
  why?: string | undefined;
}

/** The shape of a request that nothing came of. */
export const noAnswer = 'no answer in time';

/** Why something was not asked, if nothing else is known. */
export const noTime = 'There was no time left.';

/** How a service told that it was asked too much. */
export interface Throttling {
  /** Requests that were sent before, and the milliseconds since the first of them. */
  after: number;
  withinMs: number;
  /** Such as `status 429`, `status 500, "context deadline exceeded"`. */
  shape: string;
}

const mostRequests = 18;
const mostMs = 20_000;
/** Of one question: a service that never answers leaves time for the others. */
const mostOneMs = 8_000;
/** Between requests once the service refused one: the public services allow one per second. */
const politeMs = 1_000;
/** Answers that take this long are slow. */
const slowMs = 3_000;

/**
 * Asks one question after another: at most 18 requests and 20 s in all, each once, or twice if the service was asked
 * too fast; from then on one per second. What is left over is not asked.
 */
export class NetworkQuestions {
  readonly #access: Access;
  readonly #clock: Clock;
  readonly #signal: AbortSignal | undefined;
  readonly #startedAt: number;
  #lastAt = Number.NEGATIVE_INFINITY;
  #isPolite = false;
  /** APIs that cannot be reached: nothing more is asked there. */
  readonly #unreachable = new Set<string>();
  /** APIs that have answered something. */
  readonly #heard = new Set<string>();
  /** Requests sent. */
  requests = 0;
  /** Slow answers, in milliseconds. */
  readonly slow: number[] = [];
  throttling: Throttling | undefined;

  constructor(access: Access, clock: Clock, signal?: AbortSignal) {
    this.#access = access;
    this.#clock = clock;
    this.#signal = signal;
    this.#startedAt = clock.monotonic();
  }

  get elapsedMs(): number {
    return this.#clock.monotonic() - this.#startedAt;
  }

  async ask<E extends Endpoint>(
    endpoint: E,
    parameters: Readonly<Record<string, unknown>> = {},
    method?: Method,
  ): Promise<Reply<z.output<E['result']>>> {
    if (this.#unreachable.has(endpoint.layer)) {
      return { state: 'not asked', why: `API ${endpoint.layer} does not answer.` };
    }
    const first = await this.#once(endpoint, parameters, method);
    if (first.state !== 'throttled' || this.#unreachable.has(endpoint.layer)) {
      return first;
    }
    const second = await this.#once(endpoint, parameters, method);
    return second.state === 'not asked' ? first : second;
  }

  async #once<E extends Endpoint>(
    endpoint: E,
    parameters: Readonly<Record<string, unknown>>,
    method: Method | undefined,
  ): Promise<Reply<z.output<E['result']>>> {
    this.#signal?.throwIfAborted();
    if (this.#access.network[endpoint.layer] === undefined) {
      return { state: 'not asked', why: `There is no ${endpoint.layer}.` };
    }
    if (this.requests >= mostRequests) {
      return { state: 'not asked', why: `${mostRequests} requests were sent.` };
    }
    const waitMs = this.#isPolite ? this.#lastAt + politeMs - this.#clock.monotonic() : 0;
    if (this.elapsedMs + Math.max(0, waitMs) >= mostMs) {
      return { state: 'not asked', why: noTime };
    }
    if (waitMs > 0) {
      await this.#clock.sleep(waitMs, this.#signal);
    }
    const controller = new AbortController();
    const limitMs = Math.min(mostOneMs, mostMs - this.elapsedMs);
    const cancel = this.#clock.after(limitMs, () => controller.abort());
    const signal =
      this.#signal === undefined ? controller.signal : AbortSignal.any([this.#signal, controller.signal]);
    this.requests += 1;
    const sentAt = (this.#lastAt = this.#clock.monotonic());
    try {
      const answer = await this.#access.call(endpoint, parameters, {
        signal,
        method,
        isProbe: true,
        priority: 'user',
      });
      const { value, apiVersion, servedAt } = answer;
      const elapsedMs = this.#clock.monotonic() - sentAt;
      this.#heard.add(endpoint.layer);
      if (elapsedMs >= slowMs) {
        this.slow.push(elapsedMs);
      }
      return { state: 'answered', value, apiVersion, servedAt, elapsedMs };
    } catch (thrown) {
      this.#signal?.throwIfAborted();
      const isLate = controller.signal.aborted;
      const error = isLate ? noAnswerError(endpoint.layer, limitMs, thrown) : toWorkbenchError(thrown);
      const shape = throttlingShape(error, isLate);
      if (isLate && !this.#heard.has(endpoint.layer)) {
        this.#unreachable.add(endpoint.layer);
      }
      if (shape !== undefined) {
        this.throttling ??= { after: this.requests - 1, withinMs: sentAt - this.#startedAt, shape };
        this.#isPolite = true;
        return { state: 'throttled', error };
      }
      if (error.kind === 'network') {
        this.#unreachable.add(endpoint.layer);
      }
      return { state: stateOf(error, endpoint), error };
    } finally {
      cancel();
    }
  }
}

/** The way in which an answer says that there were too many requests; undefined if it does not. */
function throttlingShape({ code, details }: WorkbenchError, isOutOfTime: boolean): string | undefined {
  const { status, serviceText } = details;
  if (code === 'rate-limited') {
    return typeof status === 'number' ? `status ${status}` : 'a request to wait';
  }
  if (isOutOfTime || code === 'timeout') {
    return noAnswer;
  }
  if (code !== 'service-failure') {
    return undefined;
  }
  if (status === 503) {
    return 'status 503';
  }
  return /deadline exceeded|time(?:d )?out/i.test(String(serviceText))
    ? `status ${String(status)}, "context deadline exceeded"`
    : undefined;
}

function noAnswerError(layer: string, ms: number, cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'timeout',
    kind: 'network',
    message: `API ${layer} did not answer within ${(ms / 1000).toFixed(0)} s.`,
    hint: 'Check the URL of the network, or try again later.',
    cause,
  });
}

/** What is asked for one thing, which may be gone; whatever else is not found is the endpoint itself. */
const ofOneThing: ReadonlySet<string> = new Set(
  [v2Endpoints.lookupBlock, v2Endpoints.getBlockHeader, v2Endpoints.getAddressState, v3Endpoints.blocks].map(
    ({ path }) => path,
  ),
);

function stateOf(error: WorkbenchError, { path }: Endpoint): ReplyState {
  switch (error.code) {
    case 'not-found': {
      const isMissing = error.details.isMissingMethod === true || error.details.isHtml === true;
      return isMissing || !ofOneThing.has(path) ? 'lacking' : 'taken';
    }
    case 'bad-request':
      return error.details.status === 405 ? 'lacking' : 'taken';
    case 'conflict':
    case 'history-missing':
    case 'message-rejected':
      return 'taken';
    case 'unauthorized':
    case 'forbidden':
    case 'wrong-network-key':
      return 'locked';
    default:
      return 'failed';
  }
}

/** What the questions brought. */
export interface NetworkReplies {
  /** Newest version of the TVM that runs here. */
  engineVersion: number;
  hasV2: boolean;
  hasV3: boolean;
  kind: string;
  /** Whether requests carry a key. */
  hasKey: boolean;
  v2Info: Reply<z.output<typeof v2Endpoints.getMasterchainInfo.result>>;
  v3Info: Reply<z.output<typeof v3Endpoints.masterchainInfo.result>>;
  header: Reply<z.output<typeof v2Endpoints.getBlockHeader.result>>;
  /** The same masterchain block of both APIs. */
  shared: { seqno: number; v2: string | undefined; v3: string | undefined } | undefined;
  /** Parameter 8 under each name; the second name is only asked if the first is refused. */
  byConfigId: Reply;
  byParam: Reply;
  tvmVersion: number | undefined;
  v2Methods: Readonly<Record<keyof typeof v2Probes, Reply>>;
  v3Methods: Readonly<Record<keyof typeof v3Probes, Reply>>;
  batch: Reply;
  streaming: Reply;
  /** Old masterchain blocks, oldest first, and whether v2 still has them. */
  blocks: readonly { seqno: number; state: ReplyState; isGone: boolean }[];
  /** Whether v2 still has the state of an account at the oldest of these that it has. */
  oldState: { seqno: number; reply: Reply } | undefined;
  /** Milliseconds since the Unix epoch, when the newest block was told. */
  askedAt: number;
  /** What is said of a missing key where requests were refused, or answered late. */
  missingKey: { refused: string | undefined; overloaded: string | undefined };
  throttling: Throttling | undefined;
  slow: readonly number[];
  requests: number;
  elapsedMs: number;
}
