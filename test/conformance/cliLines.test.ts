import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lcovParser } from '@friedemannsommer/lcov-parser';
import { root } from '../../scripts/lib/root.mjs';
import { lastError, runCommandLine, runProcess } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetHere } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';

const reset = 'b(u32 0x3a752f06, u64 0, i64 5)';
const increase = 'b(u32 0x7e8764ef, u64 0, i32 5)';

describe('source lines on the command line', () => {
  let localnet: LocalnetCommand;
  let folder: string;
  let file: string;
  /** Hashes of the counter's transactions: one that failed, one that did not. */
  let failed: string;
  let succeeded: string;

  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine(
      [...args, '--network', localnet.origin],
      // What is compiled once is not compiled again.
      { TON_CACHE_FOLDER: path.join(folder, 'compiled') },
      folder,
    );
  /** Sends a message to the counter, and returns the hash of its transaction there. */
  const send = async (body: string, from: string): Promise<string> => {
    const sent = await run('send', '--compose', `Counter 0.1ton body ${body} from ${from}`, '--anyway');
    assert.notEqual(sent.status, 2, sent.stderr);
    const { stdout } = await run('trace', 'Counter', '--limit', '1');
    return /B Counter .* ([0-9a-f]{64})$/m.exec(stdout)?.[1] ?? assert.fail(stdout);
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-lines-'));
    await mkdir(path.join(folder, 'contracts'));
    await writeFile(path.join(folder, 'package.json'), '{}');
    file = path.join(folder, 'contracts/counter.tolk');
    await copyFile(path.join(root, 'examples/contracts/counter.tolk'), file);
    localnet = await startLocalnetHere();
    const deployed = await run('deploy', 'contracts/counter.tolk', '--data', '{owner: alice, value: 10}');
    assert.equal(deployed.status, 0, deployed.stdout + deployed.stderr);
    failed = await send(reset, 'bob');
    succeeded = await send(increase, 'bob');
  });
  after(async () => {
    await localnet?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('say where a replayed transaction failed, and the values there', async () => {
    const traced = await run('trace', failed);
    assert.match(
      traced.stdout,
      /^✗ Counter refused .*\n {4}contracts\/counter\.tolk:44 {2}assert \(in\.senderAddress == storage\.owner\)\n {4}.* {2}bob +== alice\n {2}bob → Counter, 0\.1 TON; /m,
    );
    assert.match(
      traced.stderr,
      new RegExp(`ton-workbench replay ${failed} --steps -n ${localnet.origin}$`, 'm'),
    );
    // Without the source, it says which command tells why.
    const elsewhere = await runCommandLine(['trace', failed, '--network', localnet.origin], {}, tmpdir());
    assert.doesNotMatch(elsewhere.stdout, /counter\.tolk:44/);
    assert.match(elsewhere.stderr, new RegExp(`ton-workbench replay ${failed} -n ${localnet.origin}$`, 'm'));
    assert.doesNotMatch((await run('trace', succeeded)).stderr, /replay/);
    const { status, stdout } = await run('replay', failed);
    assert.equal(status, 0, stdout);
    assert.match(
      stdout,
      /^threw at contracts\/counter\.tolk:44: assert \(in\.senderAddress == storage\.owner\)/m,
    );
    assert.match(stdout, /^ {2}storage\.owner = alice$/m);
    const json = await run('replay', failed, '--json');
    const { thrownAt } = JSON.parse(json.stdout) as { thrownAt: Record<string, unknown> };
    assert.deepEqual(
      [thrownAt['file'], thrownAt['line'], thrownAt['function']],
      ['contracts/counter.tolk', 44, 'onInternalMessage'],
    );
    assert.match(JSON.stringify(thrownAt['values']), /storage\.owner/);
  });

  it('say why, also of a trace whose first transaction did not fail', async () => {
    const answer = await fetch(`${localnet.ready.v3}/traces?tx_hash=${failed}`);
    const { traces } = (await answer.json()) as { traces: { trace_id: string }[] };
    const first = Buffer.from(traces[0]?.trace_id ?? '', 'base64').toString('hex');
    assert.notEqual(first, failed);
    const why = await run('debug', first, '--why');
    assert.equal(why.status, 0, why.stderr);
    assert.match(why.stderr, /^1 bob did not fail; 2 Counter did\.$/m);
    assert.match(why.stdout, /the sender of the message = bob /);
    assert.match(why.stdout, /storage\.owner = alice/);
  });

  it('say where a message failed that was sent, and which command tells more', async () => {
    const line = `Counter 0.1ton body ${reset} from bob`;
    const sent = await run('send', '--compose', line, '--anyway');
    assert.deepEqual([sent.status, lastError(sent).code], [1, 'trace-failed']);
    assert.match(sent.stdout, /\n\nCounter refused .*\n {4}contracts\/counter\.tolk:44 {2}assert /);
    const [, hash] =
      /ton-workbench replay ([0-9a-f]{64}) --steps -n \S+$/.exec(lastError(sent).message) ?? [];
    const replayed = await run('replay', hash ?? assert.fail(sent.stderr), '--json');
    assert.match(replayed.stdout, /"line":44/);
    const json = await run('send', '--compose', line, '--anyway', '--json');
    assert.match(lastError(json).message, /ton-workbench replay [0-9a-f]{64} -n \S+$/);
  });

  it('are of the last transaction of an account that is named instead of a hash', async () => {
    const { status, stdout, stderr } = await run('profile', 'Counter');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /contracts\/counter\.tolk:44/);
    assert.match(stderr, /^The last transaction of Counter: [0-9a-f]{64}$/m);
    const unknown = await run('replay', 'nobody');
    assert.deepEqual([unknown.status, lastError(unknown).code], [2, 'account-unknown']);
    for (const ended of [unknown, await run('debug', 'ab'.repeat(20), '--dap', '0')]) {
      assert.match(lastError(ended).message, /ton-workbench trace ACCOUNT/);
    }
    const [covered, asOption] = [
      await run('coverage', 'Counter'),
      await run('coverage', '--address', 'Counter'),
    ];
    assert.equal(covered.status, 0);
    assert.equal(covered.stdout, asOption.stdout);
  });

  it('are beside each step, and are those of the file', async () => {
    const { stdout } = await run('replay', succeeded, '--steps');
    assert.doesNotMatch(stdout, /threw at/);
    const text = (await readFile(file, 'utf8')).split('\n');
    const steps = [...stdout.matchAll(/counter\.tolk:(\d+) +(\S+(?: \S+)*?) {2}/g)];
    assert.ok(steps.length > 20, stdout);
    const added = steps.find(([, , instruction]) => instruction === 'ADD');
    assert.match(text[Number(added?.[1]) - 1] ?? '', /storage\.value \+= message\.by/);
    const [, total] = /, (\d+) steps/.exec(stdout) ?? [];
    // Only the three instructions that select the method have none.
    assert.equal(steps.length, Number(total) - 3);
  });

  it('have the gas that a transaction used, in text, JSON, and a file for viewers', async () => {
    const file = path.join(folder, 'increase.cpuprofile');
    const text = await run('profile', succeeded, '--cpuprofile', file);
    assert.equal(text.status, 0, text.stderr);
    assert.match(text.stdout, /^ *\d+ +[\d.]+% +1 +Storage\.save +contracts\/counter\.tolk:16$/m);
    const { stdout } = await run('profile', succeeded, '--json');
    const told = JSON.parse(stdout) as {
      gasUsed: number;
      lines: { file: string; line: number; gas: number; steps: number }[];
      functions: { name: string; calls: number }[];
      unmapped: { gas: number; steps: number };
    };
    const replayed = await run('replay', succeeded, '--json');
    const { gasUsed, steps } = JSON.parse(replayed.stdout) as { gasUsed: number; steps: number };
    assert.equal(told.gasUsed, gasUsed);
    const sum = (key: 'gas' | 'steps'): number =>
      told.lines.reduce((total, line) => total + line[key], told.unmapped[key]);
    assert.deepEqual([sum('gas'), sum('steps')], [gasUsed, steps]);
    assert.equal(told.unmapped.steps, 3);
    const profile = JSON.parse(await readFile(file, 'utf8')) as { endTime: number };
    assert.equal(profile.endTime, gasUsed);
    const wallet = await run(
      'profile',
      failed,
      '--source',
      path.join(root, 'examples/contracts/counter.tolk'),
    );
    assert.equal(wallet.status, 0, wallet.stderr);
  });

  it('are instructions where no source is known, which one line says', async () => {
    const elsewhere = (...args: string[]): Promise<CommandLineRun> =>
      runCommandLine([...args, '--network', localnet.origin], {}, tmpdir());
    const chart = path.join(folder, 'instructions.cpuprofile');
    const text = await elsewhere('profile', succeeded, '--cpuprofile', chart);
    assert.equal(text.status, 0, text.stderr);
    const why = 'No source here compiles to the code that ran, so it is shown by its instructions.';
    assert.equal(text.stderr.trimEnd(), why);
    assert.match(text.stdout, /^ *[\d ]+ +[\d.]+% +1 +recv_internal +code [0-9a-f]{8}:\d+$/m);
    assert.match(text.stdout, /^ *\d+ +[\d.]+% +1 +[0-9a-f]{8}:\d+ {2}PUSH c4$/m);
    const { gasUsed, lines, unmapped } = JSON.parse(
      (await elsewhere('profile', succeeded, '--json')).stdout,
    ) as {
      gasUsed: number;
      lines: { text: string; gas: number; steps: number }[];
      unmapped: { gas: number; steps: number };
    };
    const replayed = await elsewhere('replay', succeeded, '--json');
    const told = JSON.parse(replayed.stdout) as { gasUsed: number; steps: number };
    const sum = (key: 'gas' | 'steps'): number =>
      lines.reduce((total, line) => total + line[key], unmapped[key]);
    assert.deepEqual([sum('gas'), sum('steps'), gasUsed], [told.gasUsed, told.steps, told.gasUsed]);
    assert.equal(unmapped.steps, 3);
    const { timeDeltas, nodes } = JSON.parse(await readFile(chart, 'utf8')) as {
      timeDeltas: number[];
      nodes: { callFrame: { url: string } }[];
    };
    assert.ok(nodes.every(({ callFrame }) => /^(?:code [0-9a-f]{8})?$/.test(callFrame.url)));
    assert.ok(timeDeltas.length >= told.steps);
    // The position and the instruction are those of a step.
    const steps = await elsewhere('replay', succeeded, '--steps');
    assert.ok(steps.stderr.startsWith(why), steps.stderr);
    const [position, instruction] = lines[0]!.text.split(/ {2}/);
    assert.ok(
      steps.stdout.includes(`  ${position} `) && steps.stdout.includes(`  ${instruction} `),
      lines[0]!.text,
    );
    // A wallet, whose source nobody has here, too.
    const wallet = await elsewhere('profile', 'alice');
    assert.equal(wallet.status, 0, wallet.stderr);
    assert.match(wallet.stdout, /recv_external/);
  });

  it('have gas that is compared with a baseline in a file, also when the source has changed', async () => {
    const baseline = path.join(folder, 'gas-baseline.json');
    const missing = await run('profile', succeeded, '--baseline', baseline);
    assert.deepEqual([missing.status, lastError(missing).code], [2, 'file-unreadable']);
    await writeFile(baseline, '{"Vault Drop": 700}');
    const saved = await run('profile', succeeded, '--save-baseline', baseline);
    assert.equal(saved.status, 0, saved.stderr);
    assert.match(saved.stderr, /Saved Counter Increase in /);
    const kept = JSON.parse(await readFile(baseline, 'utf8')) as Record<string, { gas: number }>;
    assert.deepEqual(Object.keys(kept), ['Counter Increase', 'Vault Drop']);
    const same = await run('profile', succeeded, '--baseline', baseline);
    assert.match(same.stdout, /^compared with the baseline: .* gas \(±0, 0\.0%\)\n\nNo line uses more/m);
    const cheaper = (await readFile(baseline, 'utf8')).replace(
      /("storage\.value \+= message\.by;": )(\d+)/,
      '$17',
    );
    assert.match(cheaper, /message\.by;": 7,?\n/);
    await writeFile(baseline, cheaper);
    const { stdout } = await run('profile', succeeded, '--baseline', baseline, '--json');
    const { comparison } = JSON.parse(stdout) as {
      comparison: { now: number; lines: { text: string; before: number; now: number; change: number }[] };
    };
    assert.equal(comparison.now, kept['Counter Increase']?.gas);
    const [first] = comparison.lines;
    assert.deepEqual([first?.text, first?.before], ['storage.value += message.by;', 7]);
    assert.equal(first?.change, (first?.now ?? 0) - 7);
    const none = await run('profile', failed, '--baseline', baseline, '--json');
    assert.match(none.stderr, /This run is not in a baseline: it failed/);
    assert.equal((JSON.parse(none.stdout) as { comparison: unknown }).comparison, null);
  });

  it('are counted for the transactions of an account', async () => {
    const file = path.join(folder, 'lcov.info');
    const { status, stdout } = await run('coverage', '--address', 'Counter', '--lcov', file);
    assert.equal(status, 0);
    assert.match(stdout, /^5 of 5 transactions ran code with source lines$/m);
    const lcov = await readFile(file, 'utf8');
    const text = (await readFile(path.join(folder, 'contracts/counter.tolk'), 'utf8')).split('\n');
    const hits = new Map(
      [...lcov.matchAll(/^DA:(\d+),(\d+)$/gm)].map(([, line, count]) => [Number(line), Number(count)]),
    );
    const at = (words: string): number | undefined =>
      hits.get(text.findIndex((line) => line.includes(words)) + 1);
    assert.equal(at('assert (in.senderAddress == storage.owner)'), 3);
    assert.equal(at('storage.value = message.value'), 0);
    assert.equal(at('storage.value += message.by'), 1);
    assert.match(lcov, /^FNDA:0,isOwner$/m);
    // Code without a source is counted by its instructions; a file of lines would be empty.
    const none = await run('coverage', '--address', 'alice');
    assert.match(none.stdout, /^0 of \d+ transactions ran code with source lines$/m);
    assert.match(none.stderr, /transactions? ran code whose source lines are not known here\./);
    assert.equal(none.status, 0, none.stderr);
    const [, ran, all, ranMethods, methods, idle = ''] =
      /^code [0-9a-f]{8} +(\d+) of (\d+) +(\d+) of (\d+) {2}(.*)$/m.exec(none.stdout) ??
      assert.fail(none.stdout);
    assert.ok(Number(ran) > 20 && Number(ran) < Number(all), none.stdout);
    assert.ok(Number(ranMethods) >= 1 && Number(ranMethods) < Number(methods), none.stdout);
    assert.match(idle, /\bseqno\b/);
    assert.doesNotMatch(idle, /recv_external/);
    const noLcov = await run('coverage', '--address', 'alice', '--lcov', path.join(folder, 'none.info'));
    assert.deepEqual([noLcov.status, lastError(noLcov).code], [1, 'coverage-empty']);
    // Elsewhere, a source that is compiled only if it is named may be the one.
    const other = await mkdtemp(path.join(tmpdir(), 'tonwb-func-'));
    try {
      await writeFile(path.join(other, 'counter.fc'), 'int value() method_id { return 1; }');
      await writeFile(path.join(other, 'package.json'), '{}');
      const args = ['coverage', '--address', 'Counter', '--network', localnet.origin];
      const unnamed = await runCommandLine(args, {}, other);
      assert.match(unnamed.stderr, /^For source lines, add --source counter\.fc: /m);
      assert.doesNotMatch(unnamed.stderr, /No source here/);
    } finally {
      await rm(other, { recursive: true, force: true });
    }
    assert.equal((await run('coverage', '--address', 'Counter', '--limit', '0')).status, 2);
    assert.equal((await run('coverage')).status, 2);
  });

  it('and branches are read by tools for lcov as they are, also from saved replays', async () => {
    const lcov = path.join(folder, 'all.info');
    const all = await run('coverage', '--address', 'Counter', '--lcov', lcov);
    const [record] = await lcovParser({ from: await readFile(lcov) });
    const lines = record!.lines.details;
    const branches = record!.branches.details;
    assert.equal(record!.path, 'contracts/counter.tolk');
    assert.equal(record!.lines.hit, lines.filter(({ hit }) => hit > 0).length);
    assert.equal(record!.lines.instrumented, lines.length);
    assert.equal(record!.branches.hit, branches.filter(({ hit }) => hit > 0).length);
    assert.equal(record!.branches.instrumented, branches.length);
    // What the summary says is what the file says.
    const said = [record!.lines, record!.branches, record!.functions].map(
      ({ hit, instrumented }) => `${hit} of ${instrumented}`,
    );
    assert.match(all.stdout, new RegExp(`contracts/counter\\.tolk +${said.join(' +')}  `));
    // Resets were refused, none was accepted.
    const text = (await readFile(file, 'utf8')).split('\n');
    const guard = text.findIndex((line) => line.includes('assert (in.senderAddress')) + 1;
    assert.deepEqual(
      branches.filter(({ line }) => line === guard).map(({ hit }) => hit),
      [3, 0],
    );

    const saved = ['failed.tonreplay', 'succeeded.tonreplay'];
    await run('replay', failed, '--save', saved[0]!);
    await run('replay', succeeded, '--save', saved[1]!);
    const offline = path.join(folder, 'offline.info');
    const args = ['coverage', '--replays', ...saved, '--lcov', offline, '--network', 'http://127.0.0.1:9'];
    const { status, stdout, stderr } = await runCommandLine(args, {}, folder);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^2 of 2 transactions ran code with source lines$/m);
    const [same] = await lcovParser({ from: await readFile(offline) });
    assert.deepEqual(
      same!.branches.details.filter(({ line }) => line === guard).map(({ hit }) => hit),
      [1, 0],
    );
    const missing = await run('coverage', '--replays', 'missing.tonreplay');
    assert.deepEqual([missing.status, lastError(missing).code], [2, 'file-unreadable']);
  });

  it('are the same from a cache, for which no compiler starts', async () => {
    const log = path.join(folder, 'threads.log');
    const spy = path.join(folder, 'spy.cjs');
    // Writes down which threads a command starts.
    await writeFile(
      spy,
      `const threads = require('node:worker_threads');
      const { Worker } = threads;
      threads.Worker = class extends Worker {
        constructor(file, options) {
          require('node:fs').appendFileSync(process.env.THREADS_LOG, require('node:path').basename(String(file)) + ' ');
          super(file, options);
        }
      };
      require('node:module').syncBuiltinESMExports();`,
    );
    const start = async (args: readonly string[]): Promise<CommandLineRun & { threads: string }> => {
      await writeFile(log, '');
      const environment = {
        NODE_OPTIONS: `--require ${JSON.stringify(spy)}`,
        THREADS_LOG: log,
        TON_CACHE_FOLDER: path.join(folder, 'cache'),
      };
      const ended = await runProcess([...args, '--network', localnet.origin], environment, folder);
      return { ...ended, threads: await readFile(log, 'utf8') };
    };
    for (const args of [
      ['replay', failed, '--steps'],
      ['deploy', 'contracts/counter.tolk', '--data', '{owner: alice, value: 10}'],
      ['coverage', 'Counter'],
    ]) {
      await rm(path.join(folder, 'cache'), { recursive: true, force: true });
      const [first, second] = [await start(args), await start(args)];
      assert.equal(first.status, 0, first.stderr);
      assert.match(first.threads, /sourceWorker\.js/);
      assert.doesNotMatch(second.threads, /sourceWorker\.js/);
      assert.deepEqual({ ...second, threads: '' }, { ...first, threads: '' });
    }
  });

  it('are not shown if the source no longer compiles to the code, which is said', async () => {
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('storage.value += message.by', 'storage.value += message.by * 2'));
    const { stdout, stderr } = await run('replay', succeeded, '--steps');
    await writeFile(file, text);
    assert.doesNotMatch(stdout, /counter\.tolk:\d+/);
    assert.match(stderr, /no longer compiles to the code that ran|No source here compiles/);
    const other = path.join(root, 'test/conformance/contracts/walletV3.tolk');
    const named = await run('replay', succeeded, '--source', other);
    assert.match(named.stderr, /does not compile to the code that ran/);
  });
});
