import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { root } from '../../scripts/lib/root.mjs';
import { fixesOf } from '../../src/toolkit/webhook/check/fixesOf';
import { receiverFiles } from '../../src/toolkit/webhook/check/receiverFiles';
import { receiverFrameworks } from '../../src/toolkit/webhook/check/receiverFrameworks';
import type { ReceiverFramework } from '../../src/toolkit/webhook/check/receiverFrameworks';
import { receiverSource } from '../../src/toolkit/webhook/check/receiverSource';
import type { CheckRow } from '../../src/toolkit/webhook/check/checkRow';
import { checkEndpoint } from '../../src/toolkit/workflows/checkEndpoint';
import { freePort } from '../support/freePort';

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

  /** Writes the files. @returns where they are, the receiver first */
  const make = async (framework: ReceiverFramework): Promise<string[]> => {
    const files = receiverFiles(framework, `${framework}/receiver.mjs`);
    await mkdir(path.join(folder, framework), { recursive: true });
    await Promise.all(files.map((file) => writeFile(path.join(folder, file.path), file.text)));
    return files.map((file) => path.join(folder, file.path));
  };

  /** What `node --test` says, run as by hand. */
  const runTests = async (file: string): Promise<string> => {
    const { NODE_TEST_CONTEXT: _inside, ...env } = process.env;
    const ran = promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], { env });
    return ran.then(
      ({ stdout }) => stdout,
      (error: unknown) => (error as { stdout: string }).stdout,
    );
  };

  for (const framework of receiverFrameworks) {
    it(`pass their own tests, which notice a receiver that goes wrong: ${framework}`, async () => {
      const [file = '', test = ''] = await make(framework);
      assert.match(await runTests(test), /^# pass 6\n# fail 0$/m);
      const source = receiverSource(framework, 'receiver.mjs');
      for (const [right, wrong] of [
        ['timingSafeEqual(given, expected);', 'true;'],
        ['BigInt(data.rawAmount) !== BigInt(order.rawAmount)', 'false'],
        ['accountOf(data.recipientAddr) !== accountOf(order.recipient)', 'false'],
        ["data.status === 'success' ?", "data.status !== '' ?"],
        ['transaction.in_msg.message_content.hash === order.bodyBase64Hash', 'true'],
        ['v3 && !(await isOnChain(v3, data, order))', 'false'],
      ] as const) {
        assert.ok(source.includes(right));
        await writeFile(file, source.replace(right, wrong));
        assert.match(await runTests(test), /^# fail [1-9]/m, wrong);
      }
    });

    it(`follow every rule: ${framework}`, async () => {
      const [file = ''] = await make(framework);
      const { createReceiver } = (await import(pathToFileURL(file).href)) as {
        createReceiver: (options: object) => unknown;
      };
      const paid = path.join(folder, `${framework}-paid`);
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

  it('listen when they are run, and not without a secret', async () => {
    const [file = ''] = await make('fastify');
    const { WEBHOOK_SECRET: _mine, ...env } = process.env;
    const run = promisify(execFile);
    await assert.rejects(run(process.execPath, [file], { env }), /Set WEBHOOK_SECRET/);
    const port = await freePort();
    const started = run(process.execPath, [file], {
      env: { ...env, PORT: String(port), WEBHOOK_SECRET: secret },
    });
    let said = '';
    await new Promise<void>((resolve, reject) => {
      started.child.stdout?.on('data', (data: Buffer) => {
        said += data.toString();
        if (said.includes('/webhook\n')) {
          resolve();
        }
      });
      started.catch(reject);
    });
    started.child.kill();
    assert.equal(
      said,
      'Payments are not looked for on the chain: set TON_V3 before you rely on them.\n' +
        `Listening on http://127.0.0.1:${port}/webhook\n`,
    );
  });

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
      fixes.map((fix) => fix.rows.map(({ rule }) => rule)),
      [['a', 'b'], ['c']],
    );
    assert.match(fixes[0]?.code ?? '', /^import \{ createHash, randomUUID \} from 'node:crypto';\n/);
    assert.match(fixes[1]?.code ?? '', /^import express from 'express';\n[^]*express\.raw/);
    const whole = receiverSource('express', 'receiver.mjs');
    for (const { code } of fixes) {
      const own = code.slice(code.search(/^(?:export|async) function/m));
      assert.ok(whole.includes(own), own);
    }
  });
});
