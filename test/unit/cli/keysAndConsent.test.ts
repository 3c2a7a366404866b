import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Address, beginCell, Cell, external, storeMessage } from '@ton/core';
import { lastError, runCommandLine } from '../../support/commandLine';

const key = 'abcdef0123456789abcdef0123456789';
const mainZeroState = 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=';
const address = `0:${'ab'.repeat(32)}`;

interface Service {
  origin: string;
  seen: { path: string; key: string | undefined }[];
  close(): void;
}

type Answer = (path: string, request: IncomingMessage) => { status?: number; body: unknown } | undefined;

/** A service that runs every get-method as `seqno` of a new wallet, unless `answer` knows better. */
async function startService(answer: Answer = () => undefined): Promise<Service> {
  const seen: Service['seen'] = [];
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://a');
    seen.push({ path: pathname, key: request.headers['x-api-key'] as string | undefined });
    request.resume();
    const { status = 200, body } = answer(pathname, request) ?? {
      body: { gas_used: 100, exit_code: 0, stack: [{ type: 'num', value: '0x0' }] },
    };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers as a v2 service of the network with this zero state. */
const ofNetwork =
  (rootHash: string): Answer =>
  (at) =>
    at.endsWith('/getMasterchainInfo')
      ? {
          body: {
            ok: true,
            result: {
              last: block(7, Buffer.alloc(32, 7).toString('base64')),
              init: block(0, rootHash),
            },
          },
        }
      : { status: 500, body: { ok: false, error: 'not here', code: 500 } };

function block(seqno: number, hash: string): object {
  return { workchain: -1, shard: '-9223372036854775808', seqno, root_hash: hash, file_hash: hash };
}

/** The same for a service that speaks only v3. */
const ofGlobalId =
  (id: number): Answer =>
  (at) => {
    if (at.startsWith('/api/v2')) {
      return { status: 404, body: 'no' };
    }
    const { root_hash, file_hash } = { root_hash: mainZeroState, file_hash: mainZeroState };
    const one = { workchain: -1, shard: '8000000000000000', seqno: 7, root_hash, file_hash, global_id: id };
    return at.endsWith('/masterchainInfo')
      ? { body: { last: one, first: one } }
      : { status: 500, body: { error: 'not here' } };
  };

describe('cli: API keys and networks', () => {
  let folder: string;
  const services: Service[] = [];
  const start = async (answer?: Answer): Promise<Service> => {
    const service = await startService(answer);
    services.push(service);
    return service;
  };
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ton-workbench-keys-'));
  });
  after(() => rm(folder, { recursive: true }));
  afterEach(() => services.splice(0).forEach((service) => service.close()));

  const sheetOf = async (text: string): Promise<string> => {
    const file = path.join(folder, 'stranger.toncall');
    await writeFile(file, text);
    return file;
  };

  it('send the key to the chosen network and to no other one named in a call sheet', async () => {
    const [chosen, stranger] = [await start(), await start()];
    const sheets = [
      `@network ${stranger.origin}\n${address} seqno()\n`,
      `### one call\n@network ${stranger.origin}\n${address} seqno()\n`,
    ];
    const keyFile = path.join(folder, 'key');
    await writeFile(keyFile, key);
    for (const text of sheets) {
      for (const [more, environment] of [
        [['--api-key-file', keyFile], {}],
        [[], { TON_API_KEY: key }],
      ] as const) {
        const done = await runCommandLine(['run', await sheetOf(text), ...more], environment);
        assert.equal(done.status, 0, done.stderr);
        assert.match(done.stderr, /not a configured network/);
        assert.ok(done.stderr.includes(stranger.origin));
      }
    }
    assert.ok(stranger.seen.length >= sheets.length * 2);
    assert.deepEqual(new Set(stranger.seen.map((one) => one.key)), new Set([undefined]));
    await runCommandLine(
      ['run', await sheetOf(sheets[0] ?? ''), '--network', chosen.origin, '--api-key-file', keyFile],
      {},
    );
    // The control API of a local network, which is asked for its wallets, takes no key.
    const asked = chosen.seen.filter((one) => one.path.startsWith('/api/'));
    assert.deepEqual(new Set(asked.map((one) => one.key)), new Set([key]));
  });

  it('show where a sheet leads before the first request', async () => {
    const done = await runCommandLine([
      'run',
      await sheetOf(`@network http://127.0.0.1:9\n${address} seqno()\n`),
    ]);
    assert.match(done.stderr.split('\n')[0] ?? '', /asks for calls on http:\/\/127\.0\.0\.1:9/);
  });

  it('never show a key that the service repeats', async () => {
    const escaped = key.replace('a', '\\u0061');
    const words: { status: number; body: unknown }[] = [
      { status: 401, body: { error: `the key ${key} does not exist` } },
      { status: 422, body: `{"error":"no ${escaped}"}` },
      { status: 500, body: `${'x'.repeat(480)}${key}` },
      { status: 500, body: `<html><title>${key}</title></html>` },
      { status: 200, body: `not json ${key}` },
      { status: 400, body: { detail: { [key]: [key] } } },
    ];
    const keyFile = path.join(folder, 'key');
    await writeFile(keyFile, key);
    for (const one of words) {
      const service = await start(() => one);
      const network = `${service.origin}/api/v3`;
      const done = await runCommandLine(
        ['run', address, 'seqno', '--network', network, '--api-key-file', keyFile],
        {},
      );
      assert.equal(service.seen.find(({ path: at }) => at.startsWith('/api/'))?.key, key);
      assert.doesNotMatch(done.stdout + done.stderr, /abcdef01/, JSON.stringify(one));
      assert.notEqual(done.status, 0);
    }
  });

  it('keep to the requested rate', async () => {
    const service = await start();
    const calls = `${address} seqno()\n`.repeat(5);
    const began = performance.now();
    await runCommandLine(
      ['run', await sheetOf(calls), '--network', service.origin, '--requests-per-second', '1'],
      {},
    );
    assert.ok(performance.now() - began > 3000);
    const refused = await runCommandLine(['run', address, 'seqno', '--requests-per-second', '0']);
    assert.deepEqual([refused.status, lastError(refused).code], [2, 'usage']);
  });
});

