import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { internal, toNano } from '@ton/core';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { hashIn } from '../../src/toolkit/trace/traceKeys';
import { lastError, runCommandLine, runProcess } from '../support/commandLine';
import { LocalTraces } from '../support/localTraces';

describe('the replay command', () => {
  let local: LocalTraces;
  let folder: string;
  let hashes: string[];
  let message: string;

  before(async () => {
    local = new LocalTraces(await startLocalnet({ port: 0, log: silentLog }));
    folder = await mkdtemp(path.join(tmpdir(), 'replay-'));
    const { context } = await local.send('alice', [
      internal({ to: local.wallet('bob').address, value: toNano('2'), bounce: false }),
    ]);
    hashes = context.model.nodes.map(({ transaction }) => hashIn(transaction?.hash ?? ''));
    message = hashIn(context.model.nodes[1]?.message?.hash ?? '');
  });
  after(async () => {
    await local.network.close();
    await rm(folder, { recursive: true });
  });

  const replay = (...args: string[]): ReturnType<typeof runCommandLine> =>
    runCommandLine(['replay', ...args, '--network', local.network.v3]);

  it('takes a changed body as messages are composed', async () => {
    const source =
      'struct (0x12345678) Ping { n: uint8 }\ntype Order = Ping\n' +
      'fun onInternalMessage(in: InMessage) { val order = lazy Order.fromSlice(in.body); }\n';
    await Promise.all([
      writeFile(path.join(folder, 'package.json'), '{}'),
      writeFile(path.join(folder, 'desk.tolk'), source),
    ]);
    const steps = async (body: string): Promise<string> => {
      const given = ['replay', hashes[1]!, '--edit', `body=${body}`, '--steps'];
      const run = await runCommandLine([...given, '--network', local.network.v3], {}, folder);
      assert.equal(run.status, 0, run.stderr);
      return run.stdout.slice(run.stdout.indexOf('step'));
    };
    assert.match(await steps('Ping {n: 7}'), /1234567807/i);
    assert.equal(await steps('Ping {n: 7}'), await steps('b(u32 0x12345678, u8 7)'));
    assert.equal(await steps('comment "hi"'), await steps('b(u32 0, str "hi")'));
    const unknown = await runCommandLine(
      ['replay', hashes[1]!, '--edit', 'body=Pong {n: 7}', '--json', '--network', local.network.v3],
      {},
      folder,
    );
    assert.match(lastError(unknown).message, /Pong/);
  });

  it('takes the hash of a transaction or a message, and a saved file', async () => {
    const file = path.join(folder, 'bob.tonreplay');
    const told = [];
    for (const what of [hashes[1]!, message, file]) {
      const run = await replay(what, '--json', ...(what === file ? [] : ['--save', file]));
      assert.equal(run.status, 0, run.stderr);
      const { requests, ...rest } = JSON.parse(run.stdout) as Record<string, unknown>;
      assert.equal(Number(requests) > 0, what !== file);
      told.push(rest);
    }
    assert.deepEqual(told[1], told[0]);
    assert.deepEqual(told[2], told[0]);
    const { gasUsed, steps, ...rest } = told[0]!;
    assert.ok(Number(gasUsed) > 0 && Number(steps) > 0);
    assert.deepEqual(rest, {
      version: 1,
      verdict: 'exact',
      differences: [],
      hash: hashes[1],
      exitCode: 0,
      actionResult: 0,
      stepsMissing: 0,
      versions: [12, 13, 14, 15],
    });
    const text = await replay(hashes[1]!);
    assert.match(
      text.stdout,
      /^Exact: the replayed transaction is identical, byte for byte\.\n[^]*account +bob /,
    );
    assert.match(await readFile(file, 'utf8'), /"format": "ton-workbench-replay"/);
  });

  it('shows what a change would have changed, and sends nothing', async () => {
    const before = (await local.access.v3.masterchainInfo({})).last?.seqno;
    const run = await replay(hashes[1]!, '--edit', 'value=5ton', '--edit', 'sender=carol');
    assert.equal(run.status, 0, run.stderr);
    assert.match(run.stdout, /^Edited: this did not happen\. Changed: value=5ton, sender=carol\.\n/);
    assert.match(run.stdout, /^ +original +edited$/m);
    assert.equal((await local.access.v3.masterchainInfo({})).last?.seqno, before);
    const refused = await replay(hashes[0]!, '--edit', 'body=b()');
    assert.equal(refused.status, 1);
    assert.equal(lastError(refused).code, 'replay-refused');
  });

  it('shows where a value comes from: from the stack to the message, and to the transaction that sent it', async () => {
    const why = (...args: string[]): ReturnType<typeof runCommandLine> =>
      runCommandLine(['debug', hashes[1]!, ...args, '--network', local.network.v3]);
    const text = await why('--why', 's3', '--step', '1');
    assert.equal(text.status, 0, text.stderr);
    assert.match(
      text.stdout,
      /^s3 = 2 TON +2 bob, step 1\n← the value of the message = 2 TON +2 bob, step 1\n← alice sent it +1 alice, step \d+\n← the body of the message = 2 TON +1 alice, step 1\n← a message from outside: /m,
    );
    const json = await why('--why', 's3', '--step', '1', '--json');
    const { executions, values } = JSON.parse(json.stdout) as {
      executions: { hash: string }[];
      values: { hops: { kind: string; execution: number }[] }[];
    };
    assert.deepEqual(
      executions.map(({ hash }) => hash),
      hashes,
    );
    assert.deepEqual(
      values[0]?.hops.slice(0, 5).map(({ kind, execution }) => [kind, execution]),
      [
        ['asked', 2],
        ['message', 2],
        ['sent', 1],
        ['message', 1],
        ['outside', 1],
      ],
    );
    for (const args of [[], ['--why', 'nothing', '--dap', '0']]) {
      assert.equal(lastError(await why(...args, '--json')).code, 'usage');
    }
    assert.equal(lastError(await why('--why', 'nothing', '--json')).code, 'expression-invalid');
  });

  it('lists the steps of the VM', async () => {
    const run = await replay(hashes[1]!, '--steps');
    assert.equal(run.status, 0, run.stderr);
    const [, steps] = /, (\d+) steps/.exec(run.stdout) ?? [];
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .slice(-Number(steps) - 1);
    assert.match(lines[0] ?? '', /^ +step +position +instruction +gas +gas left +stack before/);
    assert.match(lines[1] ?? '', /^ +1 +[0-9a-f]{8}:0 +SETCP 0 +26 +\d+ +\d+ .*CS\{[0-9A-F…]*/);
    assert.match(lines.at(-1) ?? '', new RegExp(`^ +${steps} +implicit RET +5 +\\d+`));
    assert.ok(lines.every((line) => line.length < 260 && !line.includes('B5EE9C72')));
  });

  it('takes every hash that trace prints, and replays a whole trace', async () => {
    const traced = await runProcess(['trace', hashes[1]!, '--network', local.network.v3]);
    const printed = traced.stdout.match(/\b[0-9a-f]{64}\b/g) ?? [];
    assert.deepEqual(printed, hashes);
    // The hash of a trace is that of its first transaction.
    const first = await replay(hashes[0]!);
    assert.match(first.stderr, /^This is the first transaction of its trace\. Add --trace/m);
    const whole = await replay(hashes[0]!, '--trace');
    assert.equal(whole.status, 0, whole.stderr);
    const lines = whole.stdout.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => /^exact +([0-9a-f]{64}) +(alice|bob) +exit code 0, /.exec(line)?.slice(1)),
      [
        [hashes[0], 'alice'],
        [hashes[1], 'bob'],
      ],
    );
    const json = await replay(message, '--trace', '--json');
    const told = json.stdout.trimEnd().split('\n');
    assert.deepEqual(
      told.map((line) => (JSON.parse(line) as { hash: string }).hash),
      hashes,
    );
  });

  it('replays a list in parts, one line each, and goes on after a bad hash', async () => {
    const list = path.join(folder, 'list.txt');
    await writeFile(list, `# transactions\n${hashes[0]}\n${'0'.repeat(64)}\n\n${hashes[1]}\n`);
    const [odd, even] = [
      await replay('--list', list, '--shard', '1/2'),
      await replay('--list', list, '--shard', '2/2'),
    ];
    const verdicts = odd.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { verdict: string }).verdict);
    assert.deepEqual([odd.status, verdicts], [0, ['exact', 'exact']]);
    const failed = JSON.parse(even.stdout) as { verdict: null; error: { code: string } };
    assert.deepEqual([even.status, failed.verdict, failed.error.code], [1, null, 'replay-not-found']);
    for (const args of [['--list', list, '--shard', '3/2'], ['--list', list, '--edit', 'time=1'], []]) {
      assert.equal((await replay(...args)).status, 2, args.join(' '));
    }
  });
});
