import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../base/limits';
import type { Log } from '../../base/log';
import type { Clock } from '../../base/time';
import type { Delivery, ForwardResult, SecretRedactor } from '../delivery/delivery';
import type { HeaderList } from '../delivery/signature';
import { readTestMark } from '../delivery/signature';
import type { DeliveryStore } from '../journal/deliveryStore';
import { orderStateOf } from '../orders/orderBook';
import { isHttpSuccess } from '../values/isHttpSuccess';
import type { Forwarder } from './forwarder';
import type { ReceiveOutcome } from './receive';
import { notStored } from './receive';

/** One request on the path, from its head to its answer. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  headers: HeaderList;
  receivedAt: Date;
  /** Monotonic. */
  startedAt: number;
  /** Releases the body's memory, once the request is answered. */
  release?: (() => void) | undefined;
  /** Milliseconds by which the answer is delayed on purpose. */
  delayMs?: number | undefined;
}

/** A request with a verdict that waits for the journal. */
interface Judged {
  exchange: Exchange;
  startedAt: number;
  status: number;
  /** The acknowledgement. */
  answer: string;
  /** Of the field that violates the schema. */
  path: string | null;
  /** The {@link Delivery}; nothing else is kept of it, because waiting objects survive garbage collections. */
  json: string;
  /** Null if nothing is forwarded. */
  forwardBody: Buffer | null;
}

export interface DeliveryRecorderOptions {
  /** Name of the provider. */
  provider: string;
  store: DeliveryStore;
  forwarder: Forwarder;
  clock: Clock;
  log: Log;
  /** From the head of a request to its answer, regardless of the disk, in milliseconds. */
  answerTimeoutMs: number;
  answer: (exchange: Exchange, status: number, text: string) => void;
  /** A delivery was stored, or its forward result arrived: its summary as JSON. */
  onRecorded: (json: string) => void;
}

/** Stores deliveries, then answers, notifies, and forwards, in this order. */
export class DeliveryRecorder {
  readonly #options: DeliveryRecorderOptions;
  readonly #deadlines: AnswerDeadlines<Judged>;
  #redactor: SecretRedactor;
  #counter = 0;

  constructor(options: DeliveryRecorderOptions, redactor: SecretRedactor) {
    this.#options = options;
    this.#redactor = redactor;
    this.#deadlines = new AnswerDeadlines(options.clock, options.answerTimeoutMs, (late) =>
      this.#unstored(late),
    );
  }

  setRedactor(redactor: SecretRedactor): void {
    this.#redactor = redactor;
  }

  close(): void {
    this.#deadlines.close();
  }

  /** Stores the delivery; the answer waits for that. */
  record(exchange: Exchange, body: Buffer, outcome: ReceiveOutcome): void {
    const { store, provider, forwarder, clock } = this.#options;
    const { request, headers } = exchange;
    const redactor = this.#redactor;
    this.#counter += 1;
    const delivery = makeDelivery(outcome, {
      number: this.#counter,
      receivedAt: exchange.receivedAt,
      provider,
      method: request.method ?? '',
      target: redactor.url(request.url ?? ''),
      bodyBytes: body.length,
      bodyHash: createHash('sha256').update(body).digest('hex'),
      elapsedMs: clock.monotonic() - exchange.startedAt,
      forwarding: forwarder.wants(outcome),
      test: readTestMark(headers),
    });
    const { body: kept, redacted } = redactor.body(body);
    const { orderState, reference, payment } = outcome;
    const order =
      orderState === null || reference === null
        ? null
        : orderStateOf(orderState, reference, payment, delivery.id);
    const json = redactor.deliveryJson(delivery);
    const judged: Judged = {
      exchange,
      startedAt: exchange.startedAt,
      status: delivery.status,
      answer: acknowledgement(delivery, outcome.path),
      path: outcome.path,
      json,
      forwardBody: delivery.forwarding ? body : null,
    };
    this.#deadlines.add(judged);
    store.record(
      { id: delivery.id, verdict: delivery.verdict, json },
      { headers: redactor.headers(headers), body: kept, bodyRedacted: redacted },
      order,
      (isStored) => {
        if (!this.#deadlines.settle(judged)) {
          return;
        }
        if (isStored) {
          this.#stored(judged);
        } else {
          this.#unstored(judged);
        }
      },
    );
  }

  /** Answers, notifies, forwards: in this order. */
  #stored({ exchange, status, answer, json, forwardBody }: Judged): void {
    const { forwarder, onRecorded } = this.#options;
    this.#options.answer(exchange, status, answer);
    onRecorded(json);
    if (forwardBody !== null) {
      forwarder.submit(exchange.headers, forwardBody, (result) => this.#forwarded(json, result));
    }
  }

  #unstored({ exchange, path, json }: Judged): void {
    const delivery = JSON.parse(json) as Delivery;
    const unstored = { ...delivery, ...notStored(delivery), forwarding: false };
    this.#options.answer(exchange, unstored.status, acknowledgement(unstored, path));
    this.#options.onRecorded(JSON.stringify(unstored));
  }

  #forwarded(json: string, result: ForwardResult): void {
    const { store, onRecorded, log, clock } = this.#options;
    const delivery = JSON.parse(json) as Delivery;
    const at = new Date(clock.now()).toISOString();
    const forwarded = this.#redactor.forwarded({ ...result, at });
    const tell = (json = JSON.stringify({ ...delivery, forwarding: false, forwarded })): void =>
      onRecorded(json);
    store.recordForward(delivery.id, forwarded).then(tell, (error: unknown) => {
      log.error('A forward result could not be written', error);
      tell();
    });
  }
}

