import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { limits } from '../../../src/toolkit/base/limits';
import { startTestWallet } from '../../../src/toolkit/tonConnect/startTestWallet';
import type { RunningTestWallet } from '../../../src/toolkit/tonConnect/startTestWallet';
import { until } from '../../support/until';
import { testChain } from '../localnet/support/testChain';
import { FakeDApp } from './support/fakeDApp';
import { fakeNetwork } from './support/fakeNetwork';

describe("the test wallet's server", () => {
  let running: RunningTestWallet;
  const dApp = new FakeDApp();

  before(async () => {
    const network = fakeNetwork(await testChain());
    running = await startTestWallet({ network, account: 'bob', approval: 'all', port: 0, version: '1.2.3' });
  });
  after(() => running.close());

  const origin = (): string => new URL(running.bridge).origin;
  const statusFor = (...hosts: string[]): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = hosts.flatMap((host) => ['Host', host]);
      httpRequest(`${origin()}/wallets.json`, { headers, setHost: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once('error', reject)
        .end();
    });
  const post = async (path: string, body: string): Promise<number> =>
    (await fetch(origin() + path, { method: 'POST', body })).status;

  it('answers under names of this machine only', async () => {
    for (const host of ['127.0.0.1', `localhost:${running.port}`, '[::1]', 'shop.localhost:80']) {
      assert.equal(await statusFor(host), 200, host);
    }
    for (const host of [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '192.168.0.1',
      'a b',
    ]) {
      assert.equal(await statusFor(host), 421, host);
    }
    assert.equal(await statusFor('127.0.0.1', 'evil.example'), 400);
    assert.equal(await statusFor('127.0.0.1', '127.0.0.1'), 400);
  });

  it('tells pages of every origin about itself', async () => {
    const answer = await fetch(running.walletsList, { headers: { origin: 'https://shop.example' } });
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    const [entry] = (await answer.json()) as { app_name: string; bridge: { type: string; url?: string }[] }[];
    assert.equal(entry?.app_name, 'ton-workbench');
    assert.equal(entry?.bridge[0]?.url, running.bridge);
    const preflight = await fetch(`${running.bridge}/message`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    assert.ok(preflight.ok);
    for (const path of ['/icon.svg', '/inject.js', '/']) {
      assert.equal((await fetch(origin() + path)).status, 200, path);
    }
  });

  it('says which method a path takes', async () => {
    for (const [path, method, allow] of [
      ['/bridge/message', 'GET', 'POST'],
      ['/wallets.json', 'POST', 'GET'],
    ] as const) {
      const answer = await fetch(origin() + path, { method });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], path);
      assert.match(await answer.text(), new RegExp(`Use ${allow} here, not ${method}`));
    }
    assert.equal((await fetch(`${origin()}/elsewhere`)).status, 404);
  });

  it('streams events with their ids, and what came after an id', async () => {
    const { bridge } = running.wallet;
    const first = bridge.make({ to: dApp.app, from: 'f'.repeat(64), message: 'one' });
    const second = bridge.make({ to: dApp.app, from: 'f'.repeat(64), message: 'two' });
    bridge.publish(first);
    bridge.publish(second);
    const read = async (query: string, headers: Record<string, string>, count: number): Promise<string[]> => {
      const ends = new AbortController();
      const answer = await fetch(`${running.bridge}/events?client_id=${dApp.app}${query}`, {
        headers,
        signal: ends.signal,
      });
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('content-type'), 'text/event-stream');
      const ids: string[] = [];
      let text = '';
      for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(part).toString();
        ids.splice(0, ids.length, ...[...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id ?? ''));
        if (ids.length >= count) {
          break;
        }
      }
      ends.abort();
      return ids;
    };
    assert.deepEqual(await read('', {}, 2), [`${first.id}`, `${second.id}`]);
    assert.deepEqual(await read(`&last_event_id=${first.id}`, {}, 1), [`${second.id}`]);
    // A browser's own reconnection: the old address, and a newer id in the header.
    const header = { 'last-event-id': `${first.id}` };
    assert.deepEqual(await read('&last_event_id=1', header, 1), [`${second.id}`]);
  });

  it('refuses what does not belong here', async () => {
    const client = 'a'.repeat(64);
    const query = `/bridge/message?client_id=${client}&to=${client}`;
    assert.equal(await post(`${query}&ttl=300`, 'AA'), 404);
    assert.equal(await post(`${query}&ttl=301`, 'AA'), 400);
    assert.equal(await post(`${query}&ttl=x`, 'AA'), 400);
    assert.equal(await post('/bridge/message?client_id=1&to=2', 'AA'), 400);
    assert.equal(await post(query, 'A'.repeat(limits.walletMessage.most + 1)), 413);
    assert.equal(await post('/injected/connect', '{'), 400);
    assert.equal(await post('/injected/connect', '{"client":"1"}'), 400);
    assert.equal(await post('/injected/connect', JSON.stringify({ client, request: {} })), 400);
    assert.equal((await fetch(`${running.bridge}/events?client_id=x`)).status, 400);
    assert.equal((await fetch(`${running.universalLink}?v=1`)).status, 400);
    assert.equal((await fetch(`${origin()}/secrets`)).status, 404);
  });

  it('connects a link once, however often it is opened', async () => {
    const r = encodeURIComponent('{"manifestUrl":"https://a.example/m.json","items":[{"name":"ton_addr"}]}');
    const link = `${running.universalLink}?v=2&id=${dApp.app}&r=${r}`;
    const answers = await Promise.all([fetch(link), fetch(link), fetch(link)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(running.wallet.sessions.length, 1);
    assert.equal(running.wallet.sessions[0]?.account, namedAccounts[1]?.name);
  });

  it('acknowledges a message before its answer, however soon that is there', async () => {
    const { wallet, bridge: address } = running;
    const client = 'c'.repeat(64);
    const order: string[] = [];
    const stream = httpRequest(`${address}/events?client_id=${client}`);
    const opened = new Promise<void>((resolve) => {
      stream.once('response', (response) => {
        response.on('data', (part: Buffer) => {
          resolve();
          order.push(...[...part.toString().matchAll(/quick \d/g)].map(([text]) => text));
        });
      });
    });
    stream.end();
    await opened;
    const receive = wallet.receive.bind(wallet);
    wallet.receive = (app, _session, message) => {
      wallet.bridge.publish(wallet.bridge.make({ to: app, from: 'f'.repeat(64), message }));
      return 'taken';
    };
    try {
      for (const number of [1, 2, 3]) {
        httpRequest(`${address}/message?client_id=${client}&to=${client}`, { method: 'POST' }, (response) => {
          order.push(`${response.resume().statusCode}`);
        }).end(`quick ${number}`);
        await until(() => order.length === 2 * number, 'both are there');
      }
    } finally {
      wallet.receive = receive;
      stream.destroy();
    }
    assert.deepEqual(order, ['200', 'quick 1', '200', 'quick 2', '200', 'quick 3']);
  });

  it('says when its port is taken', async () => {
    const network = fakeNetwork(await testChain());
    const again = startTestWallet({ network, approval: 'ask', port: running.port, version: '1' });
    await assert.rejects(again, { code: 'port-in-use' });
  });
});
