import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommandLine, lastError } from '../support/commandLine';
import { startLocalnetCommand } from '../support/localnetCommand';
import { goodAnswer, startFaultServer } from '../support/faultServer';
import type { FaultServer } from '../support/faultServer';

const address = `0:${'ab'.repeat(32)}`;

describe('the api command', () => {
  let server: FaultServer;

  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());
  beforeEach(() => {
    server.seen.length = 0;
  });

  const api = (fault: string, args: string[], environment: NodeJS.ProcessEnv = {}) =>
    runCommandLine(['api', ...args, '--network', `${server.origin}/${fault}/api/v2`, '--json'], environment);

  it('lists the tables', async () => {
    const { status, stdout } = await runCommandLine(['api', '--list', '--json']);
    assert.equal(status, 0);
    const { endpoints } = JSON.parse(stdout) as { endpoints: Record<string, unknown>[] };
    assert.deepEqual(
      endpoints.find(({ layer, path: at }) => layer === 'v3' && at === '/addressInformation'),
      {
        layer: 'v3',
        method: 'GET',
        path: '/addressInformation',
        parameters: [
          { name: 'address', required: true, repeated: false, in: 'query' },
          { name: 'use_v2', required: false, repeated: false, in: 'query' },
        ],
      },
    );
  });

  it("prints the service's answer on one line", async () => {
    const { status, stdout } = await api('good', ['v2', 'getAddressState', `address=${address}`]);
    assert.equal(status, 0);
    assert.equal(stdout, `${JSON.stringify(goodAnswer)}\n`);
    const asked = server.seen.map(({ url }) => url).filter((url) => !url.startsWith('/control/'));
    assert.match(asked[0] ?? '', /\/getAddressState\?address=EQ[\w-]{46}$/);
  });

  it('sends the key in the file as a header, and the one in the variable to no service on this machine', async () => {
    await api('good', ['v2', 'getAddressState', `address=${address}`], { TON_API_KEY: 'KEY-3' });
    const file = path.join(tmpdir(), `key-${process.pid}.txt`);
    await writeFile(file, 'KEY-4\n');
    await api('good', ['v2', 'getAddressState', `address=${address}`, '--api-key-file', file]);
    assert.deepEqual(
      server.seen
        .filter(({ url }) => url.includes('/getAddressState'))
        .map(({ headers }) => headers['x-api-key']),
      [undefined, 'KEY-4'],
    );
  });

  it('prints an answer of the wrong shape, reports that, and exits with status 4', async () => {
    const run = await api('wrong-type', ['v2', 'getAddressState', `address=${address}`]);
    assert.equal(run.status, 4);
    assert.deepEqual(JSON.parse(run.stdout), { ok: true, result: 7 });
    assert.equal(lastError(run).code, 'wrong-shape');
  });

  const endings: [string, string[], string, number][] = [
    ['reset-in-body', ['v2', 'getAddressState', `address=${address}`], 'connection-lost', 3],
    ['422', ['v2', 'getAddressState', `address=${address}`], 'bad-request', 4],
    ['cut-json', ['v2', 'getAddressState', `address=${address}`], 'cut-json', 4],
    ['good', ['v2', 'getAddressState', 'address=EQ'], 'account-unknown', 2],
    ['good', ['v2', 'getAddressState'], 'parameter-invalid', 2],
    ['good', ['v2', 'getAddressState', `addres=${address}`], 'parameter-invalid', 2],
    ['good', ['v2', 'getAddressState', address], 'argument-invalid', 2],
    ['good', ['v2', 'getAddressState', `address=${address}`, `address=${address}`], 'argument-invalid', 2],
    ['good', ['v2', 'getNothing'], 'endpoint-unknown', 2],
    ['good', ['v4', 'getAddressState'], 'layer-unknown', 2],
    ['good', [], 'layer-unknown', 2],
    ['good', ['v2', 'sendBoc', 'boc=te6cckEBAQEAAgAAAEysuc0=', '--method', 'GET'], 'method-not-taken', 2],
  ];
  for (const [fault, args, code, status] of endings) {
    it(`${fault}: ${args.join(' ').slice(0, 60)} ends with ${code}, status ${status}`, async () => {
      const run = await api(fault, args);
      assert.deepEqual([lastError(run).code, run.status], [code, status], run.stderr);
      assert.equal(run.stdout, '');
    });
  }

  it('uses the proxy named in the environment, but connects to this machine directly', async () => {
    const proxied: string[] = [];
    const proxy = createServer((request, response) => {
      proxied.push(request.url ?? '');
      response.setHeader('content-type', 'application/json').end(JSON.stringify(goodAnswer));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const environment = {
      HTTP_PROXY: `http://127.0.0.1:${port}`,
      http_proxy: '',
      NO_PROXY: '',
      no_proxy: '',
    };
    const away = await runCommandLine(
      ['api', 'v2', 'getAddressState', `address=${address}`, '--network', 'http://service.invalid', '--json'],
      environment,
    );
    assert.deepEqual(JSON.parse(away.stdout), goodAnswer, away.stderr);
    assert.match(proxied[0] ?? '', /^http:\/\/service\.invalid\/api\/v2\/getAddressState/);
    await api('good', ['v2', 'getAddressState', `address=${address}`], environment);
    assert.equal(proxied.length, 1);
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('reads the local network, v2 and v3', async () => {
    const localnet = await startLocalnetCommand();
    try {
      const { v3 } = localnet.ready;
      for (const [layer, endpoint] of [
        ['v2', 'getMasterchainInfo'],
        ['v3', 'masterchainInfo'],
      ] as const) {
        const run = await runCommandLine(['api', layer, endpoint, '--network', v3, '--json']);
        assert.equal(run.status, 0, run.stderr);
      }
    } finally {
      await localnet.stop();
    }
  });
});