/** Milliseconds between checks for expired waits. */
const sweepMs = 100;

/**
 * The service gives up after 10 s, so an answer must not wait longer for a slow disk. One timer serves all requests:
 * a timer each would cost more than the rest of the answer.
 */
class AnswerDeadlines<T extends { readonly startedAt: number }> {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #giveUp: (late: T) => void;
  readonly #waiting = new Set<T>();
  #cancelSweep: (() => void) | undefined;

  /** @param giveUp called once for each wait longer than `timeoutMs`, which then ends */
  constructor(clock: Clock, timeoutMs: number, giveUp: (late: T) => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#giveUp = giveUp;
  }

  /** @param waiting `startedAt` is the beginning of the wait, on the monotonic clock */
  add(waiting: T): void {
    this.#waiting.add(waiting);
    this.#cancelSweep ??= this.#clock.after(sweepMs, () => this.#sweep(), false);
  }

  /** False if it was given up or settled before. */
  settle(waiting: T): boolean {
    return this.#waiting.delete(waiting);
  }

  close(): void {
    this.#cancelSweep?.();
  }

  #sweep(): void {
    this.#cancelSweep = undefined;
    const limit = this.#clock.monotonic() - this.#timeoutMs;
    for (const one of this.#waiting) {
      if (one.startedAt <= limit && this.settle(one)) {
        this.#giveUp(one);
      }
    }
    if (this.#waiting.size > 0) {
      this.#cancelSweep = this.#clock.after(sweepMs, () => this.#sweep(), false);
    }
  }
}

/** Facts about a request from its connection. */
interface RequestFacts extends Pick<
  Delivery,
  'provider' | 'method' | 'target' | 'bodyBytes' | 'bodyHash' | 'elapsedMs' | 'forwarding' | 'test'
> {
  receivedAt: Date;
  /** Number within this listener, so that ids differ within a millisecond. */
  number: number;
}

/** The summary of a judged request. */
function makeDelivery(outcome: ReceiveOutcome, facts: RequestFacts): Delivery {
  const { receivedAt, number } = facts;
  const delivery: Delivery = {
    id: `${receivedAt.getTime().toString(36)}-${number.toString(36).padStart(4, '0')}`,
    receivedAt: receivedAt.toISOString(),
    provider: facts.provider,
    method: facts.method,
    target: facts.target,
    status: outcome.status,
    verdict: outcome.verdict,
    reason: outcome.reason,
    signature: outcome.signature,
    secret: outcome.secret,
    rules: outcome.rules,
    warnings: outcome.warnings,
    unknownFields: outcome.unknownFields,
    event: outcome.event,
    reference: outcome.reference,
    transfer: outcome.transfer,
    payment: outcome.payment,
    bodyBytes: facts.bodyBytes,
    bodyHash: facts.bodyHash,
    elapsedMs: Math.round(facts.elapsedMs * 100) / 100,
    forwarding: facts.forwarding,
    forwarded: null,
    test: facts.test,
  };
  if (outcome.orderReference !== undefined) {
    delivery.orderReference = outcome.orderReference;
  }
  if (outcome.claimedReference !== undefined) {
    delivery.claimedReference = outcome.claimedReference;
  }
  if (outcome.onPurpose !== undefined) {
    delivery.onPurpose = outcome.onPurpose;
  }
  return delivery;
}

/** Bytes of a rejected body that are still read, so that the sender sees the answer instead of a reset. */
const maximumDrainBytes = limits.webhookRefusedBody.most;

/** Milliseconds for which a rejected body is still read. */
const drainMs = 2_000;

/** The acknowledgement: small, and never quotes the payload. */
function acknowledgement(
  { id, status, verdict, signature }: Pick<Delivery, 'id' | 'status' | 'verdict' | 'signature'>,
  path: string | null,
): string {
  if (isHttpSuccess(status)) {
    return JSON.stringify({ received: true, id, verdict });
  }
  return JSON.stringify({
    received: false,
    id,
    verdict,
    ...(signature?.ok === false ? { problem: signature.problem } : {}),
    ...(path === null ? {} : { path }),
    ...(status === 405 ? { reason: 'Webhooks are sent with POST.' } : {}),
  });
}

/**
 * Answers with a small JSON text. If the request's body was not read completely, it is drained first, then closed.
 */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  clock: Clock,
): void {
  if (response.destroyed || response.headersSent || status === 0) {
    response.destroy();
    return;
  }
  const headers: Record<string, string | number> = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  };
  if (status === 405) {
    headers.Allow = 'POST';
  }
  if (status === 503) {
    headers['Retry-After'] = 1;
  }
  if (request.complete) {
    response.writeHead(status, headers).end(text);
    return;
  }
  response.writeHead(status, { ...headers, Connection: 'close' }).write(text);
  drain(request, clock, () => response.end());
}

function drain(request: IncomingMessage, clock: Clock, done: () => void): void {
  let left = maximumDrainBytes;
  const finish = (): void => {
    cancel();
    request.off('data', onData).off('end', finish).off('close', finish);
    done();
  };
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) {
      finish();
    }
  };
  const cancel = clock.after(drainMs, finish);
  request.on('data', onData).once('end', finish).once('close', finish).resume();
}
