import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../log';
import type { Clock } from '../../time';
import { acknowledgement } from './answer';
import { AnswerDeadlines } from './answerDeadlines';
import type { Delivery, ForwardResult } from '../delivery/delivery';
import type { HeaderList } from '../delivery/headerList';
import type { DeliveryStore } from '../journal/deliveryStore';
import type { Forwarder } from './forwarder';
import { makeDelivery } from './makeDelivery';
import { orderStateOf } from '../orders/orderBook';
import { notStored } from './outcomes';
import type { ReceiveOutcome } from './receive';
import { readTestMark } from '../delivery/testMark';
import type { SecretRedactor } from '../delivery/secretRedactor';

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
