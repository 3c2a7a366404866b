import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOf } from './support/testChain';

interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

describe("the local network's HTTP service", () => {
  let s: Scenario;
  let port: number;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  before(async () => {
    s = await scenario();
    await s.server.listen({ host: '127.0.0.1', port: 0 });
    port = (s.server.server.address() as AddressInfo).port;
  });
  after(async () => {
    agent.destroy();
    await s.server.close();
  });

  const ask = (path: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
    new Promise<HttpAnswer>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, agent, ...options }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const body: unknown = text === '' ? undefined : JSON.parse(text);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      });
      sent.on('error', reject);
      sent.end();
    });
  const repeated = (count: number): string =>
    Array(count)
      .fill(`address=${addressOf('alice')}`)
      .join('&');

  it('reads as many addresses in a URL as the service allows, and refuses more in its words', async () => {
    for (const [path, most, text] of [
      ['/api/v3/accountStates', 1000, 'maximum 1000 addresses allowed'],
      ['/api/v3/walletStates', 1000, 'maximum 1000 addresses allowed'],
      ['/api/v3/addressBook', 1024, 'maximum 1024 addresses allowed'],
    ] as const) {
      assert.equal((await ask(`${path}?${repeated(most)}`)).status, 200, path);
      const { status, body } = await ask(`${path}?${repeated(most + 1)}`);
      assert.deepEqual([status, body], [422, { error: text, code: 422 }], path);
    }
  });

  it('answers a URL above 1 MiB, and the next request of the same client', async () => {
    const { status, headers, body } = await ask(`/api/v3/accountStates?${repeated(16_000)}`);
    assert.deepEqual(
      [status, headers['connection'], body],
      [
        431,
        'close',
        { ok: false, error: 'the URL and the headers are larger than 1048576 bytes', code: 431 },
      ],
    );
    assert.equal((await ask('/api/v3/masterchainInfo')).status, 200);
  });

  it('answers anything that is not HTTP, and ends the connection', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.on('end', () => resolve(received)).on('error', reject);
    });
    assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(text, /"error":"this is not an HTTP request"/);
  });

  it('lets web pages use both APIs, but not the control API', async () => {
    const page = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
    for (const path of ['/api/v2/runGetMethod', '/api/v3/message']) {
      const { status, headers } = await ask(path, { method: 'OPTIONS', headers: page });
      assert.deepEqual([status, headers['access-control-allow-origin']], [204, '*'], path);
    }
    for (const path of ['/control/status', '/control/faucet', '/control/nothing', '/control/']) {
      for (const headers of [page, {}]) {
        const answer = await ask(path, { method: 'OPTIONS', headers });
        assert.equal(answer.status, 'origin' in headers ? 403 : 405, path);
        assert.deepEqual(
          Object.keys(answer.headers).filter((name) => name.startsWith('access-control')),
          [],
        );
      }
    }
  });

  it('refuses unknown control commands in their own format', async () => {
    const cases: [path: string, method: string, body: string | undefined, status: number, code: string][] = [
      ['/control/nothing', 'GET', undefined, 404, 'not-found'],
      ['/control/constructor', 'POST', '{}', 404, 'not-found'],
      ['/control', 'GET', undefined, 404, 'not-found'],
      ['/control/faucet', 'GET', undefined, 405, 'method-not-allowed'],
      ['/control/status?wait=0', 'POST', '{}', 405, 'method-not-allowed'],
      ['/control/mine', 'DELETE', undefined, 405, 'method-not-allowed'],
      ['/control/faucet', 'POST', '{"adress":"alice","amount":"1"}', 422, 'refused'],
      ['/control/status?wiat=1', 'GET', undefined, 422, 'refused'],
    ];
    for (const [path, method, body, status, code] of cases) {
      const answer = await s.server.inject({
        method: method as 'GET',
        url: path,
        ...(body === undefined ? {} : { payload: body }),
      });
      const told = JSON.parse(answer.body) as { code: string; error: string };
      assert.deepEqual([answer.statusCode, told.code, typeof told.error], [status, code, 'string'], path);
      const allowed = path.startsWith('/control/status') ? 'GET' : 'POST';
      assert.equal(answer.headers['allow'], status === 405 ? allowed : undefined, path);
    }
  });

  it('reports its versions on both APIs', async () => {
    const versions = await Promise.all(
      ['/api/v2/getMasterchainInfo', '/api/v3/masterchainInfo'].map(
        async (path) => (await ask(path)).headers['x-api-version'],
      ),
    );
    assert.deepEqual(versions, ['2.1.13', '1.2.10']);
  });
});
