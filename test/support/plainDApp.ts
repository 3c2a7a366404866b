import assert from 'node:assert/strict';
import { get } from 'node:http';
import type { ClientRequest } from 'node:http';
import nacl from 'tweetnacl';

/** What a wallet sends: an event, or an answer. */
export interface Frame {
  event?: string;
  id: string | number;
  payload?: {
    code?: number;
    message?: string;
    items?: { name: string; address?: string; network?: string }[];
    device?: { features: unknown[]; maxProtocolVersion: number };
  };
  response?: { id?: string; result?: unknown; error?: { code: number; message: string } };
  result?: unknown;
  error?: { code: number; message: string };
}

/** The short names of the request in a link, written down a second time: `a.b` is the field `b` within `a`. */
const shortNames: Readonly<Record<string, string>> = {
  ...{ method: 'm', from: 'f', network: 'n', valid_until: 'vu', messages: 'ms', items: 'i', type: 't' },
  ...{ address: 'a', amount: 'am', payload: 'p', stateInit: 'si', extra_currency: 'ec' },
  ...{ master: 'ma', destination: 'd', attachAmount: 'aa', responseDestination: 'rd', customPayload: 'cp' },
  ...{ forwardAmount: 'fa', forwardPayload: 'fp', queryId: 'qi', nftAddress: 'na', newOwner: 'no' },
  ...{ text: 'tx', bytes: 'b', schema: 's', cell: 'c' },
};
const shortMethods: Readonly<Record<string, string>> = {
  ...{ sendTransaction: 'st', signMessage: 'sm', signData: 'sd' },
};

/** The parameter `e` of a link. */
export function embedded(method: string, parameter: object): string {
  const shorten = (value: unknown, name = ''): unknown =>
    Array.isArray(value)
      ? value.map((one) => shorten(one))
      : typeof value === 'object' && value !== null && name !== 'extra_currency'
        ? Object.fromEntries(
            Object.entries(value).map(([field, one]) => [shortNames[field] ?? field, shorten(one, field)]),
          )
        : value;
  return wire({ m: shortMethods[method] ?? method, ...(shorten(parameter) as object) });
}

/** Anything as the parameter `e`. */
export const wire = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A dApp that speaks the protocol by itself, without the SDK and without the wallet's own code. */
export class PlainDApp {
  readonly #keys = nacl.box.keyPair();
  readonly id = Buffer.from(this.#keys.publicKey).toString('hex');
  readonly frames: Frame[] = [];
  /** The raw text of the events, as they came. */
  readonly raw: string[] = [];
  #wallet = '';
  #next = 1;
  #stream: ClientRequest | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(readonly bridge: string) {}

  /** Opens its stream. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#stream = get(`${this.bridge}/events?client_id=${this.id}`, (response) => {
        resolve();
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          const events = text.split('\n\n');
          text = events.pop() ?? '';
          events.forEach((event) => this.#take(event));
        });
        response.on('error', () => undefined);
      });
      this.#stream.on('error', reject);
    });
  }

  leave(): void {
    this.#stream?.on('error', () => undefined).destroy();
  }

  /** What it would show as a QR code. */
  link(universalLink: string, manifestUrl: string, more: { e?: string; network?: string } = {}): string {
    const item = { name: 'ton_addr', ...(more.network === undefined ? {} : { network: more.network }) };
    const query = new URLSearchParams({
      ...{ v: '2', id: this.id, r: JSON.stringify({ manifestUrl, items: [item] }), ret: 'none' },
      ...{ trace_id: '0198f0a4-6c1e-7b33-8f2e-5f0c2f5e1b77' },
      ...(more.e === undefined ? {} : { e: more.e }),
    });
    return `${universalLink}?${query.toString()}`;
  }

  /** Sends a request, and returns the answer to it. */
  async ask(method: string, params: unknown[]): Promise<Frame> {
    const id = await this.send(method, params);
    return this.frame((frame) => frame.id === id && frame.event === undefined);
  }

  /** Sends a request, and returns its id. */
  async send(method: string, params: unknown[], id = `${this.#next++}`): Promise<string> {
    const texts = params.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    const nonce = nacl.randomBytes(nacl.box.nonceLength);
    const box = nacl.box(
      Buffer.from(JSON.stringify({ method, params: texts, id })),
      nonce,
      Buffer.from(this.#wallet, 'hex'),
      this.#keys.secretKey,
    );
    const body = Buffer.concat([nonce, box]).toString('base64');
    const query = `client_id=${this.id}&to=${this.#wallet}&ttl=300&topic=${method}`;
    const { status } = await fetch(`${this.bridge}/message?${query}`, { method: 'POST', body });
    assert.equal(status, 200);
    return id;
  }

  /** The first frame that fits, as soon as there is one. */
  frame(fits: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.frames.find(fits);
        if (found !== undefined) {
          this.#waiting.delete(look);
          resolve(found);
        }
      };
      this.#waiting.add(look);
      look();
    });
  }

  #take(event: string): void {
    const lines = event.split('\n');
    const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length);
    this.raw.push(event);
    if (data === undefined || data === 'heartbeat') {
      return;
    }
    const { from, message } = JSON.parse(data) as { from: string; message: string };
    this.#wallet = from;
    const bytes = Buffer.from(message, 'base64');
    const nonce = bytes.subarray(0, nacl.box.nonceLength);
    const key = Buffer.from(from, 'hex');
    const text = nacl.box.open(bytes.subarray(nonce.length), nonce, key, this.#keys.secretKey);
    assert.ok(text !== null, 'it is for this dApp');
    this.frames.push(JSON.parse(Buffer.from(text).toString()) as Frame);
    this.#waiting.forEach((look) => look());
  }
}
