// What the tests of ton-connect/bridge-sdk ask of a bridge (gateway, provider, stress), written anew.
import assert from 'node:assert/strict';
import { Base64, SessionCrypto } from '@tonconnect/protocol';
import { createParser } from 'eventsource-parser';
import { until } from '../support/until';
import { startStrangersBridge } from './support/strangersBridge';

/** A message as a stream gave it. */
interface Heard {
  id: string;
  from: string;
  text: string;
}

/** Hears what is sent to its sessions. */
class Listener {
  readonly heard: Heard[] = [];
  readonly #leaving = new AbortController();

  static async open(url: string, sessions: readonly string[], lastEventId?: string): Promise<Listener> {
    const listener = new Listener();
    const query = new URLSearchParams({ client_id: sessions.join(',') });
    if (lastEventId !== undefined) {
      query.set('last_event_id', lastEventId);
    }
    const answer = await fetch(`${url}/events?${query}`, { signal: listener.#leaving.signal });
    assert.equal(answer.status, 200);
    void listener.#read(answer.body ?? assert.fail());
    return listener;
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ id = '', data }) => {
        if (data !== 'heartbeat') {
          const { from, message } = JSON.parse(data) as { from: string; message: string };
          this.heard.push({ id, from, text: Base64.decode(message).toString() });
        }
      },
    });
    try {
      for await (const chunk of body) {
        parser.feed(decoder.decode(chunk, { stream: true }));
      }
    } catch (error) {
      assert.ok(this.#leaving.signal.aborted, String(error));
    }
  }

  async next(): Promise<Heard> {
    return until(() => this.heard[0], 'a message');
  }

  leave(): void {
    this.#leaving.abort();
  }
}

describe("the wallet's bridge, between two strangers", () => {
  let bridge: Awaited<ReturnType<typeof startStrangersBridge>>;
  const listeners: Listener[] = [];
  const sender = new SessionCrypto().sessionId;
  const newSession = (): string => new SessionCrypto().sessionId;
  const listen = async (sessions: readonly string[], lastEventId?: string): Promise<Listener> => {
    const listener = await Listener.open(bridge.url, sessions, lastEventId);
    listeners.push(listener);
    return listener;
  };
  const send = async (to: string, text: string, ttl = 300, from = sender): Promise<void> => {
    const query = new URLSearchParams({ client_id: from, to, ttl: String(ttl), topic: 'sendTransaction' });
    const body = Base64.encode(Buffer.from(text));
    assert.equal((await fetch(`${bridge.url}/message?${query}`, { method: 'POST', body })).status, 200);
  };
  /** Whether nothing that was sent before comes: what is sent now comes first. */
  const hearsOnly = async (listener: Listener, session: string): Promise<void> => {
    await send(session, 'the end');
    await until(() => listener.heard.some(({ text }) => text === 'the end'), 'the last message');
    assert.deepEqual(
      listener.heard.map(({ text }) => text),
      ['the end'],
    );
  };

  beforeEach(async () => {
    bridge = await startStrangersBridge();
  });
  afterEach(async () => {
    listeners.splice(0).forEach((listener) => listener.leave());
    await bridge.close();
  });

  it('brings a message over an open stream, with its sender', async () => {
    const session = newSession();
    const listener = await listen([session]);
    await send(session, 'ping');
    const { text, from } = await listener.next();
    assert.deepEqual([text, from], ['ping', sender]);
  });

  it('keeps what is sent while nobody listens, and repeats nothing that was heard', async () => {
    const session = newSession();
    await send(session, 'later');
    const first = await listen([session]);
    const { id, text } = await first.next();
    assert.equal(text, 'later');
    first.leave();
    await hearsOnly(await listen([session], id), session);
  });

  it('brings a message again if the id before it was the last', async () => {
    const session = newSession();
    const first = await listen([session]);
    await send(session, 'ping');
    const { id } = await first.next();
    first.leave();
    const again = await listen([session], String(BigInt(id) - 1n));
    assert.deepEqual(await again.next(), { id, from: sender, text: 'ping' });
  });

  it('brings no message whose time is over', async () => {
    const session = newSession();
    await send(session, 'expired', 0);
    await hearsOnly(await listen([session]), session);
  });

  it('keeps the order, also of sessions that come and go', async () => {
    const [one, other] = [newSession(), newSession()];
    (await listen([one])).leave();
    const listener = await listen([one, other]);
    for (const text of ['1', '2', '3', '4']) {
      await send(text === '2' ? other : one, text);
    }
    await until(() => listener.heard.length === 4, 'four messages');
    assert.deepEqual(
      listener.heard.map(({ text }) => text),
      ['1', '2', '3', '4'],
    );
  });

  it('carries 100 messages each between 10 pairs at once, each once and in order', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const [app, wallet] = [newSession(), newSession()];
        return { app, wallet, listener: await listen([wallet]) };
      }),
    );
    await Promise.all(
      pairs.map(async ({ app, wallet }) => {
        for (let count = 0; count < 100; count += 1) {
          await send(wallet, String(count), 300, app);
        }
      }),
    );
    await until(() => pairs.every(({ listener }) => listener.heard.length === 100), '1,000 messages');
    const expected = Array.from({ length: 100 }, (_, count) => String(count));
    for (const { app, listener } of pairs) {
      assert.deepEqual(
        listener.heard.map(({ text }) => text),
        expected,
      );
      assert.ok(listener.heard.every(({ from }) => from === app));
    }
  });
});
