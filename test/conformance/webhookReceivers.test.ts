import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { root } from '../../scripts/lib/root.mjs';
import { checkOptions } from '../../src/toolkit/webhook/check/checkOptions';
import type { CheckRow } from '../../src/toolkit/webhook/check/shopRules';
import { fixesOf } from '../../src/toolkit/webhook/check/shopRules';
import type { ProviderChoice } from '../../src/toolkit/webhook/provider/providerOf';
import { providerNames, providerOf } from '../../src/toolkit/webhook/provider/providerOf';
import type { ReceiverFramework } from '../../src/toolkit/webhook/receiver/receiverSource';
import { receiverFrameworks, receiverSource } from '../../src/toolkit/webhook/receiver/receiverSource';
import { checkedRows } from '../support/checkedRows';
import { freePort } from '../support/freePort';
import { writeReceiver } from '../support/writeReceiver';

const wallet = '0:' + '11'.repeat(32);
const hash = '2a'.repeat(32);
const orders = new Map([['order-1', { rawAmount: '10500000000', asset: 'TON' }]]);

interface Service {
  choice: ProviderChoice;
  secret: string;
  /** Of `createReceiver`, besides `secret` and `folder`. */
  options: object;
  /** Of every payload of the check. */
  fields: Record<string, string>;
  /** How many tests its test has. */
  tests: number;
  /** Lines of the receiver, and what they are when they are wrong: its own test must notice each. */
  mistakes: readonly (readonly [right: string, wrong: string])[];
}

const inTransfers = [
  ['BigInt(data.rawAmount) !== BigInt(order.rawAmount)', 'false'],
  ['accountOf(data.recipientAddr) !== accountOf(order.recipient)', 'false'],
  ["data.status === 'success' ?", "data.status !== '' ?"],
  ['transaction.in_msg.message_content.hash === order.bodyBase64Hash', 'true'],
  ['accountOf(transaction.account) === accountOf(order.recipient)', 'true'],
  ['v3 && !(await isOnChain(v3, data, order))', 'false'],
] as const;
const everySignature = ['timingSafeEqual(given, expected);', 'true;'] as const;
const paysOrder1 = { options: { orders }, fields: { reference: 'order-1', amount: '10.5' } };

/** The chain that a receiver reads: it has one payment. */
const chain = createServer((_request, response) => {
  const transaction = {
    hash: Buffer.from(hash, 'hex').toString('base64'),
    description: { aborted: false },
    in_msg: { source: wallet, value: '10500000000', message_content: { decoded: { comment: 'order-1' } } },
  };
  response.end(JSON.stringify({ transactions: [transaction] }));
});
const v3 = (): string => `http://127.0.0.1:${(chain.address() as AddressInfo).port}`;

const services: readonly Service[] = [
  {
    ...{ choice: { name: 'ton-pay' }, secret: 'whsec_receivers_0001', ...paysOrder1, tests: 6 },
    mistakes: [everySignature, ...inTransfers],
  },
  {
    ...{ choice: { name: 'tonapi' }, secret: 'a-token', tests: 7 },
    options: {
      orders,
      account: wallet,
      get v3() {
        return v3();
      },
    },
    fields: { txHash: hash, recipientAddr: wallet },
    mistakes: [
      everySignature,
      ["'Bearer ' + token", "'' + token"],
      ['BigInt(message.value) === BigInt(order.rawAmount)', 'true'],
      ['!message.bounced &&', ''],
      ['!(description.aborted && message.bounce)', 'true'],
      ['(description.aborted && message.bounce)', 'description.aborted'],
      ['message?.source &&', ''],
      ['accountOf(notification.account) !== accountOf(account)', 'false'],
      ['attempt <= 10', 'attempt <= 1'],
      ["event === 'account_tx' &&", ''],
    ],
  },
  {
    ...{ choice: { name: 'bicycle' }, secret: 'a-token', tests: 4 },
    options: { users: new Map([['order-1', { asset: 'TON' }]]) },
    fields: { reference: 'order-1', txHash: hash },
    mistakes: [
      everySignature,
      ['accountOf(user.deposit) !== accountOf(address)', 'false'],
      ["accountOf(deposit.address) + ' ' + deposit.hash", 'deposit.user'],
      ['hash: hash.toLowerCase()', 'hash'],
      ["[user, address, hash, amount].every((one) => typeof one === 'string')", 'true'],
      ['return 200;\n}', 'return 204;\n}'],
    ],
  },
  {
    ...{ choice: { name: 'standard-webhooks' }, secret: 'whsec_cmVjZWl2ZXJzIG9mIHdlYmhvb2tz', ...paysOrder1 },
    tests: 8,
    mistakes: [
      everySignature,
      ...inTransfers,
      ['!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)', 'false'],
      ["id + '.' + time + '.'", "'msg_1.' + time + '.'"],
      ["signatures.split(' ')", '[signatures]'],
    ],
  },
  {
    choice: {
      name: 'hmac',
      hmac: { header: 'X-Hub-Signature', prefix: "it's=", algorithm: 'sha512', encoding: 'base64' },
    },
    ...{ secret: 'a secret', ...paysOrder1, tests: 6 },
    mistakes: [everySignature, ["'it\\'s=' + ", ''], ...inTransfers],
  },
];

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

