// Three runners and two versions of the sandbox take 18 seconds of processor time: each loads an emulator of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import path from 'node:path';
import type { CoverageData } from '@ton/sandbox';
import { collectAsmCoverage, coverageToJson, mergeCoverages } from '@ton/sandbox';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import { pace } from '../../scripts/lib/pace.mjs';
import { createSandboxEmulator } from '../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { Emulator } from '../../src/toolkit/execution/emulator/emulator';
import { callTrace } from '../../src/toolkit/testRuns/callTrace';
import { newestCall } from '../../src/toolkit/testRuns/newestCall';
import { runRecord } from '../../src/toolkit/testRuns/runRecord';
import { callWords, calledLines, testCalls, timesWords } from '../../src/toolkit/testRuns/testCalls';
import type { TestCall } from '../../src/toolkit/testRuns/testCalls';
import type { TestRecord, TestRecording } from '../../src/toolkit/testRuns/testRecording';
import { runCommandLine, startHere } from '../support/commandLine';
import { dropIn, officeTests, recorder, TestedProject } from './support/testedProject';

/** Tests that the runner does not translate, with everything that is hard to record. */
const hardTests = `import { Blockchain, defaultConfig } from '@ton/sandbox';
import { Cell, toNano } from '@ton/core';
import { describe, expect, it, vi } from 'vitest';
import { Office, refund, sell } from './office.js';

interface NothingAtRuntime {
  moves: 'lines';
}

describe('Office', () => {
  describe('in two chains', () => {
    it('sells', async () => {
      const [one, other] = await Promise.all([Blockchain.create(), Blockchain.create({ config: 'slim' })]);
      for (const chain of [one, other, one]) {
        const office = chain.openContract(Office.create() as any) as any;
        const alice = await chain.treasury('alice');
        await office.sendOrder(alice.getSender(), sell(3));
      }
    });
  });
  it('does not need the time', async () => {
    vi.useFakeTimers();
    const chain = await Blockchain.create();
    const office = chain.openContract(Office.create() as any) as any;
    const alice = await chain.treasury('alice');
    await office.sendOrder(alice.getSender(), Cell.EMPTY);
    await office.sendOrder(alice.getSender(), refund(toNano(500), alice.address));
    vi.useRealTimers();
  });
});
`;

const endless = `const { Blockchain } = require('@ton/sandbox');
it('does not end', async () => {
  const chain = await Blockchain.create();
  await chain.treasury('alice');
  process.stdout.write('recorded\\n');
  for (;;) {}
});
`;

/** What chains did, byte for byte: with two configurations, logs, a snapshot, and a refused message. */
const twins = `const fs = require('node:fs');
const sandbox = require(process.env.SANDBOX);
const { beginCell, Cell, toNano } = require('@ton/core');
const { Office, raffle, refund, sell } = require('./office.js');
const did = [];
const run = async (config, vmLogs) => {
  const chain = await sandbox.Blockchain.create({ config });
  if (!(chain instanceof sandbox.Blockchain) || !(chain instanceof require('@ton/sandbox').Blockchain)) {
    throw new Error('not a Blockchain');
  }
  chain.now = 1800000000;
  chain.random = Buffer.alloc(32, 7);
  chain.verbosity = { ...chain.verbosity, print: false, vmLogs };
  const alice = await chain.treasury('alice');
  const office = chain.openContract(Office.create());
  const keep = ({ transactions }) =>
    did.push(...transactions.map((one) => [one.raw.toBoc().toString('base64'), one.vmLogs]));
  keep(await office.sendOrder(alice.getSender(), Cell.EMPTY));
  const before = chain.snapshot();
  for (const body of [sell(3), raffle(), refund(toNano(500), alice.address), refund(toNano(1), alice.address)]) {
    keep(await office.sendOrder(alice.getSender(), body));
    did.push(await office.getNumber('sold'));
  }
  await office.sendKnock(beginCell().storeUint(8, 8).endCell()).catch((error) => did.push([error.exitCode, error.vmLogs]));
  await office.getNumber('seat', [{ type: 'int', value: 12n }]).catch((error) => did.push([error.exitCode, error.vmLogs]));
  await chain.loadFrom(before);
  did.push(await office.getNumber('sold'));
};
it('does the same', async () => {
  await run('default', 'none');
  await run('slim', 'vm_logs_full');
  await run('default', 'none');
  fs.writeFileSync(process.env.DID, JSON.stringify(did));
});
`;

