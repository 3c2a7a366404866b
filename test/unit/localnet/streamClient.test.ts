import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { createUndiciTransport } from '../../../src/toolkit/access/createUndiciTransport';
import type { FollowedEvent } from '../../../src/toolkit/access/followEvents';
import { followEvents } from '../../../src/toolkit/access/followEvents';
import type { StreamRequest, StreamWay } from '../../../src/toolkit/access/openStream';
import { FrameReader, streamEndpoint, streamingBase } from '../../../src/toolkit/access/openStream';
import { networkAt } from '../../../src/toolkit/access/resolveNetwork';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { limits } from '../../../src/toolkit/base/limits';
import type { Clock } from '../../../src/toolkit/base/time';
import { followUntilDone } from '../../../src/toolkit/workflows/followUntilDone';
import { SteppedClock } from '../../support/steppedClock';
import { until } from '../../support/until';
import type { Scenario } from './support/scenario';
import { scenario, sendFromAlice } from './support/scenario';
import { addressOf } from './support/testChain';

/** A way to the server that can be cut. */
interface Wire {
  port: number;
  cut: () => void;
  /** Connections of now carry nothing any more, and stay open. */
  freeze: () => void;
  close: () => void;
}

describe('a client of streams', () => {
  let s: Scenario;
  let wire: Wire;
  let access: Access;
  const asked: string[] = [];
  const held = createUndiciTransport();
  const stops: AbortController[] = [];
  const bob = addressOf('bob');

  before(async () => {
    s = await scenario();
    await s.server.listen({ host: '127.0.0.1', port: 0 });
    s.server.server.on('request', ({ url = '' }: { url?: string }) => asked.push(url.split('?', 1)[0] ?? ''));
    wire = await openWire((s.server.server.address() as AddressInfo).port);
    access = accessAt(wire.port);
  });
  afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));
  after(async () => {
    wire.close();
    await held.close();
    await s.server.close();
  });

  const accessAt = (port: number, clock?: Clock): Access => {
    const origin = `http://127.0.0.1:${port}`;
    return createAccess({ network: networkAt(origin, origin), ...held, random: () => 0.5, clock });
  };
  /** What following brings, as it comes. */
  const follow = (request: StreamRequest, way: StreamWay, from = access): FollowedEvent[] => {
    const stop = new AbortController();
    stops.push(stop);
    const told: FollowedEvent[] = [];
    const run = async (): Promise<void> => {
      for await (const one of followEvents(from, request, { signal: stop.signal, way })) {
        told.push(one);
      }
    };
    run().catch((error: unknown) => told.push({ kind: 'gap', sinceLt: -1n, error: error as WorkbenchError }));
    return told;
  };
  const pay = async (to: string): Promise<string> => {
    const normalized = await sendFromAlice(s, to);
    await s.chain.mine();
    await s.chain.mine();
    return normalized;
  };
  const hashes = (told: readonly FollowedEvent[]): string[] =>
    told.flatMap((one) =>
      one.kind === 'event' && one.event.type === 'transactions' && one.event.finality === 'finalized'
        ? one.event.transactions.flatMap(({ hash }) => hash ?? [])
        : [],
    );
  const isStreaming = (told: readonly FollowedEvent[]): boolean =>
    told.findLast(({ kind }) => kind === 'streaming' || kind === 'polling')?.kind === 'streaming';

  for (const way of ['sse', 'ws'] as const) {
    it(`is told each event once over ${way}, also what happened while it was cut off`, async () => {
      const told = follow({ types: ['transactions', 'account_state_change'], addresses: [bob] }, way);
      await until(() => isStreaming(told), 'the stream');
      const before = s.chain.ledger.accounts.get(bob)?.transactions.length ?? 0;
      await pay(bob);
      await until(() => hashes(told).length === 1, 'the first payment');
      wire.cut();
      await pay(bob);
      await pay(bob);
      await until(() => hashes(told).length === 3, 'what was missed');
      await until(() => isStreaming(told), 'the stream again');
      await pay(bob);
      await until(() => hashes(told).length === 4, 'the next payment');
      const expected = s.chain.ledger.accounts
        .get(bob)
        ?.transactions.slice(before)
        .map(({ hash }) => hash);
      assert.deepEqual(hashes(told), expected);
      const states = told.filter((one) => one.kind === 'event' && one.event.type === 'account_state_change');
      assert.equal(states.length, 4);
      assert.ok(told.some((one) => one.kind === 'event' && one.isRecovered));
      assert.ok(!told.some(({ kind }) => kind === 'gap'));
    });
  }

  for (const way of ['sse', 'ws'] as const) {
    it(`notices over ${way} that the machine slept: the connection is dead, and nothing says so`, async () => {
      const clock = new SteppedClock();
      const told = follow({ types: ['transactions'], addresses: [bob] }, way, accessAt(wire.port, clock));
      await until(() => isStreaming(told), 'the stream');
      await pay(bob);
      await until(() => hashes(told).length === 1, 'the first payment');
      wire.freeze();
      await pay(bob);
      await pay(bob);
      const before = told.length;
      clock.advance(44_000);
      assert.equal(told.length, before, 'a service may be silent for so long');
      await until(() => {
        clock.advance(500);
        return hashes(told).length === 3 && isStreaming(told);
      }, 'what was missed');
      await pay(bob);
      await until(() => hashes(told).length === 4, 'the next payment');
      const all = s.chain.ledger.accounts.get(bob)?.transactions.slice(-4);
      assert.deepEqual(
        hashes(told),
        all?.map(({ hash }) => hash),
      );
      assert.ok(!told.some(({ kind }) => kind === 'gap'));
    });
  }

  it('asks nothing while nothing happens, and asks API v3 where there is no stream', async () => {
    const told = follow({ types: ['transactions'], addresses: [bob] }, 'sse');
    await until(() => isStreaming(told), 'the stream');
    await until(() => asked.at(-1) === '/api/v3/transactions', 'the read of what was before');
    asked.length = 0;
    const server = http.createServer(({ method, url = '', headers }, answer) => {
      if (url.startsWith('/api/streaming/')) {
        answer.writeHead(404, { 'content-type': 'application/json' }).end('{}');
        return;
      }
      const path = { host: '127.0.0.1', port: wire.port, method, path: url, headers };
      http.get(path, (from) => from.pipe(answer.writeHead(from.statusCode ?? 500, from.headers)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const without = accessAt((server.address() as AddressInfo).port);
    assert.equal(asked.join(), '');
    const polled = follow({ types: ['transactions'], addresses: [bob] }, 'sse', without);
    await until(
      () => polled.some((one) => one.kind === 'polling' && one.isForGood),
      'the word that there is none',
    );
    await pay(bob);
    await until(() => hashes(polled).length === 1, 'the payment, polled');
    await until(() => hashes(told).length === 1, 'the payment, streamed');
    server.close();
  });

  it('follows a message to its end with a few requests, and a refused subscription ends with its words', async () => {
    const normalized = await sendFromAlice(s, bob);
    const stop = new AbortController();
    const seen: string[] = [];
    const run = async (): Promise<void> => {
      for await (const told of followUntilDone({ access, hashes: [normalized], signal: stop.signal })) {
        seen.push(told.type === 'ended' ? 'ended' : told.event.type);
      }
    };
    const running = run();
    await until(() => seen.includes('trace'), 'the pending trace');
    // Polling asked five times a second; now nothing is asked until something happens.
    await until(
      () => asked.filter((path) => path === '/api/v3/pendingTraces').length > 1,
      'the look after connecting',
    );
    asked.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(asked.join(), '');
    await s.chain.mine();
    await s.chain.mine();
    await running;
    assert.equal(seen.at(-1), 'ended');
    assert.ok(asked.filter((path) => path.startsWith('/api/v3/')).length <= 8, asked.join());
    const refused = follow({ types: ['transactions'], addresses: [] }, 'ws');
    const last = await until(() => refused.find(({ kind }) => kind === 'gap'), 'the refusal');
    assert.ok(last.kind === 'gap' && WorkbenchError.is(last.error, 'bad-request'));
  });

  it('follows a message to its end although the stream is cut in mid-run', async () => {
    const normalized = await sendFromAlice(s, bob);
    const seen: string[] = [];
    const run = async (): Promise<void> => {
      for await (const told of followUntilDone({
        ...{ access, hashes: [normalized] },
        signal: new AbortController().signal,
      })) {
        const isWhole = told.type === 'ended' && told.error === undefined && told.last?.isFinal === true;
        seen.push(told.type === 'ended' ? `ended ${isWhole}` : told.event.type);
      }
    };
    asked.length = 0;
    const running = run();
    await until(() => asked.includes('/api/streaming/v2/sse') && seen.includes('trace'), 'the pending trace');
    wire.cut();
    await s.chain.mine();
    await s.chain.mine();
    await running;
    assert.equal(seen.at(-1), 'ended true');
  });

  it('puts frames together however they are cut, within a limit, and knows where networks stream', () => {
    const context = { endpoint: streamEndpoint, origin: 'http://x', hasKey: false, changesChain: false };
    const text = ': keepalive\r\n\r\nevent: event\ndata: {"a":\ndata: 1}\n\ndata:{}\r\rid: 7\ndata\n\n';
    for (const size of [1, 2, 3, 7, text.length]) {
      const reader = new FrameReader(context);
      const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, at * size + size),
      );
      assert.deepEqual(
        parts.flatMap((part) => reader.push(part)),
        ['{"a":\n1}', '{}', ''],
        `by ${size}`,
      );
    }
    const reader = new FrameReader(context);
    assert.throws(
      () => reader.push('data: '.padEnd(limits.streamFrame.most + 1, 'x')),
      (error) => WorkbenchError.is(error, 'too-large'),
    );
    assert.equal(streamingBase({ v2: 'https://h/x/api/v2', v3: undefined }), 'https://h/x/api/streaming/v2');
    assert.equal(
      streamingBase({ v2: undefined, v3: 'https://tonapi.io/v3' }),
      'https://tonapi.io/streaming/v2',
    );
    assert.equal(streamingBase({ v2: 'https://h/rpc', v3: undefined }), undefined);
  });
});

/** Passes bytes on to a port until it is cut; new connections work again. */
async function openWire(to: number): Promise<Wire> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const onward = net.connect(to, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  const freeze = (): void =>
    sockets.forEach((socket) => {
      socket.unpipe();
      socket.pause();
    });
  const close = (): void => {
    cut();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, cut, freeze, close };
}
