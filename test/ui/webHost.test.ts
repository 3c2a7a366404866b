import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import path from 'node:path';
import { WebSocket } from 'undici/lib/web/websocket/websocket.js';
import type { WebHost } from '../../scripts/webHost.mjs';
import { startWebHost } from '../../scripts/webHost.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { leaseHost } from './support/leaseHost';

type Headers = Record<string, string>;

/** The protocol of the editor's server: a head of 13 bytes (kind, id, acknowledged, length), then the message. */
const control = 2;
const frame = (message: object): Uint8Array => {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(13);
  head.writeUInt8(control, 0);
  head.writeUInt32BE(body.length, 9);
  return Buffer.concat([head, body]);
};

describe('the VS Code in a browser', () => {
  let host: WebHost;
  let port: number;
  let token: string;
  before(async () => {
    host = await startWebHost({ gallery: false });
    port = Number(new URL(host.origin).port);
    token = new URL(host.address({ folder: root })).searchParams.get('tkn') ?? '';
    assert.ok(token.length >= 32, 'the address holds a token that nobody guesses');
  });
  after(() => host.stop());

  const get = (target: string, headers: Headers): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: target, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      sent.once('error', reject).end();
    });

  /** The first words of the server to a client that says hello with `auth`, or why there is no connection. */
  const greet = (auth: string, headers: Headers): Promise<string> =>
    new Promise((resolve) => {
      const query = `reconnectionToken=11111111-2222-3333-4444-555555555555&reconnection=false&skipWebSocketFrames=false`;
      const socket = new WebSocket(`ws://127.0.0.1:${port}/?${query}`, { headers });
      socket.binaryType = 'arraybuffer';
      const end = (words: string): void => {
        socket.close();
        resolve(words);
      };
      let opened = false;
      socket.addEventListener('open', () => {
        opened = true;
        socket.send(frame({ type: 'auth', auth, data: '' }));
      });
      socket.addEventListener('message', ({ data }) => {
        const bytes = Buffer.from(data as ArrayBuffer);
        if (bytes[0] === control) {
          const { type } = JSON.parse(bytes.subarray(13).toString()) as { type: string };
          // A refusal: the server closes right after it, and sometimes before it is read.
          end(type === 'error' ? 'closed' : type);
        }
      });
      socket.addEventListener('error', () => end(opened ? 'closed' : 'no connection'));
      socket.addEventListener('close', () => end('closed'));
    });

  const own = (): string => `127.0.0.1:${port}`;
  const secret = (): string => path.join(host.dataFolder, 'connection-token');
  const file = (): string => `/vscode-remote-resource?path=${encodeURIComponent(secret())}`;

  it('serves its files to whoever has the token', async () => {
    const { status, body } = await get(`${file()}&tkn=${token}`, { host: own() });
    assert.deepEqual({ status, body }, { status: 200, body: token });
    assert.equal(await greet(token, { origin: host.origin }), 'sign');
  });

  it('serves nothing to another user of the machine', async () => {
    for (const guess of ['', '&tkn=', `&tkn=${'x'.repeat(token.length)}`]) {
      assert.equal((await get(`${file()}${guess}`, { host: own() })).status, 403, guess);
      assert.equal((await get(`/?folder=/${guess}`, { host: own() })).status, 403, guess);
    }
    for (const guess of ['', 'x'.repeat(token.length)]) {
      assert.equal(await greet(guess, { origin: host.origin }), 'closed', guess);
    }
  });

  it('serves nothing to a page whose name was rebound to this machine, even with the token', async () => {
    for (const name of [
      `evil.example:${port}`,
      'evil.example',
      '127.0.0.1',
      `127.0.0.1.evil.example:${port}`,
    ]) {
      assert.equal((await get(`${file()}&tkn=${token}`, { host: name })).status, 403, name);
      assert.equal(await greet(token, { host: name, origin: `http://${name}` }), 'no connection', name);
    }
  });

  it('serves nothing to a page of another origin, even with the token', async () => {
    for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null']) {
      assert.equal((await get(`${file()}&tkn=${token}`, { host: own(), origin })).status, 403, origin);
      assert.equal(await greet(token, { origin }), 'no connection', origin);
    }
  });

  it('keeps the token where only this user can read it', async () => {
    assert.equal((await stat(secret())).mode & 0o077, 0);
    assert.equal((await stat(host.dataFolder)).mode & 0o077, 0);
  });

  it('listens on this machine only', async () => {
    // What is bound to all addresses would keep another server from 0.0.0.0 at the same port.
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ host: '127.0.0.2', port }, resolve);
    });
    server.close();
  });
});

describe('a VS Code server that windows share', () => {
  it('has nothing of a window for the next one', async () => {
    const first = await leaseHost({
      settings: { 'editor.tabSize': 3, 'tonWorkbench.ports': { webhooks: 1 } },
      own: {},
    });
    const data = path.join(first.dataFolder, 'data');
    for (const folder of [
      'User/globalStorage/of.window',
      'User/workspaceStorage/of.window',
      'logs/of.window',
    ]) {
      await mkdir(path.join(data, folder), { recursive: true });
      await writeFile(path.join(data, folder, 'kept'), 'kept');
    }
    await first.stop();
    const next = await leaseHost({ settings: { 'editor.tabSize': 4 }, own: {} });
    try {
      assert.equal(next.pid, first.pid);
      assert.equal(next.log(), '');
      assert.deepEqual(await readdir(path.join(data, 'User')), ['settings.json']);
      const settings = await Promise.all(
        ['User', 'Machine'].map((kind) => readFile(path.join(data, kind, 'settings.json'), 'utf8')),
      );
      assert.deepEqual(
        settings.map((text) => JSON.parse(text) as unknown),
        [{ 'editor.tabSize': 4 }, {}],
      );
      assert.deepEqual(await readdir(path.join(data, 'logs')).catch(() => []), []);
    } finally {
      await next.stop();
    }
  });

  it('serves one window at a time: one beside it, or with other needs, has its own', async () => {
    const hosts = [await leaseHost({ settings: {}, own: {} })];
    try {
      hosts.push(await leaseHost({ settings: {}, own: {} }));
      assert.notEqual(hosts[1]?.pid, hosts[0]?.pid);
      await hosts.pop()?.stop();
      await hosts.pop()?.stop();
      hosts.push(await leaseHost({ settings: {}, own: { trust: false } }));
      hosts.push(await leaseHost({ settings: {}, own: {} }));
      assert.notEqual(hosts[1]?.pid, hosts[0]?.pid);
    } finally {
      await Promise.all(hosts.map((host) => host.stop()));
    }
  });
});
