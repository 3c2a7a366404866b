import { setMaxListeners } from 'node:events';
import { WorkbenchError, toWorkbenchError } from '../../base/errors';
import type { ForwardResult } from '../delivery/delivery';
import type { HeaderList } from '../delivery/signature';
import { ForwardMark } from '../delivery/forwardMark';
import { sendHttpRequest } from '../send/sendHttpRequest';
import type { ReceiveOutcome } from './receive';
import { limits } from '../../base/limits';

/** Where deliveries are forwarded. */
export interface ForwardTarget {
  /** http or https, without credentials. */
  url: string;
  /** `verified`: only those with a valid signature. */
  which: 'verified' | 'all';
}

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and those that this connection sets itself. */
const ownHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
]);

const timeoutMs = 10_000;
const maximumAtOnce = 32;
const maximumWaitingBytes = limits.webhookForwards.most;

interface Job {
  headers: HeaderList;
  body: Buffer;
  done: (result: ForwardResult) => void;
}

/**
 * Forwards answered deliveries, with bytes and end-to-end headers unchanged: including Authorization and Cookie,
 * since the target is their intended receiver. Redirects are not followed.
 */
export class Forwarder {
  readonly #target: (ForwardTarget & { parsed: URL }) | undefined;
  /** On everything that is forwarded from here. */
  readonly mark = new ForwardMark();
  readonly #stop = new AbortController();
  readonly #waiting: Job[] = [];
  #waitingBytes = 0;
  #running = 0;

  /** @throws WorkbenchError `forward-invalid` (input) */
  constructor(target: ForwardTarget | undefined) {
    this.#target = target && { ...target, parsed: parseForwardTarget(target.url) };
    // Each request in progress adds a listener.
    setMaxListeners(maximumAtOnce + 1, this.#stop.signal);
  }

  /** Whether a delivery with this outcome is forwarded. */
  wants(outcome: Pick<ReceiveOutcome, 'signature' | 'verdict'>): boolean {
    if (this.#target === undefined || outcome.signature === null || outcome.verdict === 'on-purpose') {
      return false;
    }
    return this.#target.which === 'all' || outcome.signature.ok;
  }

  /** Forwards one delivery; `done` is called exactly once. */
  submit(headers: HeaderList, body: Buffer, done: (result: ForwardResult) => void): void {
    if (this.#waitingBytes + body.length > maximumWaitingBytes) {
      done(this.#failed('too many deliveries are waiting for the target', 0));
      return;
    }
    this.#waiting.push({ headers, body, done });
    this.#waitingBytes += body.length;
    this.#next();
  }

  /** Ends requests in progress. */
  close(): void {
    this.#stop.abort();
    this.#waiting.splice(0).forEach(({ done }) => done(this.#failed('the listener was stopped', 0)));
  }

  #next(): void {
    while (this.#running < maximumAtOnce) {
      const job = this.#waiting.shift();
      if (job === undefined) {
        return;
      }
      this.#waitingBytes -= job.body.length;
      this.#running += 1;
      void this.#send(job).then((result) => {
        this.#running -= 1;
        job.done(result);
        this.#next();
      });
    }
  }

  async #send({ headers, body }: Job): Promise<ForwardResult> {
    const { parsed, url } = this.#target as { parsed: URL; url: string };
    const marked = this.mark.put(endToEnd(headers));
    if (marked === undefined) {
      return this.#failed('it has already passed through too many listeners', 0);
    }
    try {
      const answer = await sendHttpRequest({
        url: parsed,
        method: 'POST',
        headers: marked,
        body,
        timeoutMs,
        signal: this.#stop.signal,
      });
      return { url, status: answer.status, ms: answer.ms, error: null, answer: answer.text };
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      return this.#failed(error.message, typeof error.details.ms === 'number' ? error.details.ms : 0);
    }
  }

  #failed(error: string, ms: number): ForwardResult {
    return { url: this.#target?.url ?? '', status: null, ms, error, answer: '' };
  }
}

function endToEnd(headers: HeaderList): HeaderList {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim().toLowerCase());
  return headers.filter(
    ([name]) => !ownHeaders.has(name.toLowerCase()) && !named.includes(name.toLowerCase()),
  );
}

function parseForwardTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new WorkbenchError({
      code: 'forward-invalid',
      kind: 'input',
      message: 'The forward target is not an http or https URL, or contains credentials.',
      hint: 'Give the full URL, such as http://127.0.0.1:3000/webhook.',
    });
  }
  url.hash = '';
  return url;
}
