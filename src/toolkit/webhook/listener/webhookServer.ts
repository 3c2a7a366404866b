/*
 * Node's own HTTP server, not a framework: the listener's whole point is control over what frameworks hide: raw
 * bytes, raw header lists, time limits on head and body, Expect, lingering rejections, and malformed requests. One
 * route needs no router (bench/webhook.bench.ts compares it with a bare server).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenError } from '../../base/isListening';
import type { Log } from '../../base/log';
import type { Clock } from '../../base/time';
import type { OnPurpose, RefuseNext } from '../delivery/onPurpose';
import { describeMisbehavior, describeOnPurpose } from '../delivery/onPurpose';
import { SecretRedactor } from '../delivery/delivery';
import type { SignatureEncoding, WebhookSecret } from '../delivery/signature';
import type { DeliveryStore } from '../journal/deliveryStore';
import type { WebhookProvider } from '../provider/webhookProvider';
import { ConnectionTable } from './connectionTable';
import type { Exchange } from './deliveryRecorder';
import { DeliveryRecorder, answer } from './deliveryRecorder';
import type { Forwarder } from './forwarder';
import type { BodyReading, Interruption } from './readBody';
import { BodyMemory, readBody } from './readBody';
import type { ReceiveOutcome } from './receive';
import { checkHead, headerList, interrupted, interruptionOf, pathOf, receive, refuse } from './receive';

/** The next deliveries that a listener refuses or delays on purpose. */
class NextRefusals {
  #next: RefuseNext | undefined;
  #done = 0;

  /** Undefined: none. */
  set(next: RefuseNext | undefined): void {
    this.#next = next;
    this.#done = 0;
  }

  /**
   * The outcome, or what becomes of it on purpose. Only deliveries with a valid signature count: others are refused
   * anyway.
   */
  apply(outcome: ReceiveOutcome): ReceiveOutcome {
    if (this.#next === undefined || outcome.signature?.ok !== true) {
      return outcome;
    }
    const { behavior, count } = this.#next;
    this.#done += 1;
    const onPurpose: OnPurpose = { ...behavior, number: this.#done, of: count };
    if (this.#done >= count) {
      this.#next = undefined;
    }
    if (behavior.how === 'delay') {
      return { ...outcome, onPurpose };
    }
    return {
      ...outcome,
      status: behavior.how === 'status' ? behavior.status : 0,
      verdict: 'on-purpose',
      reason: `${describeOnPurpose(onPurpose)}: ${describeMisbehavior(behavior)}`,
      // As if it had failed before it looked at the payment.
      orderState: null,
      onPurpose,
    };
  }
}

/** What can be changed while the listener is running. */
export interface WebhookServerSettings {
  secrets: readonly WebhookSecret[];
  signatureHeaders: readonly string[];
  allowedHosts: readonly string[];
  /** Default `hex`. */
  signatureEncoding?: SignatureEncoding | undefined;
  /** Additional name of the native coin. */
  coin?: string | undefined;
}

export interface WebhookServerOptions extends WebhookServerSettings {
  /** 0 picks a free one. */
  port: number;
  path: string;
  provider: WebhookProvider;
  store: DeliveryStore;
  forwarder: Forwarder;
  clock: Clock;
  log: Log;
  /** A delivery was stored, or its forward result arrived: its summary as JSON. */
  onRecorded: (json: string) => void;
  timeouts?: Partial<WebhookTimeouts>;
}

/** All in milliseconds. */
export interface WebhookTimeouts {
  /** For the head of a request, and for an idle connection. */
  head: number;
  /** For the whole request. */
  body: number;
  /** From the head of a request to its answer, regardless of the disk: the service waits 10 s. */
  answer: number;
}

const defaultTimeouts: WebhookTimeouts = { head: 5_000, body: 10_000, answer: 9_500 };

/** The state of one connection. */
interface ConnectionState {
  request: IncomingMessage;
  response: ServerResponse;
  reading?: BodyReading | undefined;
}

const isReading = (state: ConnectionState | undefined): boolean =>
  state !== undefined && !state.request.complete;

const isAnswering = (state: ConnectionState | undefined): boolean =>
  state !== undefined && state.request.complete && !state.response.writableFinished;

const noBytes = Buffer.alloc(0);

/** The listener itself: one path, one provider. Runs in any thread; normally in a worker. */
export class WebhookServer {
  readonly #options: WebhookServerOptions;
  readonly #timeouts: WebhookTimeouts;
  readonly #server: Server;
  readonly #recorder: DeliveryRecorder;
  #port = 0;
  readonly #bodies = new BodyMemory();
  #settings: WebhookServerSettings;
  #busy = 0;
  readonly #refusals = new NextRefusals();
  readonly #delayed = new Set<() => void>();
  readonly #states = new WeakMap<Duplex, ConnectionState>();

