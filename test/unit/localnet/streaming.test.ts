import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { toNano } from '@ton/core';
import { createParser } from 'eventsource-parser';
import fastify from 'fastify';
import { limits } from '../../../src/toolkit/base/limits';
import { SteppedClock } from '../../support/steppedClock';
import { until } from '../../support/until';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { mountStreaming } from '../../../src/toolkit/localnet/server/mountStreaming';
import type { StreamHub } from '../../../src/toolkit/localnet/streaming/streamHub';
import { addressOnWire, hashOnWire } from './support/onWire';
import type { Scenario } from './support/scenario';
import { scenario, sendFromAlice } from './support/scenario';
import { addressOf } from './support/testChain';

interface Frame {
  event: string;
  data: StreamEvent;
}

/** The parts of events that are judged here. */
interface StreamEvent {
  type: string;
  status?: string;
  finality?: string;
  trace_external_hash_norm?: string;
  transactions?: { account: string; lt: string; hash: string }[];
  actions?: { type: string; success: boolean }[];
  account?: string;
  state?: { balance: string; account_status: string };
  jetton?: { address: string; owner: string; balance: string };
  address_book?: Record<string, unknown>;
}

/** What a stream has brought so far. */
interface Stream {
  status: number;
  frames: Frame[];
  text: () => string;
  close: () => void;
}

