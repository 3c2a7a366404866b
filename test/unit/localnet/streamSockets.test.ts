import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import type { ClientOptions } from 'ws';
import { WebSocket } from 'ws';
import { limits } from '../../../src/toolkit/base/limits';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { SteppedClock } from '../../support/steppedClock';
import { until } from '../../support/until';
import { hashOnWire } from './support/onWire';
import type { Scenario } from './support/scenario';
import { scenario, sendFromAlice } from './support/scenario';
import { addressOf } from './support/testChain';

/** The parts of what a socket says that are judged here. */
interface Said {
  id?: string;
  status?: string;
  error?: string;
  type?: string;
  finality?: string;
  trace_external_hash_norm?: string;
  transactions?: { finality: string; emulated: boolean }[] | Record<string, { finality: string }>;
  actions?: { type: string; finality: string }[];
  address_book?: object;
  metadata?: object;
}

interface Talk {
  socket: WebSocket;
  said: Said[];
  /** Sends a request, and returns its answer. */
  ask: (request: object | string) => Promise<Said>;
  /** What was told, as `type finality`. */
  told: () => string[];
  closed: Promise<{ code: number; reason: string }>;
}

describe('Streaming v2 over WebSocket, and what is not final', () => {
  let s: Scenario;
  let port: number;
  const open: WebSocket[] = [];
  const [alice, bob, carol] = [addressOf('alice'), addressOf('bob'), addressOf('carol')];

  before(async () => {
    s = await scenario();
    await s.server.listen({ host: '127.0.0.1', port: 0 });
    port = (s.server.server.address() as AddressInfo).port;
  });
  afterEach(() => open.splice(0).forEach((socket) => socket.terminate()));
  after(() => s.server.close());

  const connect = async (options: ClientOptions = {}, at = port): Promise<Talk> => {
    const socket = new WebSocket(`ws://127.0.0.1:${at}/api/streaming/v2/ws`, options);
    open.push(socket);
    const said: Said[] = [];
    socket.on('message', (data) => said.push(JSON.parse((data as Buffer).toString('utf8')) as Said));
    const closed = new Promise<{ code: number; reason: string }>((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve).once('error', reject);
    });
    const ask = async (request: object | string): Promise<Said> => {
      const before = said.length;
      socket.send(typeof request === 'string' ? request : JSON.stringify(request));
      return until(() => said.slice(before).find(({ type }) => type === undefined), 'the answer');
    };
    const told = (): string[] =>
      said.flatMap(({ type, finality }) => (type === undefined ? [] : [`${type} ${finality ?? ''}`.trim()]));
    return { socket, said, ask, told, closed };
  };
  const control = async (name: string, parameters: object): Promise<Record<string, unknown>> => {
    const { status, body } = await s.post<Record<string, unknown>>(`/control/${name}`, parameters);
    assert.ok(status === 200 || status === 422, JSON.stringify(body));
    return body;
  };
  const send = (to: string): Promise<string> => sendFromAlice(s, to);

  it('answers each request, bad ones too, in the service’s words, and never ends for them', async () => {
    const talk = await connect();
    const address = `0:${'ab'.repeat(32)}`;
    const subscribe = { operation: 'subscribe' };
    const many = Array.from({ length: 10_000 }, (_, index) => `0:${String(index).padStart(64, '0')}`);
    for (const [request, answer] of [
      [
        { operation: 'ping', id: 'p' },
        { id: 'p', status: 'pong' },
      ],
      [{ operation: 'ping' }, { status: 'pong' }],
      ['not json', { error: 'invalid request envelope: not a JSON object' }],
      ['[1]', { error: 'invalid request envelope: not a JSON object' }],
      ['', { error: 'invalid request envelope: not a JSON object' }],
      [
        { operation: 'nope', id: '6' },
        { id: '6', error: 'unknown operation: nope' },
      ],
      [
        { ...subscribe, types: [], id: '4' },
        { id: '4', error: 'types are required' },
      ],
      [
        { ...subscribe, types: ['transactions'], id: '5' },
        { id: '5', error: 'addresses are required' },
      ],
      [{ ...subscribe, types: ['x'], addresses: [address] }, { error: 'invalid event type: x' }],
      [{ ...subscribe, types: ['actions'], addresses: ['bad'] }, { error: 'invalid address: bad' }],
      [
        { ...subscribe, types: ['actions'], addresses: many },
        { error: `address limit exceeded: current 0 + new 10000 > max ${limits.streamAddresses.most}` },
      ],
      [
        { ...subscribe, types: ['transactions'], addresses: [address], id: '1' },
        { id: '1', status: 'subscribed' },
      ],
      [
        { operation: 'unsubscribe', id: '3' },
        { id: '3', error: 'addresses or trace_external_hash_norms are required' },
      ],
      [
        { operation: 'unsubscribe', addresses: [address], id: '2' },
        { id: '2', status: 'unsubscribed' },
      ],
    ] as const) {
      assert.deepEqual(await talk.ask(request), answer);
    }
    talk.socket.send('x'.repeat(limits.streamSubscription.most + 1));
    assert.equal((await talk.closed).code, 1009);
  });

  it('tells a message as pending, its block as confirmed and finalized, each to whoever wants it', async () => {
    const all = await connect();
    const settled = await connect();
    const later = await connect();
    const types = ['transactions', 'actions', 'account_state_change'];
    const everything = { operation: 'subscribe', types, addresses: [alice], min_finality: 'pending' };
    await all.ask({ ...everything, include_address_book: true, include_metadata: true });
    await settled.ask({ operation: 'subscribe', types: ['transactions'], addresses: [alice] });
    // A later subscription replaces the first, but keeps the finality that it does not name.
    await later.ask({ operation: 'subscribe', types, addresses: [alice], min_finality: 'confirmed' });
    await later.ask({ operation: 'subscribe', types: ['transactions'], addresses: [alice, bob] });
    await later.ask({ operation: 'unsubscribe', addresses: [alice] });
    const norm = await send(bob);
    await until(() => all.told().length > 1, 'the pending events');
    assert.deepEqual(all.told(), ['transactions pending', 'actions pending']);
    const first = all.said.find(({ type }) => type === 'transactions');
    assert.equal(first?.trace_external_hash_norm, hashOnWire(norm));
    assert.deepEqual(
      (first?.transactions as { finality: string; emulated: boolean }[]).map((one) => [
        one.finality,
        one.emulated,
      ]),
      [['pending', true]],
    );
    assert.ok(first?.address_book !== undefined && first.metadata !== undefined);
    await s.chain.mine();
    await s.chain.mine();
    await until(() => later.told().length > 1, 'the events of bob');
    await until(() => all.told().includes('actions finalized'), 'the last event');
    const rest = all.told().slice(2);
    const firstFinal = rest.findIndex((one) => one.endsWith('finalized'));
    assert.ok(
      firstFinal > 0 && rest.slice(0, firstFinal).every((one) => one.endsWith('confirmed')),
      rest.join(),
    );
    assert.deepEqual(
      rest.filter((one) => one.startsWith('account')),
      ['account_state_change confirmed', 'account_state_change finalized'],
    );
    assert.deepEqual(later.told(), ['transactions confirmed', 'transactions finalized']);
    assert.ok(settled.told().every((one) => one === 'transactions finalized'));
  });

  it('filters the actions of a trace by type', async () => {
    const [swaps, transfers] = [await connect(), await connect()];
    const norm = await send(carol);
    const request = {
      operation: 'subscribe',
      types: ['trace'],
      trace_external_hash_norms: [hashOnWire(norm)],
    };
    await swaps.ask({ ...request, action_types: ['jetton_swap'] });
    await transfers.ask({ ...request, supported_action_types: ['ton_transfer'] });
    await s.chain.mine();
    await s.chain.mine();
    const last = await until(
      () => transfers.said.find(({ actions }) => actions !== undefined),
      'the actions',
    );
    assert.deepEqual(
      last.actions?.map(({ type, finality }) => [type, finality]),
      [['ton_transfer', 'finalized']],
    );
    await until(() => swaps.told().length === transfers.told().length, 'as many events');
    assert.ok(swaps.said.every(({ actions }) => actions === undefined));
  });

  it('holds finality, and takes back what is not final: a pending message, and a confirmed block', async () => {
    const talk = await connect();
    const late = await connect();
    const request = { operation: 'subscribe', types: ['transactions'], addresses: [alice] };
    await talk.ask({ ...request, min_finality: 'pending' });
    await late.ask(request);
    const balance = s.chain.ledger.accounts.get(bob)?.facts.balance;

    const dropped = await send(bob);
    await until(() => talk.told().length === 1, 'the pending event');
    assert.deepEqual(await control('invalidate', { trace: dropped }), { trace: dropped });
    await until(() => talk.told().length === 2, 'the invalidation');
    assert.equal(talk.said.at(-1)?.trace_external_hash_norm, hashOnWire(dropped));
    assert.equal(s.chain.pending.size, 0);

    assert.deepEqual(await control('finality', { hold: true }), { hold: true, blocks: 0 });
    const undone = await send(bob);
    await s.chain.mine();
    await until(() => talk.told().length === 4, 'the confirmed event');
    assert.deepEqual(await control('finality', {}), { hold: true, blocks: 1 });
    await control('invalidate', { trace: undone });
    await until(() => talk.told().length === 5, 'the invalidation');
    assert.deepEqual(talk.told(), [
      ...['transactions pending', 'trace_invalidated'],
      ...['transactions pending', 'transactions confirmed', 'trace_invalidated'],
    ]);
    assert.equal(s.chain.ledger.accounts.get(bob)?.facts.balance, balance);

    const kept = await send(bob);
    await s.chain.mine();
    await until(() => talk.told().length === 7, 'the confirmed event');
    assert.deepEqual(late.told(), [], 'nothing was final yet');
    assert.deepEqual(await control('finality', { hold: false }), { hold: false, blocks: 0 });
    await until(() => late.told().length === 1, 'the final event');
    assert.equal(late.said.at(-1)?.trace_external_hash_norm, hashOnWire(kept));
    assert.equal(talk.told().at(-1), 'transactions finalized');
    assert.match(String((await control('invalidate', { trace: kept })).error), /^this trace is finalized/);
    assert.match(String((await control('invalidate', { trace: 'ab'.repeat(32) })).error), /no such trace/);

    // What was final is only taken back by the developer: streams end, so that everybody reads again.
    const { seqno } = s.chain.ledger.last;
    await s.chain.restore(seqno - 1);
    assert.deepEqual(await late.closed, {
      code: 1013,
      reason: `the network went back to block ${seqno - 1}: finalized events were undone`,
    });
  });

  it('is full at a limit, needs an upgrade, and keeps pages off a fork', async () => {
    const get = (
      headers: http.OutgoingHttpHeaders,
      path = '/api/streaming/v2/ws',
      body = '',
    ): Promise<[number, string]> =>
      new Promise((resolve, reject) => {
        const request = http.request({
          port,
          path,
          headers,
          method: body === '' ? 'GET' : 'POST',
          agent: false,
        });
        request.on('response', (answer) => {
          let text = '';
          answer
            .on('data', (part: Buffer) => (text += part.toString('utf8')))
            .on('end', () => resolve([answer.statusCode ?? 0, text]));
        });
        request.on('error', reject).end(body);
      });
    assert.deepEqual(await get({}), [426, '{"error":"this endpoint speaks WebSocket: ask for an upgrade"}']);
    // Some clients offer HTTP/2 with every request: it is answered as if they did not.
    const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
    const [status, text] = await get(offer, '/api/v2/getMasterchainInfo');
    assert.equal(status, 200);
    assert.match(text, /"ok":true/);
    const call = JSON.stringify({ method: 'getMasterchainInfo', params: {} });
    assert.equal((await get({ ...offer, 'content-length': call.length }, '/api/v2/jsonRPC', call))[0], 200);
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-version': '13',
    };
    assert.equal((await get(upgrade, '/api/v2/ws'))[0], 404);
    const twoHosts = await new Promise<string>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => {
        const lines = ['Host: 127.0.0.1', 'Host: evil.example', 'Connection: Upgrade', 'Upgrade: websocket'];
        socket.write(`GET /api/streaming/v2/ws HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      });
      socket.once('data', (data) => {
        resolve(data.toString('latin1'));
        socket.destroy();
      });
    });
    assert.match(twoHosts, /^HTTP\/1\.1 400 /);
  });

  it('disconnects a peer that is gone, malformed frames, and a client that does not read', async () => {
    const clock = new SteppedClock();
    const server = await createServer(s.chain, { clock });
    await server.listen({ host: '127.0.0.1', port: 0 });
    const at = (server.server.address() as AddressInfo).port;
    try {
      const alive = await connect({}, at);
      const gone = await connect({ autoPong: false }, at);
      clock.advance(15_000);
      await alive.ask({ operation: 'ping' });
      clock.advance(15_000);
      assert.equal((await gone.closed).code, 1006);
      assert.equal((await alive.ask({ operation: 'ping' })).status, 'pong');
      const malformed = await connect({}, at);
      // A frame with a reserved opcode, masked as it must be.
      (malformed.socket as unknown as { _socket: net.Socket })._socket.write(
        Buffer.from('8b8000000000', 'hex'),
      );
      assert.equal((await malformed.closed).code, 1002);
      // The same request again and again, with answers that nobody reads.
      const slow = await connect({}, at);
      slow.socket.pause();
      const ask = JSON.stringify({ operation: 'ping', id: 'x'.repeat(500_000) });
      for (let count = 0; count < 60; count += 1) {
        slow.socket.send(ask);
      }
      await until(() => slow.socket.bufferedAmount === 0, 'all requests to be sent');
      await alive.ask({ operation: 'ping' });
      slow.socket.resume();
      const { code, reason } = await slow.closed;
      assert.equal(code, 1013);
      assert.match(reason, /^the client reads too slowly/);
      assert.equal(slow.said.at(-1)?.error, reason);
    } finally {
      await server.close();
    }
  });
});
