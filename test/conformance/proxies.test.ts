import assert from 'node:assert/strict';
import { root } from '../../scripts/lib/root.mjs';
import { lastError, runProcess } from '../support/commandLine';
import { serviceCertificate, startProxiedService } from '../support/proxiedService';
import type { ProxiedService } from '../support/proxiedService';

const address = `0:${'ab'.repeat(32)}`;

describe('the command line through an HTTP proxy', () => {
  let service: ProxiedService;
  beforeEach(async () => {
    service = await startProxiedService(root, (path) => ({
      body: path.includes('/v2/')
        ? { ok: true, result: 'active' }
        : { gas_used: 1, exit_code: 0, stack: [{ type: 'num', value: '0x2a' }] },
    }));
  });
  afterEach(() => service.close());

  const environment = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
    ...Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
        [name, ''],
        [name.toLowerCase(), ''],
      ]),
    ),
    // Only a process that starts reads it.
    NODE_EXTRA_CA_CERTS: serviceCertificate(root),
    ...more,
  });
  const read = (base: string, more: NodeJS.ProcessEnv): ReturnType<typeof runProcess> =>
    runProcess(
      ['api', 'v2', 'getAddressState', `address=${address}`, '--json', '--network', base],
      environment(more),
    );

  it('reaches an https service through a tunnel, with a user name and a password', async () => {
    const done = await read(service.https, { HTTPS_PROXY: service.proxy, TON_API_KEY: 'key-of-the-service' });
    assert.equal(done.status, 0, done.stderr);
    assert.deepEqual(JSON.parse(done.stdout), { ok: true, result: 'active' });
    assert.deepEqual(service.asked, [`CONNECT ${new URL(service.https).host}`]);
    assert.equal(service.served.length, 1);
    // What is for the proxy stays with the proxy, and what is for the service goes through the tunnel.
    assert.equal(service.served[0]?.headers['proxy-authorization'], undefined);
    assert.equal(service.served[0]?.headers['x-api-key'], 'key-of-the-service');
  });

  it('posts through the tunnel', async () => {
    const done = await runProcess(
      ['run', address, 'seqno', '--json', '--network', `${service.https}/api/v3`],
      environment({ ALL_PROXY: service.proxy }),
    );
    assert.equal(done.status, 0, done.stderr);
    assert.match(service.served[0]?.body ?? '', /seqno/);
  });

  it('reaches an http service through the proxy, without a tunnel', async () => {
    const done = await read(service.http, { HTTP_PROXY: service.proxy });
    assert.equal(done.status, 0, done.stderr);
    assert.match(service.asked.join(), /^GET http:\/\/service\.test:\d+\/api\/v2\/getAddressState/);
  });

  it('sends a user name without a password', async () => {
    const proxy = service.proxy.replace(/me:.*@/, 'token@');
    for (const base of [service.https, service.http]) {
      const done = await read(base, { HTTPS_PROXY: proxy, HTTP_PROXY: proxy });
      assert.equal(done.status, 0, done.stderr);
    }
    // Each proxy gets its own user name.
    const both = await read(service.https, { HTTPS_PROXY: proxy, HTTP_PROXY: 'http://other@127.0.0.1:9' });
    assert.equal(both.status, 0, both.stderr);
  });

  it('says that the proxy requires a user name, and does not repeat a wrong password', async () => {
    for (const user of ['', 'me:wrong%20secret@']) {
      const proxy = service.proxy.replace(/me:.*@/, user);
      const done = await read(service.https, { HTTPS_PROXY: proxy });
      assert.deepEqual([done.status, lastError(done).code], [3, 'unreachable']);
      assert.match(lastError(done).message, /the proxy requires a user name and password/);
      assert.doesNotMatch(done.stderr, /secret/);
      const plain = await read(service.http, { HTTP_PROXY: proxy });
      assert.match(lastError(plain).message, /proxy/);
      assert.notEqual(plain.status, 0);
    }
    assert.deepEqual(service.served, []);
  });

  it('says so if the proxy cannot reach the service, or is not there', async () => {
    const done = await read('https://service.test:9', { HTTPS_PROXY: service.proxy });
    assert.deepEqual([done.status, lastError(done).code], [3, 'unreachable']);
    const gone = await read(service.https, { HTTPS_PROXY: 'http://127.0.0.1:9' });
    assert.deepEqual([gone.status, lastError(gone).code], [3, 'unreachable']);
  });

  it('bypasses the proxy for hosts in NO_PROXY, and always for this machine', async () => {
    for (const none of ['service.test', '.test', `service.test:${new URL(service.https).port}`, '*']) {
      const done = await read(service.https, { HTTPS_PROXY: service.proxy, NO_PROXY: none });
      // Nobody knows the name but the proxy.
      assert.deepEqual([done.status, lastError(done).code], [3, 'unreachable']);
    }
    const local = service.http.replace('service.test', '127.0.0.1');
    const near = await read(local, { HTTP_PROXY: service.proxy, ALL_PROXY: service.proxy });
    assert.equal(near.status, 0, near.stderr);
    assert.deepEqual(service.asked, []);
  });
});