describe('Streaming v2 of the local network', () => {
  let s: Scenario;
  let base: string;
  const open: Stream[] = [];
  const [alice, bob, carol] = [addressOf('alice'), addressOf('bob'), addressOf('carol')];

  before(async () => {
    s = await scenario();
    await s.server.listen({ host: '127.0.0.1', port: 0 });
    base = `http://127.0.0.1:${(s.server.server.address() as AddressInfo).port}`;
  });
  afterEach(() => open.splice(0).forEach((stream) => stream.close()));
  after(() => s.server.close());

  const post = (body: unknown, signal?: AbortSignal): Promise<Response> =>
    fetch(`${base}/api/streaming/v2/sse`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  const subscribe = async (body: unknown): Promise<Stream> => {
    const controller = new AbortController();
    const response = await post(body, controller.signal);
    assert.equal(response.status, 200, response.status === 200 ? '' : await response.text());
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    let text = '';
    const frames: Frame[] = [];
    const parser = createParser({
      onEvent: ({ event = '', data }) => frames.push({ event, data: JSON.parse(data) as StreamEvent }),
      onError: (error) => assert.fail(error),
    });
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
        const part = decoder.decode(bytes, { stream: true });
        text += part;
        parser.feed(part);
      }
    };
    read().catch(() => undefined);
    const stream = { status: response.status, frames, text: () => text, close: () => controller.abort() };
    open.push(stream);
    await until(() => frames[0], 'the first frame');
    return stream;
  };
  const refused = async (body: unknown): Promise<[number, string]> => {
    const response = await post(body);
    return [response.status, ((await response.json()) as { error: string }).error];
  };
  const events = (stream: Stream): StreamEvent[] =>
    stream.frames.filter(({ event }) => event === 'event').map(({ data }) => data);
  /** Sends coins from alice, and makes the blocks that they need. */
  const pay = async (to: string): Promise<string> => {
    const normalized = await sendFromAlice(s, to);
    await s.chain.mine();
    await s.chain.mine();
    return normalized;
  };

  it('refuses subscriptions in the service’s words', async () => {
    const address = `0:${'ab'.repeat(32)}`;
    for (const [body, error] of [
      [{}, 'types are required for subscription'],
      [{ types: ['bogus'], addresses: [address] }, 'invalid event type: bogus'],
      [{ types: ['transactions'] }, 'addresses are required for subscription'],
      [{ types: ['trace'] }, 'trace_external_hash_norms are required for trace subscription'],
      [
        { types: ['transactions'], addresses: [address], trace_external_hash_norms: [`${'A'.repeat(43)}=`] },
        'trace_external_hash_norms requires type "trace"',
      ],
      [{ types: ['transactions'], addresses: ['bad'] }, 'invalid address: bad'],
      [
        { types: ['trace'], trace_external_hash_norms: [''] },
        'trace_external_hash_norms contains empty value',
      ],
      ['{bad', 'invalid subscription request: not a JSON object'],
      [{ types: 'transactions' }, 'invalid subscription request: types is a list of texts'],
      [
        { types: ['actions'], addresses: [address], min_finality: 'soon' },
        'invalid subscription request: min_finality is pending, confirmed, or finalized',
      ],
      [
        {
          types: ['actions'],
          addresses: Array.from({ length: 10_000 }, (_, index) => `0:${String(index).padStart(64, '0')}`),
        },
        `too many addresses: 10000 > max ${limits.streamAddresses.most}`,
      ],
      [`{"types": "${'x'.repeat(1024 * 1024)}"}`, /^invalid subscription request: larger than/],
    ] as const) {
      const [status, text] = await refused(body);
      assert.equal(status, 400);
      if (typeof error === 'string') {
        assert.equal(text, error);
      } else {
        assert.match(text, error);
      }
    }
    const { status } = await fetch(`${base}/api/streaming/v2/ws`);
    assert.equal(status, 426);
  });

  it('tells a payment to whoever subscribed to its accounts, once per block, and to nobody else', async () => {
    const types = ['transactions', 'actions', 'account_state_change'];
    const [payer, payee, other] = [
      await subscribe({ types, addresses: [alice], id: '7' }),
      await subscribe({ types, addresses: [bob], include_address_book: true }),
      await subscribe({ types, addresses: [carol] }),
    ];
    assert.deepEqual(payer.frames[0], { event: 'connected', data: { id: '7', status: 'subscribed' } });
    const norm = await pay(bob);
    await until(() => events(payee).length >= 3, 'the events of bob');
    await until(() => events(payer).length >= 3, 'the events of alice');
    const ofPayee = events(payee);
    assert.deepEqual(ofPayee.map(({ type }) => type).sort(), [
      'account_state_change',
      'actions',
      'transactions',
    ]);
    assert.ok(ofPayee.every(({ finality }) => finality === 'finalized'));
    const [sent] = ofPayee.filter(({ type }) => type === 'transactions');
    assert.equal(sent?.trace_external_hash_norm, hashOnWire(norm));
    assert.deepEqual(
      sent?.transactions?.map(({ account }) => account),
      [addressOnWire(bob)],
    );
    assert.ok(sent?.address_book?.[addressOnWire(alice)], 'the sender is in the book');
    const { body } = await s.get<{ transactions: unknown[] }>(`/api/v3/transactions?account=${bob}&limit=1`);
    assert.deepEqual(sent?.transactions, body.transactions, 'the same objects as those of v3');
    const [action] = ofPayee.filter(({ type }) => type === 'actions');
    assert.deepEqual(
      action?.actions?.map(({ type, success }) => [type, success]),
      [['ton_transfer', true]],
    );
    const [change] = ofPayee.filter(({ type }) => type === 'account_state_change');
    assert.equal(change?.account, addressOnWire(bob));
    assert.equal(change?.state?.account_status, 'active');
    assert.equal(events(payer).find(({ type }) => type === 'transactions')?.address_book, undefined);
    assert.deepEqual(events(other), []);
  });

  it('tells a trace by its message, actions by their type, and the wallet of a jetton by its owner', async () => {
    const normalized = await sendFromAlice(s, bob);
    const trace = await subscribe({ types: ['trace'], trace_external_hash_norms: [hashOnWire(normalized)] });
    const swaps = await subscribe({
      types: ['actions'],
      addresses: [alice, bob],
      action_types: ['jetton_swap'],
    });
    await s.chain.mine();
    await s.chain.mine();
    await until(() => events(trace).some(({ actions }) => actions !== undefined), 'the whole trace');
    const whole = events(trace).at(-1);
    assert.equal(whole?.trace_external_hash_norm, hashOnWire(normalized));
    assert.equal(Object.keys(whole?.transactions ?? {}).length, 2);
    assert.deepEqual(events(swaps), []);
    const owner = await subscribe({ types: ['jettons_change'], addresses: [alice] });
    await sendFromAlice(s, s.aliceJettons, toNano('0.1'));
    await s.chain.mine();
    await s.chain.mine();
    const [change] = await until(() => events(owner).length > 0 && events(owner), 'the jetton wallet');
    assert.equal(change?.jetton?.address, addressOnWire(s.aliceJettons));
    assert.equal(change?.jetton?.owner, addressOnWire(alice));
  });

  it('gives a sign of life every 15 s, and does no work while nobody listens', async () => {
    const clock = new SteppedClock();
    const server = await createServer(s.chain, { clock });
    await server.listen({ host: '127.0.0.1', port: 0 });
    const own = base;
    base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    try {
      const stream = await subscribe({ types: ['transactions'], addresses: [bob] });
      clock.advance(14_999);
      clock.advance(1);
      await until(() => stream.text().includes(': keepalive\n\n'), 'the sign of life');
      stream.close();
    } finally {
      base = own;
      await server.close();
    }
  });

  it('keeps no client that is gone before its subscription is read', async () => {
    const clients: unknown[] = [];
    const hub = {
      size: 0,
      watch: () => () => undefined,
      add: (client: unknown) => {
        clients.push(client);
        return () => undefined;
      },
    } as unknown as StreamHub;
    const server = fastify();
    const leaving = new AbortController();
    let isHandled = false;
    server.addHook('preHandler', async (_request, reply) => {
      leaving.abort();
      await new Promise((resolve) => reply.raw.once('close', resolve));
      setImmediate(() => (isHandled = true));
    });
    mountStreaming(server, { hub, clock: new SteppedClock(), allowedOrigins: undefined });
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.server.address() as AddressInfo;
    await fetch(`http://127.0.0.1:${port}/api/streaming/v2/sse`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ types: ['transactions'], addresses: [bob] }),
      signal: leaving.signal,
    }).catch(() => undefined);
    await until(() => isHandled, 'the subscription to be read');
    assert.deepEqual(clients, []);
    await server.close();
  });
});