  private constructor(options: WebhookServerOptions) {
    this.#options = options;
    this.#settings = options;
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#server = createServer({
      headersTimeout: this.#timeouts.head,
      requestTimeout: this.#timeouts.body,
      connectionsCheckingInterval: Math.min(500, this.#timeouts.head / 4),
      keepAliveTimeout: 5_000,
      // A missing Host is answered with 421 like a wrong one.
      requireHostHeader: false,
    });
    const handle = (request: IncomingMessage, response: ServerResponse): void =>
      this.#handle(request, response);
    const connections = new ConnectionTable<Duplex>({
      isAnswering: (socket) => isAnswering(this.#states.get(socket)),
      isReading: (socket) => isReading(this.#states.get(socket)),
    });
    this.#server
      .on('connection', (socket: Duplex) => connections.add(socket))
      .on('request', handle)
      .on('checkContinue', handle)
      .on('checkExpectation', handle)
      .on('clientError', (error: NodeJS.ErrnoException, socket) => this.#onClientError(error, socket));
    const { provider, store, forwarder, clock, log, onRecorded } = options;
    this.#recorder = new DeliveryRecorder(
      {
        ...{ provider: provider.name, store, forwarder, clock, log, onRecorded },
        answerTimeoutMs: this.#timeouts.answer,
        answer: (exchange, status, text) => this.#answer(exchange, status, text),
      },
      new SecretRedactor(options.secrets),
    );
  }

  /**
   * Binds 127.0.0.1.
   * @throws WorkbenchError `port-in-use`, `port-not-allowed`, `listen-failed` (input)
   */
  static async start(options: WebhookServerOptions): Promise<WebhookServer> {
    const server = new WebhookServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#server
        .once('error', (error) => reject(listenError(options.port, error)))
        .listen({ port: options.port, host: '127.0.0.1', backlog: 511 }, resolve);
    });
    server.#port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  get port(): number {
    return this.#port;
  }

  /** The full address of the path. */
  get url(): string {
    return `http://127.0.0.1:${this.port}${this.#options.path}`;
  }

  change(settings: Partial<WebhookServerSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#recorder.setRedactor(new SecretRedactor(this.#settings.secrets));
  }

  /** Refuses or delays the next deliveries on purpose; undefined: none. */
  refuseNext(next: RefuseNext | undefined): void {
    this.#refusals.set(next);
  }

  /** Stops listening, lets pending answers go out, and closes every connection. */
  async close(): Promise<void> {
    this.#delayed.forEach((cancel) => cancel());
    this.#delayed.clear();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    for (let waited = 0; this.#busy > 0 && waited < 1_000; waited += 10) {
      await this.#options.clock.sleep(10);
    }
    this.#server.closeAllConnections();
    this.#recorder.close();
    await closed;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { path, clock, forwarder, log } = this.#options;
    if (pathOf(request.url) !== path) {
      answer(request, response, 404, '{"received":false,"problem":"not-found"}', clock);
      return;
    }
    const headers = headerList(request.rawHeaders);
    if (forwarder.mark.isOn(headers)) {
      log.warn(
        'The forward target leads back to this listener: a delivery that came back was answered with 508',
      );
      answer(request, response, 508, '{"received":false,"problem":"forward-loop"}', clock);
      return;
    }
    const receivedAt = new Date(clock.now());
    const exchange: Exchange = { request, response, headers, receivedAt, startedAt: clock.monotonic() };
    const state: ConnectionState = { request, response };
    this.#states.set(request.socket, state);
    this.#busy += 1;
    this.#guard(exchange, () => this.#read(exchange, state));
  }

  /** Runs a step of an exchange; a failure is answered with 500. */
  #guard(exchange: Exchange, step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#options.log.error('A webhook delivery could not be handled', error);
      this.#answer(exchange, 500, '{"received":false,"problem":"internal"}');
    }
  }

  #read(exchange: Exchange, state: ConnectionState): void {
    const { request, response, headers } = exchange;
    const refused = checkHead(request, headers, {
      port: this.#port,
      allowedHosts: this.#settings.allowedHosts,
    });
    if (refused !== null) {
      this.#recorder.record(exchange, noBytes, refuse(refused.status, refused.verdict, refused.reason));
      return;
    }
    if (request.headers.expect?.toLowerCase() === '100-continue') {
      response.writeContinue();
    }
    const reading = readBody(request, this.#bodies, (body, interruption) => {
      state.reading = undefined;
      this.#guard(exchange, () => this.#judge(exchange, body, interruption));
    });
    state.reading = reading;
    exchange.release = () => reading.release();
  }

  #judge(exchange: Exchange, body: Buffer, interruption: Interruption | null): void {
    const { provider, store, clock } = this.#options;
    const outcome =
      interruption === null
        ? this.#refusals.apply(
            receive(exchange.headers, body, {
              ...{ ...this.#settings, provider, orders: store.orders },
              now: clock.now(),
            }),
          )
        : interrupted(interruption, this.#timeouts.body);
    exchange.delayMs = outcome.onPurpose?.how === 'delay' ? outcome.onPurpose.ms : undefined;
    this.#recorder.record(exchange, body, outcome);
  }

  #answer(exchange: Exchange, status: number, text: string): void {
    this.#busy -= 1;
    exchange.release?.();
    const { request, response, delayMs } = exchange;
    const { clock } = this.#options;
    if (delayMs === undefined) {
      answer(request, response, status, text, clock);
      return;
    }
    const cancel = clock.after(delayMs, () => {
      this.#delayed.delete(cancel);
      answer(request, response, status, text, clock);
    });
    this.#delayed.add(cancel);
  }

  #onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
    const state = this.#states.get(socket);
    if (state?.reading !== undefined && !state.request.complete) {
      state.reading.interrupt(interruptionOf(error));
      return;
    }
    if (state !== undefined && !state.response.writableFinished && !state.response.destroyed) {
      // The next request is malformed while the previous one still waits for its answer, which goes out first.
      state.response.once('finish', () => socket.end());
      return;
    }
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status =
      interruptionOf(error) === 'slow'
        ? '408 Request Timeout'
        : error.code === 'HPE_HEADER_OVERFLOW'
          ? '431 Request Header Fields Too Large'
          : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
      socket.destroy(),
    );
  }
}
