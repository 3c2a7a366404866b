import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createUndiciTransport } from '../../../src/toolkit/access/createUndiciTransport';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

describe('the undici transport', () => {
  let server: Server;
  let url: string;
  let sockets: number;

  beforeEach(async () => {
    sockets = 0;
    server = createServer((request, response) => response.end(`${request.method} ${request.url}`));
    server.on('connection', () => sockets++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?y=1`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('leaves the process-wide fetch dispatcher alone', () => {
    const dispatchers = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
    const before = dispatchers.map((symbol) => (globalThis as Record<symbol, unknown>)[symbol]);
    createUndiciTransport();
    assert.deepEqual(
      dispatchers.map((symbol) => (globalThis as Record<symbol, unknown>)[symbol]),
      before,
    );
  });

  it('keeps the socket for the next request, and closes it on request', async () => {
    const { transport, ...held } = createUndiciTransport();
    const request = {
      method: 'GET',
      url,
      headers: {},
      signal: new AbortController().signal,
      maximumBytes: 100,
    } as const;
    for (let index = 0; index < 3; index++) {
      assert.equal((await transport(request)).body.toString(), 'GET /x?y=1');
    }
    assert.equal(sockets, 1);
    await held.close();
    await assert.rejects(transport(request));
  });

  it('sends a path without its `..`, as other clients do', async () => {
    const { transport, ...held } = createUndiciTransport();
    const answer = await transport({
      method: 'POST',
      url: url.replace('/x?', '/api/v2/../streaming/v2/sse?'),
      headers: {},
      signal: new AbortController().signal,
      maximumBytes: 100,
    });
    assert.equal(answer.body.toString(), 'POST /api/streaming/v2/sse?y=1');
    await held.close();
  });

  it('refuses a proxy that is not a URL, without repeating it', () => {
    assert.throws(
      () => createUndiciTransport({ http: 'user:secret@proxy' }),
      (error) => WorkbenchError.is(error, 'proxy-invalid') && !error.message.includes('secret'),
    );
  });
});