describe('cli: --yes for the main network', () => {
  const boc = beginCell()
    .store(storeMessage(external({ to: Address.parse(address), body: Cell.EMPTY })))
    .endCell()
    .toBoc()
    .toString('base64');
  const commands = (origin: string): string[][] => [
    ['send', boc, '--network', origin],
    ['api', 'v2', 'sendBoc', `boc=${boc}`, '--network', origin],
    ['api', 'v3', 'message', `boc=${boc}`, '--network', origin],
  ];

  for (const [name, answer, needed] of [
    ['a loopback relay with its zero state', ofNetwork(mainZeroState), true],
    ['a loopback relay of v3 with its global id', ofGlobalId(-239), true],
    [
      'a service that does not tell',
      (): ReturnType<Answer> => ({ status: 500, body: { error: 'no' } }),
      true,
    ],
    ['the test network', ofNetwork('gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg='), false],
    ['a local network', ofNetwork(Buffer.alloc(32).toString('base64')), false],
    ['a service of v3 with another global id', ofGlobalId(-7), false],
  ] as const) {
    it(`is ${needed ? '' : 'not '}required for ${name}`, async () => {
      const service = await startService(answer);
      try {
        for (const command of commands(service.origin)) {
          const done = await runCommandLine(command);
          assert.equal(lastError(done).code === 'confirmation-needed', needed, done.stderr);
          const sent = service.seen.some((one) => /\/(sendBoc|sendBocReturnHash|message)$/.test(one.path));
          assert.ok(!(needed && sent), 'sent without --yes');
        }
        if (needed) {
          const yes = await runCommandLine([...commands(service.origin)[1]!, '--yes']);
          assert.notEqual(lastError(yes).code, 'confirmation-needed');
        }
      } finally {
        service.close();
      }
    });
  }

  it('does not allow signing with published keys for the main network', async () => {
    const service = await startService(ofNetwork(mainZeroState));
    try {
      const done = await runCommandLine([
        ...['send', '--compose', 'send bob 0.1ton from alice', '--yes', '--network', service.origin],
      ]);
      assert.deepEqual([done.status, lastError(done).code], [2, 'compose-local-only']);
    } finally {
      service.close();
    }
  });
});
