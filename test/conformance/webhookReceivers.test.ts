import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/lib/root.mjs';
import { fixesOf } from '../../src/toolkit/webhook/check/fixesOf';
import { receiverFrameworks, receiverSource } from '../../src/toolkit/webhook/check/receiverSource';
import type { ReceiverFramework } from '../../src/toolkit/webhook/check/receiverSource';
import type { CheckRow } from '../../src/toolkit/webhook/check/checkRow';
import { checkEndpoint } from '../../src/toolkit/workflows/checkEndpoint';

const secret = 'whsec_receivers_0001';

/** A web Request handler behind Node's own server, as Next.js and Hono run it. */
function served(handle: (request: Request) => Promise<Response>): RequestListener {
  return (request, response) => {
    const body = Readable.toWeb(request);
    const init = { method: 'POST', headers: request.headers as Record<string, string>, body, duplex: 'half' };
    void handle(new Request('http://localhost/webhook', init as RequestInit)).then(({ status }) => {
      response.writeHead(status, { connection: 'close' }).end();
    });
  };
}

/** The receiver as a server. */
async function start(framework: ReceiverFramework, made: unknown): Promise<Server> {
  const listeners: Record<ReceiverFramework, () => Promise<RequestListener>> = {
    express: () => Promise.resolve(made as RequestListener),
    fastify: async () => {
      const app = made as { ready(): Promise<unknown>; routing: RequestListener };
      await app.ready();
      return app.routing;
    },
    next: () => Promise.resolve(served(made as (request: Request) => Promise<Response>)),
    hono: () =>
      Promise.resolve(served((raw) => (made as (context: object) => Promise<Response>)({ req: { raw } }))),
  };
  const listener = await listeners[framework]();
  return new Promise((resolve) => {
    const server = createServer(listener).listen(0, '127.0.0.1', () => resolve(server));
  });
}

describe('the webhook receivers that are made', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    // Inside the repository, so that the modules find their frameworks.
    await mkdir(path.join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(path.join(root, '.cache/receivers-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const framework of receiverFrameworks) {
    it(`follow every rule: ${framework}`, async () => {
      const file = path.join(folder, `${framework}.mjs`);
      await writeFile(file, receiverSource(framework));
      const { createReceiver } = (await import(pathToFileURL(file).href)) as {
        createReceiver: (options: object) => unknown;
      };
      const paid = path.join(folder, framework);
      const orders = new Map([['order-1', { rawAmount: '10500000000', asset: 'TON' }]]);
      const server = await start(framework, createReceiver({ secret, orders, folder: paid }));
      const rows: CheckRow[] = [];
      try {
        const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`);
        const fields = { reference: 'order-1', amount: '10.5' };
        for await (const event of checkEndpoint({ url, secret, fields, timeScale: 0.01 })) {
          if (event.type === 'row') {
            rows.push(event.row);
          }
        }
      } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      const broken = rows.filter(({ ok }) => !ok);
      assert.deepEqual(
        broken.map(({ rule, got }) => `${rule}: ${got}`),
        [],
      );
      assert.deepEqual(fixesOf(rows, framework), []);
      assert.equal((await readdir(paid)).length, 1, 'however often it was delivered, it is paid once');
    });
  }

  it('have the code for each broken rule, once', () => {
    const row = (scenario: CheckRow['scenario'], rule: string): CheckRow => ({
      ...{ scenario, rule, expected: '2xx', got: '500', statuses: [500], ms: 1 },
      ...{ ok: false, tolerated: false, note: null },
    });
    const rows = [
      row('duplicate', 'a'),
      row('concurrent', 'b'),
      row('reserialized', 'c'),
      { ...row('huge', 'd'), ok: true },
    ];
    const fixes = fixesOf(rows, 'express');
    assert.deepEqual(
      fixes.map(({ rules }) => rules),
      [['a', 'b'], ['c']],
    );
    for (const { code } of fixes) {
      assert.ok(receiverSource('express').includes(code));
    }
    assert.match(fixes[1]?.code ?? '', /express\.raw/);
  });
});