/** What the sandbox itself says about the gas and the coverage of a contract. */
const told = `const fs = require('node:fs');
const { Blockchain, createMetricStore } = require('@ton/sandbox');
const { Cell, toNano } = require('@ton/core');
const { Office, raffle, refund, sell } = require('./office.js');
it('tells what it used', async () => {
  const metrics = createMetricStore();
  const chain = await Blockchain.create();
  chain.enableCoverage();
  const alice = await chain.treasury('alice');
  const office = chain.openContract(Office.create());
  for (const body of [Cell.EMPTY, sell(3), raffle(), refund(toNano(500), alice.address), refund(1n, alice.address)]) {
    await office.sendOrder(alice.getSender(), body);
  }
  await office.getNumber('sold');
  await office.getNumber('seat', [{ type: 'int', value: 3n }]);
  const own = metrics.filter(({ address }) => address === office.address.toString());
  fs.writeFileSync('told.json', JSON.stringify({
    address: office.address.toRawString(),
    gas: own.map(({ execute }) => execute.compute.gasUsed),
    coverage: JSON.parse(chain.coverage(office).toJson()),
  }));
});
`;

interface Told {
  address: string;
  gas: number[];
  coverage: { lines: { info: { $: string } }[] };
}

describe('recordings of tests', () => {
  let project: TestedProject;
  let emulator: Emulator;

  before(async () => {
    [project, emulator] = await Promise.all([TestedProject.create(), createSandboxEmulator()]);
    await project.put({
      'tests/office.test.js': officeTests,
      'tests/hard.spec.ts': hardTests,
      'endless.js': endless,
      'jest.config.js': 'module.exports = { testTimeout: 60000 };\n',
      'vitest.config.mjs': `export default { test: { include: ['tests/*.spec.ts'], testTimeout: 60000, setupFiles: [${JSON.stringify(recorder)}] } };`,
    });
  });
  after(() => project.remove());

  const verdicts = async (recording: TestRecording): Promise<string[]> => {
    const found = [];
    for (const record of recording.records) {
      const { isExact } = await runRecord(recording, record, emulator);
      found.push(`${kindOf(record)} ${isExact ? 'exact' : 'not exact'}`);
    }
    return [...new Set(found)].sort();
  };

  it('of Jest change no outcome, and every record runs again exactly', async () => {
    const plain = await project.run('jest/bin/jest.js', ['--verbose']);
    const recorded = await project.run('jest/bin/jest.js', ['--verbose', `--setupFilesAfterEnv=${recorder}`]);
    assert.deepEqual(outcomes(recorded.stderr), outcomes(plain.stderr));
    assert.equal(outcomes(plain.stderr).filter((one) => one.startsWith('✕')).length, 4);
    const recording = (await project.recordings()).get('tests--office.test.js.tontests');
    assert.ok(recording);
    const { header, records } = recording;
    assert.deepEqual(
      [header.runner, header.file, header.versions.sandbox],
      ['jest', 'tests/office.test.js', '0.41.0'],
    );
    assert.deepEqual(await verdicts(recording), ['get exact', 'message exact', 'refused exact']);
    assert.deepEqual(
      records.filter(({ test }) => test === 'Office sells 2').map((one) => [kindOf(one), one.at?.line]),
      [
        ['message', 10],
        ['message', 11],
        ['message', 11],
        ['message', 15],
        ['message', 15],
        ['get', 16],
      ],
    );
  });

  it('of Vitest know lines and names, with two chains and without time', async () => {
    const { status, stdout } = await project.run('vitest/vitest.mjs', ['run']);
    assert.equal(status, 0, stdout);
    const recording = (await project.recordings()).get('tests--hard.spec.ts.tontests');
    assert.ok(recording);
    assert.deepEqual(await verdicts(recording), ['message exact']);
    assert.equal(recording.header.runner, 'vitest');
    const calls = recording.records.map(({ test, chain, at }) => `${test} ${chain} ${at?.line}`);
    assert.deepEqual(
      [...new Set(calls)],
      [
        ...['1 16', '1 17', '2 16', '2 17'].map((call) => `Office in two chains sells ${call}`),
        ...[25, 26, 27].map((line) => `Office does not need the time 3 ${line}`),
      ],
    );
  });

  it('of Mocha, and with a sandbox of 2025, are the same', async () => {
    const old = await TestedProject.create({ oldSandbox: true });
    try {
      await old.put({ 'tests/office.test.js': officeTests });
      for (const [one, version] of [
        [project, '0.41.0'],
        [old, '0.35.1'],
      ] as const) {
        const { status, stdout } = await one.run('mocha/bin/mocha.js', [
          '--require',
          recorder,
          ...['--timeout', '60000'],
          'tests/office.test.js',
        ]);
        assert.equal(status, 4, stdout);
        const recording = (await one.recordings()).get('tests--office.test.js.tontests');
        assert.ok(recording);
        assert.deepEqual([recording.header.runner, recording.header.versions.sandbox], ['mocha', version]);
        assert.deepEqual(await verdicts(recording), ['get exact', 'message exact', 'refused exact']);
        assert.ok(recording.records.length > 40);
      }
    } finally {
      await old.remove();
    }
  });

  it('are the same with the drop-in for the sandbox, whose results are those of the sandbox', async () => {
    await project.put({ 'tests/twins.js': twins });
    const did = async (sandbox: string, ...args: string[]): Promise<string> => {
      const file = path.join(project.folder, 'did.json');
      const given = [...args, 'tests/twins.js', '--timeout', '600000'];
      const { status, stdout, stderr } = await project.run('mocha/bin/mocha.js', given, {
        SANDBOX: sandbox,
        DID: file,
      });
      assert.equal(status, 0, stdout + stderr);
      return readFile(file, 'utf8');
    };
    const plain = await did('@ton/sandbox');
    assert.ok((JSON.parse(plain) as unknown[]).length > 20);
    assert.equal(await did(dropIn), plain);
    assert.equal(await did(dropIn, '--require', recorder), plain);
    const records = [...(await project.recordings()).values()].flatMap((one) => one.records);
    const own = records.filter(({ at }) => at?.file === undefined);
    assert.ok(own.length > 0 && records.every((record) => record.replaced !== true));
  });

  it('give the gas and the coverage that the sandbox itself reports', async () => {
    await project.put({ 'tests/told.js': told });
    const given = ['--require', recorder, 'tests/told.js', '--timeout', '600000'];
    const { status, stdout, stderr } = await project.run('mocha/bin/mocha.js', given);
    assert.equal(status, 0, stdout + stderr);
    const says = JSON.parse(await readFile(path.join(project.folder, 'told.json'), 'utf8')) as Told;
    const recording = (await project.recordings()).get('tests--told.js.tontests');
    assert.ok(recording);
    const gas: (number | undefined)[] = [];
    const ofMessages: CoverageData[] = [];
    const ofMethods: CoverageData[] = [];
    for (const record of recording.records) {
      const ran = await runRecord(recording, record, emulator);
      const { code } = ran.deployed;
      if (ran.account === says.address && ran.recording !== undefined && code !== undefined) {
        (record.kind === 'get' ? ofMethods : ofMessages).push(collectAsmCoverage(code, ran.recording.log));
        gas.push(...(record.kind === 'get' ? [] : [ran.gasUsed]));
      }
    }
    assert.equal(says.gas.length, 5);
    assert.deepEqual(gas, says.gas);
    const coverage = JSON.parse(coverageToJson(mergeCoverages(...ofMessages, ...ofMethods))) as unknown;
    assert.ok(says.coverage.lines.filter(({ info }) => info.$ === 'Covered').length > 50);
    assert.deepEqual(coverage, says.coverage);
  });

  it('open after the run was killed', async () => {
    const mocha = path.join(project.folder, 'node_modules/mocha/bin/mocha.js');
    const child = spawn(process.execPath, [mocha, '--require', recorder, 'endless.js'], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === 'recorded') {
        break;
      }
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    const recording = (await project.recordings()).get('endless.js.tontests');
    assert.ok(recording);
    assert.deepEqual(await verdicts(recording), ['message exact']);
  });

  it('are calls of lines, each with its trace, and a step of a test has the call that it made', async () => {
    await project.run('mocha/bin/mocha.js', [
      ...['--require', recorder, '--timeout', '60000'],
      'tests/office.test.js',
    ]);
    const recording = (await project.recordings()).get('tests--office.test.js.tontests');
    assert.ok(recording);
    const calls = testCalls(recording);
    const lines = calledLines(calls);
    const words = lines.map(({ line, call, times }) => `${line} ${callWords(call)}${timesWords(times)}`);
    assert.deepEqual(
      words.map((one) => one.replaceAll(/\d[\d\s]* gas/g, 'N gas')),
      [
        ...['10 exit 0 · 1 tx · N gas · 8 calls', '11 exit 0 · 2 tx · N gas · 8 calls'],
        ...['15 exit 0 · 2 tx · N gas · 2 calls', '16 exit 0 · N gas · 2 calls'],
        ...['20 exit 0 · 2 tx · N gas', '21 exit 0 · N gas', '24 exit 0 · 1 tx · N gas'],
        ...['27 exit 402 · 3 tx · N gas', '31 exit 0, action 37 · 2 tx · N gas'],
        ...['35 exit 33, not accepted', '38 exit 77 · N gas'],
      ],
      words.join('\n'),
    );
    const refund = lines.find(({ line }) => line === 27)!.call;
    const { model, inputsOf } = await callTrace(recording, refund, emulator);
    assert.deepEqual(
      model.nodes.map((node) => node.transaction?.description?.compute_ph?.exit_code),
      [0, 402, 0],
    );
    assert.ok(model.nodes.every(({ hash }) => inputsOf(hash ?? '') !== undefined));
    const got = lines.find(({ line }) => line === 38)!.call;
    await assert.rejects(callTrace(recording, got, emulator), /no transaction, so there is no trace/);
    const upTo = (call: TestCall): Pick<TestRecording, 'records'> => ({
      records: recording.records.slice(0, call.records[0]!.n - 1),
    });
    const step = (
      before: Pick<TestRecording, 'records'> | undefined,
      call: TestCall,
      line: number,
    ): unknown => {
      const after = { records: recording.records.slice(0, call.records.at(-1)!.n) };
      return newestCall(testCalls(after), { before, after, line })?.records.map(({ n }) => n);
    };
    const numbers = (call: TestCall): number[] => call.records.map(({ n }) => n);
    assert.deepEqual(step(upTo(refund), refund, 27), numbers(refund));
    assert.deepEqual(step(undefined, refund, 27), numbers(refund), 'the recording began with this run');
    const otherRun = { records: upTo(refund).records.map((record) => ({ ...record, now: record.now + 1 })) };
    assert.deepEqual(step(otherRun, refund, 27), numbers(refund), 'it began anew');
    assert.equal(newestCall(calls, { before: recording, after: recording, line: 27 }), undefined);
  });

  it('are replayed, profiled, and covered by the commands, with the lines of the project', async () => {
    await project.run('mocha/bin/mocha.js', [
      ...['--require', recorder, '--timeout', '60000'],
      'tests/office.test.js',
    ]);
    const file = '.ton/tests/tests--office.test.js.tontests';
    const run = async (...args: string[]): Promise<string> => {
      const { status, stdout, stderr } = await runCommandLine(args, {}, project.folder);
      assert.equal(status, 0, stderr);
      return stdout;
    };
    assert.match(
      await run('replay', `${file}#too much`),
      /^Exact: .*exit code 402 \(ERR_TOO_MUCH\).*threw at contracts\/office\.tolk:22: .*order\.amount = 500 TON/s,
    );
    assert.match(await run('replay', `${file}#anybody`), /not accepted.*exit code 33.*office\.tolk:30/s);
    const seat = JSON.parse(await run('replay', `${file}#more seats`, '--json')) as Record<string, unknown>;
    assert.deepEqual([seat['verdict'], seat['ran'], seat['exitCode']], ['exact', 'get-method seat', 77]);
    assert.match(await run('profile', `${file}#sells 2:6`), /contracts\/office\.tolk:33/);
    const { files } = JSON.parse(await run('coverage', '--replays', file, '--json')) as {
      files: { file: string; lines: { line: number; hits: number }[] }[];
    };
    assert.deepEqual(
      files.map((one) => one.file),
      ['contracts/office.tolk'],
    );
    // No test sends an unknown message, or asks for a seat that there is.
    assert.deepEqual(
      files[0]!.lines.filter(({ hits }) => hits === 0).map(({ line }) => line),
      [26, 36],
    );
  });

  it('are debugged at the line that threw, backward, and through all that the test ran', async () => {
    const file = '.ton/tests/tests--office.test.js.tontests';
    const { firstLine, ended } = await startHere(
      ['debug', `${file}#too much`, '--dap', '0', '--json'],
      project.folder,
    );
    const client = new DebugClient('', '', 'ton');
    client.defaultTimeout = 20_000 * pace;
    await client.start((JSON.parse(firstLine) as { port: number }).port);
    const stopped = client.waitForEvent('stopped');
    const initialized = client.waitForEvent('initialized');
    await client.initializeRequest();
    await Promise.all([client.launchRequest({}), initialized]);
    await client.configurationDoneRequest();
    const { threadId, reason, text } = (await stopped).body as {
      threadId: number;
      reason: string;
      text?: string;
    };
    const line = async (): Promise<string> => {
      const { body } = await client.stackTraceRequest({ threadId });
      const { source, line: at } = body.stackFrames[0]!;
      return `${path.basename(source?.path ?? '')}:${at}`;
    };
    assert.deepEqual([reason, await line()], ['exception', 'office.tolk:22'], text);
    const back = client.waitForEvent('stopped');
    await client.stepBackRequest({ threadId });
    await back;
    assert.notEqual(await line(), 'office.tolk:22');
    const { body } = await client.threadsRequest();
    assert.deepEqual(
      body.threads.map(({ name }) => name.replace(/,.*/, '')),
      [23, 24, 25, 26, 27, 28].map((number) => `${number} a message`),
    );
    await client.stop().catch(() => undefined);
    assert.equal(await ended, 0);
  });
});

function kindOf(record: TestRecord): string {
  return record.kind === 'message' && record.transaction === undefined ? 'refused' : record.kind;
}

/** Each test with its outcome. Jest's report as JSON is none: it cannot hold the numbers of failed assertions. */
function outcomes(output: string): string[] {
  return [...output.matchAll(/^ +([✓✕] .+?)(?: \(\d+ ms\))?$/gm)].map(([, outcome = '']) => outcome);
}
