import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { signBody } from '../../../src/toolkit/webhook/delivery/signature';
import { SteppedClock } from '../../support/steppedClock';
import { until } from '../../support/until';
import { refusedEarly, startListener, stopListeners } from './support/listener';
import type { TestListener } from './support/listener';
import { bytes, payload, secret, signed } from './support/sample';

const body = bytes(payload());

function head(listener: TestListener, more: string[] = [], signature = signed(body)): string {
  return [
    'POST /webhook HTTP/1.1',
    `Host: 127.0.0.1:${listener.port}`,
    signature.join(': '),
    ...more,
    '',
    '',
  ].join('\r\n');
}

const statuses = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

/** As short as a busy machine allows: Node's server keeps them by its own timers. */
const timeouts = { head: 160, body: 200 };

describe('webhook listener under attack', () => {
  const sockets: Socket[] = [];
  afterEach(async () => {
    sockets.splice(0).forEach((socket) => socket.destroy());
    await stopListeners();
  });

  it('closes connections that send no header or a slow one', async () => {
    const listener = await startListener({}, { timeouts });
    const started = performance.now();
    const [silent, slow] = await Promise.all([
      listener.raw(''),
      listener.raw('POST /webhook HTTP/1.1\r\nHost: 127'),
    ]);
    assert.ok(performance.now() - started < 2_500, 'both were closed by the listener');
    assert.deepEqual([statuses(silent), statuses(slow)], [[408], [408]]);
    assert.equal(listener.told.length, 0);
  });

  it('answers a slow body with 408 in time, and reports it', async () => {
    const clock = new SteppedClock();
    const listener = await startListener({}, { timeouts, clock });
    const answer = await refusedEarly(
      listener,
      clock,
      head(listener, [`Content-Length: ${body.length}`]) + body.toString().slice(0, 20),
    );
    assert.deepEqual(statuses(answer), [408]);
    assert.equal(listener.told[0]?.status, 408);
    assert.equal(listener.told[0]?.verdict, 'malformed');
    assert.equal(listener.told[0]?.bodyBytes, 20);
  });

  it('has the required limits', async () => {
    const listener = await startListener();
    const serving = listener.nextRequest();
    await listener.deliver(payload());
    const server = (await serving) as Server & { connectionsCheckingInterval: number };
    assert.equal(server.headersTimeout, 5_000, 'for a head, and for an idle connection');
    assert.equal(server.requestTimeout, 10_000, 'for a body');
    assert.equal(server.keepAliveTimeout, 5_000);
    assert.ok(server.connectionsCheckingInterval <= 500, 'how late it may notice');
  });

  it('stays available with 500 idle connections', async () => {
    const listener = await startListener();
    for (let n = 0; n < 500; n++) {
      const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      if (n % 2 === 0) {
        socket.write('POST /webhook HTTP/1.1\r\nX: ');
      }
    }
    // They are accepted in their order, before what follows.
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const started = performance.now();
    for (let n = 0; n < 20; n++) {
      assert.equal((await listener.deliver(payload({ reference: `r${n}` }))).status, 200);
    }
    assert.ok(performance.now() - started < 2_000);
  });

  it('serves a delivery despite 1,100 idle connections: the oldest idle one is closed', async () => {
    const listener = await startListener();
    let closed = 0;
    const answering = connect(listener.port, '127.0.0.1').on('error', () => undefined);
    sockets.push(answering);
    // The oldest of all, but with a request on its way.
    answering.write(head(listener, [`Content-Length: ${body.length}`]) + body.toString().slice(0, 20));
    for (let n = 0; n < 11; n++) {
      const batch = Array.from({ length: 100 }, () => connect(listener.port, '127.0.0.1'));
      sockets.push(...batch);
      await Promise.all(
        batch.map((socket) => {
          socket.on('error', () => undefined).on('close', () => (closed += 1));
          socket.resume();
          return once(socket, 'connect');
        }),
      );
      // They are accepted in their order: what is answered shows that none waits in the system's queue.
      await listener.raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    }
    for (let n = 0; n < 5; n++) {
      assert.equal((await listener.deliver(payload({ reference: `r${n}` }))).status, 200);
    }
    await until(() => closed >= 77, 'the oldest connections are closed');
    assert.ok(closed >= 77 && closed < 200, `${closed} were closed`);
    const answer = new Promise<string>((resolve) => answering.once('data', (data) => resolve(String(data))));
    answering.write(body.toString().slice(20));
    assert.deepEqual(statuses(await answer), [200]);
  });

  it('refuses a body in too many pieces, and holds no more than its bytes', async () => {
    const listener = await startListener();
    const chunked = (pieces: number, size: number): string =>
      `${head(listener, ['Connection: close', 'Transfer-Encoding: chunked'])}${`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(pieces)}0\r\n\r\n`;
    assert.deepEqual(statuses(await listener.raw(chunked(16_384, 1))), [401], 'as many as allowed');
    assert.equal(listener.told.at(-1)?.bodyBytes, 16_384);
    assert.deepEqual(statuses(await listener.raw(chunked(16_385, 1))), [413]);
    assert.match(listener.told.at(-1)?.reason ?? '', /too many pieces/);
    const extended = `${head(listener, ['Connection: close', 'Transfer-Encoding: chunked'])}${`1;${'e'.repeat(8_000)}\r\nx\r\n`.repeat(80)}0\r\n\r\n`;
    assert.deepEqual(statuses(await listener.raw(extended)), [413]);
    assert.match(listener.told.at(-1)?.reason ?? '', /too much framing/);
    const genuine = body.toString().replace(/[^]/g, (character) => `1\r\n${character}\r\n`);
    const tiny = `${head(listener, ['Connection: close', 'Transfer-Encoding: chunked'])}${genuine}0\r\n\r\n`;
    assert.deepEqual(statuses(await listener.raw(tiny)), [200], 'whatever its pieces');
  });

  it('answers 503 when bodies fill their memory, and continues with small ones at once', async () => {
    const listener = await startListener();
    const large = 'x'.repeat(1024 * 1024 - 1);
    // Held open: all but the last byte has come.
    const held = Array.from({ length: 60 }, () => {
      const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      socket.write(head(listener, [`Content-Length: ${large.length + 1}`]) + large);
      return new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    });
    const refused = await Promise.race(held);
    assert.deepEqual(statuses(refused), [503]);
    assert.match(refused, /Retry-After: 1/);
    assert.match(listener.told[0]?.reason ?? '', /the memory for bodies is full/);
    assert.equal((await listener.deliver(payload())).status, 200, 'a small one is taken');
    assert.ok(listener.told.filter(({ status }) => status === 503).length <= 14);
    sockets.splice(0).forEach((socket) => socket.destroy());
    await until(() => listener.told.length > held.length, 'all that was held is given up');
    const again = await listener.deliver(payload({ commentToSender: 'x'.repeat(900_000) }));
    assert.equal(again.status, 200, 'what was held is free again');
  });

  it('answers pipelined requests in order', async () => {
    const listener = await startListener();
    const one = head(listener, [`Content-Length: ${body.length}`]) + body.toString();
    const get = `GET /webhook HTTP/1.1\r\nHost: 127.0.0.1:${listener.port}\r\n\r\n`;
    const last = head(listener, [`Content-Length: ${body.length}`, 'Connection: close']) + body.toString();
    const answer = await listener.raw(one + one + get + last);
    assert.deepEqual(statuses(answer), [200, 200, 405, 200]);
    assert.deepEqual(listener.told.map(({ verdict }) => verdict).sort(), [
      'accepted',
      'malformed',
      'repeat',
      'repeat',
    ]);
  });

  it('answers what came before a malformed request, then closes the connection', async () => {
    const listener = await startListener();
    const one = head(listener, [`Content-Length: ${body.length}`]) + body.toString();
    const answer = await listener.raw(`${one}BROKEN\r\n\r\n`);
    assert.deepEqual(statuses(answer)[0], 200);
    assert.equal(listener.told.length, 1);
  });

  it('refuses malformed HTTP and continues', async () => {
    const listener = await startListener();
    const length = `Content-Length: ${body.length}`;
    const requests = [
      'BROKEN\r\n\r\n',
      '\u0000\u0001\u0002\r\n\r\n',
      'POST /webhook\r\n\r\n',
      'POST /webhook HTTP/9.9\r\nHost: x\r\n\r\n',
      `POST /webhook HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n`,
      head(listener, [length, 'Content-Length: 3']) + body.toString(),
      head(listener, [length, 'Transfer-Encoding: chunked']) + body.toString(),
      head(listener, ['Content-Length: -1']),
      head(listener, ['Content-Length: 0x10']),
      head(listener, ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']) + body.toString(),
      head(listener, [`X: ${'y'.repeat(20_000)}`]),
      head(listener, [length]).replaceAll('\r\n', '\n') + body.toString(),
    ];
    for (const request of requests) {
      const answer = await listener.raw(request);
      assert.ok(
        statuses(answer).every((status) => status >= 400),
        `${JSON.stringify(request.slice(0, 80))}: ${answer}`,
      );
    }
    assert.ok(listener.told.every(({ verdict }) => verdict === 'malformed'));
    assert.equal((await listener.deliver(payload())).status, 200);
  });

  it('reads chunked bodies as bytes, and refuses broken and oversized ones', async () => {
    const clock = new SteppedClock();
    const listener = await startListener({}, { clock });
    const chunked = ['Transfer-Encoding: chunked', 'Connection: close'];
    const chunk = (data: Buffer): string => `${data.length.toString(16)}\r\n${data.toString('latin1')}\r\n`;
    const text = head(listener, chunked);
    const parts = [body.subarray(0, 7), body.subarray(7, 100), body.subarray(100)].map(chunk).join('');
    assert.deepEqual(statuses(await listener.raw(Buffer.from(`${text}${parts}0\r\n\r\n`, 'latin1'))), [200]);
    const broken = await refusedEarly(listener, clock, `${text}zz\r\nabc\r\n0\r\n\r\n`);
    assert.deepEqual(statuses(broken), [400]);
    assert.equal(listener.told.at(-1)?.verdict, 'malformed');
    const big = chunk(Buffer.alloc(700 * 1024, 0x20));
    const answer = await refusedEarly(listener, clock, `${text}${big}${big}0\r\n\r\n`);
    assert.deepEqual(statuses(answer), [413]);
    assert.equal(listener.told.at(-1)?.verdict, 'too-large');
  });

  it('answers before the body if the headers already decide, and answers Expect: 100-continue', async () => {
    const clock = new SteppedClock();
    const listener = await startListener({}, { clock });
    const length = `Content-Length: ${body.length}`;
    const waiting = await refusedEarly(
      listener,
      clock,
      head(listener, ['Content-Length: 99999999', 'Expect: 100-continue']),
    );
    assert.deepEqual(statuses(waiting), [413], 'no 100 for what will not be read');
    const going = await listener.raw(
      head(listener, [length, 'Connection: close', 'Expect: 100-continue']) + body.toString(),
    );
    assert.deepEqual(statuses(going), [100, 200]);
    const odd = await listener.raw(
      head(listener, [length, 'Connection: close', 'Expect: the-unexpected']) + body.toString(),
    );
    assert.equal(statuses(odd).at(-1), 200);
  });

  it('reports a sender that disconnected in the middle of the body', async () => {
    const listener = await startListener();
    const start = `${head(listener, ['Content-Length: 1000'])}{"event"`;
    const begin = async (): Promise<Socket> => {
      const taken = listener.nextRequest();
      const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined);
      socket.write(start);
      await taken;
      return socket;
    };
    (await begin()).destroy();
    const ended = await listener.untilTold(() => true);
    assert.deepEqual([ended.status, ended.verdict], [400, 'malformed']);
    assert.match(ended.reason ?? '', /interrupted/);
    (await begin()).resetAndDestroy();
    const reset = await listener.untilTold(({ id }) => id !== ended.id);
    assert.deepEqual([reset.status, reset.verdict], [0, 'malformed']);
  });

  it('refuses signature headers that appear twice or disagree', async () => {
    const listener = await startListener();
    const good = signed(body);
    const forged: [string, string] = ['X-Pay-Signature', `sha256=${'0'.repeat(64)}`];
    for (const headers of [
      [good, forged],
      [forged, good],
      [good, good],
      [good, ['x-tonpay-signature', forged[1]] as const],
      [good, ['X-PAY-SIGNATURE', good[1]] as const],
    ]) {
      assert.equal((await listener.post(body, headers)).status, 401);
      assert.equal(listener.told.at(-1)?.verdict, 'bad-signature');
    }
  });

  it('hashes bytes, not text: invalid UTF-8 has a signature and still is not JSON', async () => {
    const listener = await startListener();
    const odd = Buffer.concat([body.subarray(0, body.length - 2), Buffer.from([0xff, 0x7d, 0x7d])]);
    assert.equal((await listener.post(odd, [['X-Pay-Signature', signBody(odd, secret)]])).status, 400);
    const replaced = Buffer.from(odd.toString('utf8'), 'utf8');
    assert.equal((await listener.post(odd, [['X-Pay-Signature', signBody(replaced, secret)]])).status, 401);
  });
});
