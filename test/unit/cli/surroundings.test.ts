import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beginCell } from '@ton/core';
import { runCommandLine } from '../../../src/cli/commandLine';
import type { Surroundings } from '../../../src/cli/surroundings';
import { lastError, runCommandLine as run, runProcess } from '../../support/commandLine';
import { systemClock } from '../../../src/toolkit/base/time';

const boc = (value: number): Buffer => beginCell().storeUint(value, 32).endCell().toBoc();
const address = `0:${'ab'.repeat(32)}`;

describe('cli: commands that run in one process', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-surroundings-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('find the files of their own folders, and write to their own streams, side by side', async () => {
    const values = [1, 2, 3, 4];
    const runs = values.map(async (value) => {
      const own = path.join(folder, String(value));
      await mkdir(own);
      await writeFile(path.join(own, 'a.boc'), boc(value));
      return run(['boc', 'a.boc', '--json'], {}, own);
    });
    const shown = (await Promise.all(runs)).map(({ status, stdout, stderr }) => {
      assert.deepEqual([status, stderr], [0, '']);
      return (JSON.parse(stdout) as { roots: { hash: string }[] }).roots[0]?.hash;
    });
    const hashes = values.map((value) => beginCell().storeUint(value, 32).endCell().hash().toString('hex'));
    assert.deepEqual(shown, hashes);
  });

  it('leave no listener, exit code, folder, or variable behind in the process', async () => {
    const state = (): unknown => [
      ...['SIGINT', 'SIGTERM', 'SIGHUP', 'exit', 'uncaughtException'].map((name) =>
        process.listenerCount(name),
      ),
      process.stdout.listenerCount('error'),
      process.exitCode,
      process.cwd(),
      { ...process.env },
    ];
    const before = state();
    const failed = await run(
      ['run', address, 'seqno', '-n', 'http://127.0.0.1:1'],
      { TON_API_KEY: 'a' },
      folder,
    );
    assert.deepEqual([failed.status, lastError(failed).code], [3, 'unreachable']);
    assert.deepEqual(state(), before);
  });

  it('close their connections when they are done', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ gas_used: 100, exit_code: 0, stack: [{ type: 'num', value: '0x7' }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const done = await run(['run', address, 'seqno', '-n', `http://127.0.0.1:${port}/api/v3`, '--json']);
    assert.equal(done.status, 0, done.stderr);
    // Resolves only when no connection is open, also no idle one.
    await new Promise((resolve) => server.close(resolve));
  });

  it('write the files that they make where they run, and name them as the user did', async () => {
    const making = ['webhook', 'new', '--framework', 'express', 'shop/receiver.mjs'];
    const made = await run(making, {}, folder);
    assert.equal(made.status, 0, made.stderr);
    assert.match(made.stdout, /^Made shop\/receiver\.mjs, /);
    assert.ok(existsSync(path.join(folder, 'shop/receiver.mjs')));
    const again = await run(making, {}, folder);
    assert.equal(again.status, 2);
    assert.match(lastError(again).message, /shop\/receiver\.mjs/);
    assert.ok(!lastError(again).message.includes(folder));
  });

  it('read their own standard input and variables', async () => {
    const place = (
      input: string | Buffer,
      environment: NodeJS.ProcessEnv,
    ): Surroundings & { output: PassThrough } => ({
      ...{ environment, folder, input: Readable.from([input]) },
      ...{
        output: new PassThrough(),
        errors: new PassThrough(),
        clock: systemClock,
        onStop: () => undefined,
      },
    });
    const given = place(boc(9), {});
    assert.equal(await runCommandLine(['boc', '-', '--json'], given), 0);
    given.output.end();
    assert.match(
      await text(given.output),
      new RegExp(beginCell().storeUint(9, 32).endCell().hash().toString('hex')),
    );

    const call = ['run', address, 'seqno', '-n', 'http://127.0.0.1:1'];
    for (const [rate, more, code] of [
      ['0', [], 'usage'],
      ['fast', [], 'usage'],
      ['2.5', [], 'unreachable'],
      ['fast', ['--requests-per-second', '3'], 'unreachable'],
    ] as const) {
      const ended = await run([...call, ...more], { TON_REQUESTS_PER_SECOND: rate });
      assert.equal(lastError(ended).code, code, `${rate} ${more.join(' ')}`);
    }
  });

  it('say when their output is not all there: a full disk is no success', async () => {
    const fail = (code: string): Writable =>
      new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
    for (const [code, status, message] of [
      ['ENOSPC', 1, /^The output is not complete: the disk is full\./],
      ['EPIPE', 0, undefined],
    ] as const) {
      const errors = new PassThrough();
      const place: Surroundings = {
        ...{ environment: {}, folder, input: Readable.from([]) },
        ...{ output: fail(code), errors, clock: systemClock, onStop: () => undefined },
      };
      assert.equal(await runCommandLine(['boc', boc(9).toString('base64'), '--json'], place), status, code);
      errors.end();
      const told = await text(errors);
      assert.equal(told === '', message === undefined, told);
      if (message !== undefined) {
        const error = JSON.parse(told) as { code: string; message: string };
        assert.equal(error.code, 'output-failed');
        assert.match(error.message, message);
      }
    }
  });

  it('end as the same command does in a process of its own', async () => {
    await writeFile(path.join(folder, 'a.boc'), boc(5));
    for (const args of [
      ['boc', 'a.boc'],
      ['boc', 'a.boc', '--json'],
      ['boc', 'none.boc'],
      ['boc', '--help'],
      ['boc', 'a.boc', '--nope'],
      [],
    ]) {
      assert.deepEqual(await run(args, {}, folder), await runProcess(args, {}, folder), args.join(' '));
    }
  });
});