describe('the webhook receivers that are made', () => {
  let folder: string;
  before(async () => {
    // Inside the repository, so that the modules find their frameworks.
    await mkdir(path.join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(path.join(root, '.cache/receivers-'));
    await new Promise<void>((resolve) => chain.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    chain.closeAllConnections();
    chain.close();
    await rm(folder, { recursive: true, force: true });
  });

  const make = (choice: ProviderChoice, framework: ReceiverFramework): Promise<string[]> =>
    writeReceiver(folder, choice, framework);

  /** What the tests say, in files or with options of Node.js. */
  const runTests = async (...files: string[]): Promise<string> => {
    const { NODE_TEST_CONTEXT: _inside, ...env } = process.env;
    const ran = promisify(execFile)(process.execPath, ['--test-reporter=tap', ...files], { env });
    return ran.then(
      ({ stdout }) => stdout,
      (error: unknown) => (error as { stdout: string }).stdout,
    );
  };

  /** The rules that a running receiver breaks, and how much it has paid. */
  const checked = async (
    { choice, secret, options, fields }: Service,
    framework: ReceiverFramework,
  ): Promise<{ broken: string[]; fixes: number; paid: number }> => {
    const [file = ''] = await make(choice, framework);
    const { createReceiver } = (await import(pathToFileURL(file).href)) as {
      createReceiver: (options: object) => unknown;
    };
    const provider = providerOf(choice);
    const paid = path.join(folder, `${choice.name}-${framework}-paid`);
    const server = await start(framework, createReceiver({ ...options, secret, folder: paid }));
    try {
      const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`);
      const rows = await checkedRows({ url, secret, provider, fields });
      return {
        broken: rows.flatMap(({ ok, rule, got }) => (ok ? [] : [`${rule}: ${got}`])),
        fixes: fixesOf(rows, framework, provider.receiver()).length,
        paid: (await readdir(paid)).length,
      };
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };

  it('exist for every service', () => {
    assert.deepEqual(
      services.map(({ choice }) => choice.name),
      providerNames,
    );
  });

  for (const service of services) {
    const { choice, tests, mistakes } = service;
    it(`pass their own tests: ${choice.name}`, async () => {
      const files: string[] = [];
      for (const framework of receiverFrameworks) {
        const [, test = ''] = await make(choice, framework);
        files.push(test);
      }
      // As by hand.
      const said = await runTests('--test', ...files);
      assert.match(said, new RegExp(`^# pass ${files.length * tests}\n# fail 0$`, 'm'), said);
    });

    it(`have tests that notice a receiver that goes wrong: ${choice.name}`, async () => {
      const source = receiverSource(providerOf(choice).receiver(), 'fastify', 'receiver.mjs');
      // One process loads the framework once for all of them; each has files of its own, the right one, too.
      const made = await make(choice, 'fastify');
      const [file = '', test = ''] = made;
      const all = [...mistakes, ['', ''] as const];
      const imports: string[] = [];
      for (const [number, [right, wrong]] of all.entries()) {
        assert.ok(source.includes(right), right);
        const own = path.join(path.dirname(file), String(number));
        await mkdir(own);
        await Promise.all(made.map((one) => copyFile(one, path.join(own, path.basename(one)))));
        await writeFile(
          path.join(own, path.basename(file)),
          source.replace(right, () => wrong),
        );
        imports.push(`await import('./${number}/${path.basename(test)}');\n`);
      }
      const runner = path.join(path.dirname(file), 'all.mjs');
      await writeFile(runner, imports.join(''));
      const said = await runTests(runner);
      const results = [...said.matchAll(/^(not )?ok \d+ /gm)].map(([, not]) => not === undefined);
      assert.equal(results.length, all.length * tests, said);
      assert.deepEqual(
        all.filter((_, number) => results.slice(number * tests, (number + 1) * tests).every(Boolean)),
        [['', '']],
        'only the right one passes',
      );
    });

    it(`follow every rule, and pay once, however often it is delivered: ${choice.name}`, async () => {
      const found = await Promise.all(receiverFrameworks.map((framework) => checked(service, framework)));
      assert.deepEqual(
        found,
        receiverFrameworks.map(() => ({ broken: [], fixes: 0, paid: 1 })),
      );
    });
  }

  it('listen when they are run, and not without a secret', async () => {
    const secret = 'whsec_receivers_0001';
    const [file = ''] = await make({ name: 'ton-pay' }, 'fastify');
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
    for (const framework of ['express', 'fastify'] as const) {
      const [another = ''] = await make({ name: 'ton-pay' }, framework);
      const taken = run(process.execPath, [another], {
        env: { ...env, PORT: String(port), WEBHOOK_SECRET: secret },
      });
      // In words, and nothing that says it listens.
      await assert.rejects(taken, ({ stdout, stderr }: { stdout: string; stderr: string }) => {
        assert.doesNotMatch(stdout, /Listening/);
        assert.match(stderr, /^listen EADDRINUSE[^\n]*\n$/);
        return true;
      });
    }
    started.child.kill();
    assert.equal(
      said,
      'Payments are not looked for on the chain: set TON_V3 before you rely on them.\n' +
        `Listening on http://127.0.0.1:${port}/webhook\n`,
    );
  });

  it('say what they need when they are run without it', async () => {
    const run = promisify(execFile);
    const { WEBHOOK_SECRET: _mine, TON_V3: _chain, ...env } = process.env;
    for (const [name, given, says] of [
      ['tonapi', {}, /TON_V3 to a v3 API/],
      ['tonapi', { WEBHOOK_SECRET: 'a-token', WALLET: wallet }, /TON_V3 to a v3 API/],
      ['bicycle', {}, /the token that Bicycle has as WEBHOOK_TOKEN/],
      ['standard-webhooks', { WEBHOOK_SECRET: 'not base64!' }, /base64 after whsec_/],
      ['standard-webhooks', {}, /base64 after whsec_/],
      ['hmac', {}, /the service's webhook secret/],
    ] as const) {
      const [file = ''] = await make({ name }, 'express');
      await assert.rejects(run(process.execPath, [file], { env: { ...env, ...given } }), says);
    }
  });

  it('are made with the line that checks them', () => {
    const hmac = { header: 'X-Sig', prefix: "a 'b", algorithm: 'sha1', encoding: 'hex' } as const;
    for (const [choice, options] of [
      [undefined, ''],
      [{ name: 'tonapi' }, '--provider tonapi'],
      [{ name: 'hmac', hmac: { ...hmac, prefix: '' } }, '--provider hmac --hmac sha1-hex --header X-Sig'],
      [{ name: 'hmac', hmac }, `--provider hmac --hmac sha1-hex --header X-Sig --hmac-prefix 'a '\\''b'`],
    ] as const) {
      const code = providerOf(choice).receiver();
      const given = checkOptions(choice);
      assert.equal(given, options);
      const line = `//   ton-workbench webhook check ${options === '' ? '' : `${options} `}--url `;
      assert.ok(receiverSource(code, 'hono', 'receiver.mjs', given).includes(line), line);
    }
  });

  it('have the code for each broken rule, once', () => {
    const code = providerOf().receiver();
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
    const fixes = fixesOf(rows, 'express', code);
    assert.deepEqual(
      fixes.map((fix) => fix.rows.map(({ rule }) => rule)),
      // Parsing before verifying may be in the handler, or in the verification.
      [['a', 'b'], ['c'], ['c']],
    );
    assert.match(fixes[0]?.code ?? '', /^import \{ createHash, randomUUID \} from 'node:crypto';\n/);
    assert.match(fixes[1]?.code ?? '', /^import \{ createHmac, timingSafeEqual \}[^]*function isGenuine/);
    assert.match(fixes[2]?.code ?? '', /^import express from 'express';\n[^]*express\.raw/);
    const whole = receiverSource(code, 'express', 'receiver.mjs');
    for (const fix of fixes) {
      const own = fix.code.slice(fix.code.search(/^(?:export|async) function/m));
      const [code = '', call = ''] = own.split(/\n\/\/ In receive\(\).*\n/);
      assert.ok(whole.includes(code), code);
      assert.ok(whole.includes(call.replace(/^(?=.)/gm, '  ')), call);
    }
    assert.match(fixes[0]?.code ?? '', /\nif \(await storeOnce\(/);
    const followed = [row('success', 'e'), { ...row('duplicate', 'f'), follows: true as const }];
    assert.deepEqual(
      fixesOf(followed, 'express', code).map((fix) => fix.rows.map(({ rule }) => rule)),
      [['e']],
    );
  });
});
