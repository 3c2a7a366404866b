import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { StreamWay } from '../../../src/toolkit/access/openStream';
import { openStream } from '../../../src/toolkit/access/openStream';
import { networkAt } from '../../../src/toolkit/access/resolveNetwork';
import type { StreamTransport } from '../../../src/toolkit/access/transport';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { HastyClock } from '../../support/hastyClock';

const key = 'secret-key-0123456789';

/** How a stream ends that a transport or a server spoils. */
async function failureOf(
  { origin = 'http://127.0.0.1:9', transport }: { origin?: string; transport?: StreamTransport },
  way: StreamWay = 'sse',
): Promise<WorkbenchError> {
  const { stream } = createAccess({
    ...{ network: networkAt(origin, origin), clock: new HastyClock(), streamTransport: transport },
    apiKey: () => Promise.resolve(key),
  });
  assert.ok(stream !== undefined);
  const request = { types: ['transactions'], addresses: [] } as const;
  try {
    const { signal } = new AbortController();
    for await (const message of openStream(stream.services, request, { way, signal })) {
      assert.ok(message);
    }
  } catch (error) {
    assert.ok(WorkbenchError.is(error), String(error));
    return error;
  }
  throw new Error('nothing was thrown');
}

/** An answer over server-sent events; the connection breaks after it if an error is given. */
const answers =
  (status: number, text: string, broken?: Error): StreamTransport =>
  () =>
    Promise.resolve({
      status,
      header: (name) =>
        name !== 'content-type' ? undefined : status === 200 ? 'text/event-stream' : 'application/json',
      body: Readable.from(
        (function* () {
          yield Buffer.from(text);
          if (broken !== undefined) {
            throw broken;
          }
        })(),
      ),
    });

describe('one connection of a stream', () => {
  it('never puts the key into an error, however the service repeats it', async () => {
    const escaped = key.replace('e', '\\u0065');
    // A sentence is cut at 200 characters: a part of the key is as secret.
    const long = `${'x'.repeat(190)} ${key}`;
    for (const words of [`unknown key ${key}`, `unknown key ${escaped}`, long]) {
      const refused = [
        await failureOf({ transport: answers(401, `{"error":"${words}"}`) }),
        await failureOf({ transport: answers(200, `data: {"error":"${words}"}\n\n`) }),
      ];
      for (const { message, hint, details } of refused) {
        assert.doesNotMatch(JSON.stringify([message, hint, details]), /secret-/);
      }
      assert.deepEqual(
        refused.map(({ code }) => code),
        ['unauthorized', 'bad-request'],
      );
    }
    const server = http.createServer();
    server.on('upgrade', (_request, socket) => socket.end(`HTTP/1.1 401 no such key ${key}\r\n\r\n`));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, message, details } = await failureOf({ origin }, 'ws');
    server.close();
    assert.equal(code, 'unauthorized');
    assert.doesNotMatch(JSON.stringify([message, details]), /secret-/);
  });

  it('tells a broken connection from a service that cannot be reached', async () => {
    const cut = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
    assert.equal((await failureOf({ transport: answers(200, ': \n\n', cut) })).code, 'connection-lost');
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
    assert.equal((await failureOf({ transport: () => Promise.reject(refused) })).code, 'unreachable');
    const server = http.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    assert.equal((await failureOf({ origin }, 'ws')).code, 'unreachable');
  });
});
