// Takes more than 20 s: thirty kept tests, each before and after the fix, four of them by Jest and Vitest, which start twice.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { Cell } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { installRunners } from '../../scripts/lib/installClients.mjs';
import { createSandboxEmulator } from '../../src/toolkit/execution/emulator/createSandboxEmulator';
import { describeTrace } from '../../src/toolkit/workflows/describeTrace';
import { keepTest } from '../../src/toolkit/workflows/keepTest';
import { replayFileText } from '../../src/toolkit/replay/replayFile';
import { lastError, runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { deskSource, deskTransaction, faults } from '../support/faultyDesk';
import { makeTestedFolder, ownPackages, putFiles, removeFolder } from '../support/testedFolder';

interface Kept {
  as: string;
  files: string[];
  was: string;
  today: string;
  expected: number;
  run: string;
}

/** The exit status of a program that runs in a folder. */
function exitOf(program: string, args: readonly string[], cwd: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    spawn(program, args, { cwd, stdio: 'ignore' }).once('error', reject).once('exit', resolve);
  });
}

describe('keep', () => {
  let folder: string;
  let code: Cell;
  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine(args, { TON_CACHE_FOLDER: path.join(folder, 'cache') }, folder);
  const put = (files: Readonly<Record<string, string>>): Promise<void> => putFiles(folder, files);
  const keep = async (file: string, ...args: string[]): Promise<Kept> => {
    const { status, stdout, stderr } = await run('keep', file, '--json', ...args);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as Kept;
  };

  before(async () => {
    const faulty = deskSource('faulty');
    folder = await makeTestedFolder({
      contract: { name: 'desk', source: faulty },
      packages: {
        jest: ownPackages,
        vitest: path.join(await installRunners(), 'node_modules'),
        '@ton/sandbox': ownPackages,
        '@ton/core': ownPackages,
        '@ton/tolk-js': ownPackages,
      },
      files: {
        'package.json': JSON.stringify({ private: true, scripts: { test: 'jest' } }),
        'jest.config.js':
          "module.exports = { testMatch: ['**/jest/*.spec.js'], testTimeout: 600000, maxWorkers: 1 };\n",
        'vitest.config.mjs':
          "export default { test: { testTimeout: 600000, include: ['**/vitest/*.spec.js'], fileParallelism: false } };\n",
      },
    });
    const compiled = await runTolkCompiler({ entrypointFileName: 'desk.tolk', fsReadCallback: () => faulty });
    assert.equal(compiled.status, 'ok');
    code = Cell.fromBase64(compiled.status === 'ok' ? compiled.codeBoc64 : '');
    const emulator = await createSandboxEmulator();
    for (const fault of faults) {
      for (const n of [0, 1, 2]) {
        const inputs = await deskTransaction(emulator, code, fault, n);
        await put({ [`failed/${fault.op}-${n}.tonreplay`]: replayFileText(inputs) });
      }
    }
  });
  after(() => removeFolder(folder));

  it('keeps thirty failures, as sheets and in two test runners, that fail today and pass once the source is mended', async () => {
    const forms = ['sheet', 'jest', 'vitest'] as const;
    // The project's own runner is Jest.
    const running = { sheet: 'ton-workbench run', jest: 'ton-workbench test', vitest: 'npx vitest run' };
    const kept: { form: string; file: string }[] = [];
    const emulator = await createSandboxEmulator();
    const contract = { name: 'desk', code: code.toBoc().toString('base64') };
    for (const [index, fault] of faults.entries()) {
      for (const [n, form] of forms.entries()) {
        // Seven spends more than the contract has: its actions fail, not its code.
        const failure = `${fault.op === 7 ? 'result' : 'exit code'} ${fault.exit}`;
        const ended = fault.exit === 0 ? 'success' : failure;
        const right = fault.right === undefined ? [] : ['--exit', String(fault.right)];
        if (index % 9 === 0) {
          const one = await keep(`failed/${fault.op}-${n}.tonreplay`, '--as', form, '--out', form, ...right);
          assert.deepEqual([one.as, one.was.split(' (', 1)[0], one.today], [form, ended, one.was]);
          assert.equal(one.run, `${running[form]} ${one.files[0]}`);
          kept.push({ form, file: one.files[0]! });
          continue;
        }
        const { files, today } = await keepTest({
          inputs: await deskTransaction(emulator, code, fault, n),
          ...{
            built: contract,
            source: 'contracts/desk.tolk',
            style: undefined,
            folder: 'sheet',
            exit: 0,
            emulator,
          },
          describe: (model) => describeTrace(model, {}),
        });
        assert.equal(today.split(' (', 1)[0], ended);
        await put(Object.fromEntries(files.map(({ path: name, text }) => [name, text])));
        kept.push({ form: 'sheet', file: files[0]!.path });
      }
    }
    assert.equal(kept.length, 30);
    const of = (form: string): string[] => kept.filter((one) => one.form === form).map(({ file }) => file);
    const verdicts = async (): Promise<Record<string, string>> => {
      const { stdout } = await run('run', ...of('sheet'), '--json');
      const steps = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { passed: boolean }).passed);
      const ended = of('sheet').map((file, index) => [file, steps[index] === true ? 'passed' : 'failed']);
      for (const runner of ['jest', 'vitest']) {
        await put({ 'package.json': JSON.stringify({ private: true, scripts: { test: runner } }) });
        const { stdout: told, stderr } = await run('test', '--json');
        const answer = JSON.parse(told) as { passed: number; failed: number; failures: { file: string }[] };
        assert.equal(answer.passed + answer.failed, 2, stderr);
        const failed = new Set(answer.failures.map(({ file }) => file));
        ended.push(...of(runner).map((file) => [file, failed.has(file) ? 'failed' : 'passed']));
      }
      return Object.fromEntries(ended) as Record<string, string>;
    };
    const all = (verdict: string): Record<string, string> =>
      Object.fromEntries(kept.map(({ file }) => [file, verdict]));
    assert.deepEqual(await verdicts(), all('failed'));
    await put({ 'contracts/desk.tolk': deskSource('mended') });
    assert.deepEqual(await verdicts(), all('passed'));
  });

  it("runs in runners that are not the project's, by the command that it prints", async () => {
    await put({
      'contracts/desk.tolk': deskSource('faulty'),
      'package.json': JSON.stringify({ private: true, scripts: { test: 'jest' } }),
    });
    const statuses = (files: readonly string[]): Promise<(number | null)[]> =>
      Promise.all(files.map((file) => exitOf(process.execPath, ['--test', file], folder)));
    const kept = [
      await keep('failed/3-1.tonreplay', '--as', 'node', '--out', 'own'),
      await keep('failed/7-1.tonreplay', '--as', 'node', '--out', 'own'),
    ];
    assert.deepEqual(
      kept.map((one) => one.run),
      kept.map(({ files }) => `node --test ${files[0]}`),
    );
    const files = kept.map((one) => one.files[0]!);
    assert.deepEqual(await statuses(files), [1, 1]);
    await put({ 'contracts/desk.tolk': deskSource('mended') });
    assert.deepEqual(await statuses(files), [0, 0]);
  });

  it('refuses what would pass already, and overwrites nothing', async () => {
    await put({ 'contracts/desk.tolk': deskSource('faulty') });
    const passes = await run('keep', 'failed/10-1.tonreplay', '--as', 'sheet');
    assert.equal(lastError(passes).code, 'keep-passes');
    assert.match(lastError(passes).message, /ends with success.*--exit 401/);
    const again = (): Promise<CommandLineRun> =>
      run('keep', 'failed/2-1.tonreplay', '--as', 'sheet', '--out', 'twice');
    assert.equal((await again()).status, 0);
    assert.equal(lastError(await again()).code, 'keep-impossible');
  });
});
