// Runs the tests of a project under three runners, each of which loads an emulator of its own: 20 seconds.
import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DeltaResult, SnapshotMetric } from '@ton/sandbox';
import { gasReportTable, makeGasReport } from '@ton/sandbox';
import { lastError, runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { officeTests, TestedProject } from './support/testedProject';

/** What of the answer is looked at. */
interface Answer {
  runner: string;
  status: number;
  passed: number;
  failed: number;
  records: number;
  failures: {
    name: string;
    file: string;
    line?: number;
    about?: {
      record: string;
      ran: string;
      line: number;
      exitCode: number;
      result: string;
      isExact: boolean;
      thrownAt?: { file: string; line: number; values: { name: string; value: string }[] };
    };
  }[];
  gasChanges?: { contract: string; ran: string; before: number | null; after: number | null }[];
  gasRows?: { contract: string; ran: string; runs: number; least: number; most: number }[];
}

/** What each of the four failed tests is about, whatever runs them. */
const expected = [
  'Office refunds too much | 28 | a message on office | 27 | 402 | office.tolk:22 order.amount = 500000000000, kept.limit = 100000000000',
  'Office refunds what it does not have | 32 | a message on office | 31 | 0 | office.tolk:24 back.messageCell = cell of 424 bits, SEND_MODE_REGULAR = 0',
  'Office opens to anybody | 35 | a message that was not accepted on office | 35 | 33 | office.tolk:30 message = slice of 8 bits',
  'Office has more seats | 38 | get-method seat on office | 38 | 77 | office.tolk:35 number = 12',
];

describe('the test command', () => {
  let project: TestedProject;

  before(async () => {
    project = await TestedProject.create();
    await project.put({
      'tests/office.test.js': officeTests,
      'tests/plain.test.js':
        "it('adds', () => { if (globalThis.isSetUp !== true) throw new Error('no set-up'); });\n",
      'jest.config.js':
        "module.exports = { testTimeout: 60000, setupFilesAfterEnv: ['<rootDir>/setUp.js'] };\n",
      'setUp.js': 'globalThis.isSetUp = true;\n',
      'vitest.config.mjs':
        "export default { test: { globals: true, testTimeout: 60000, include: ['tests/office.test.js'] } };\n",
    });
  });
  after(() => project.remove());

  const test = async (script: string, ...args: string[]): Promise<CommandLineRun & { answer: Answer }> => {
    await project.put({ 'package.json': JSON.stringify({ private: true, scripts: { test: script } }) });
    const run = await runCommandLine(['test', '--json', ...args], {}, project.folder);
    return { ...run, answer: JSON.parse(run.stdout || '{}') as Answer };
  };
  const told = ({ failures }: Answer): string[] =>
    failures.map(({ name, line, about }) => {
      assert.equal(about?.isExact, true, name);
      const { ran, line: call, exitCode, thrownAt } = about;
      const values = thrownAt?.values.map((one) => `${one.name} = ${one.value}`).join(', ');
      const place =
        thrownAt === undefined ? '' : `${path.posix.basename(thrownAt.file)}:${thrownAt.line} ${values}`;
      return [name, line, ran, call, exitCode, place].join(' | ');
    });

  it('runs Jest with its own set-up, leads from each failed test to the line, and counts lines and gas', async () => {
    const { status, stderr, answer } = await test(
      'jest',
      ...['--lcov', 'lcov.info', '--junit', 'junit.xml', '--replays', 'failed', '--gas'],
      ...['--gas-snapshot', 'gas.json'],
    );
    assert.equal(status, 1, stderr);
    assert.deepEqual([answer.runner, answer.passed, answer.failed], ['jest', 5, 4]);
    assert.deepEqual(told(answer), expected);
    assert.match(answer.failures[1]?.about?.result ?? '', /its actions failed with 37/);
    assert.match(
      await readFile(path.join(project.folder, 'lcov.info'), 'utf8'),
      /SF:contracts\/office\.tolk[^]*DA:33,3\n/,
    );
    assert.match(
      await readFile(path.join(project.folder, 'junit.xml'), 'utf8'),
      /<testsuites name="TON Workbench tests" tests="9" failures="4"[^]*office\.tolk:22/,
    );
    const saved = await readdir(path.join(project.folder, 'failed'));
    assert.equal(saved.length, 2);
    assert.match(
      stderr,
      /so 2 of the causes are not saved: get-methods, and messages that were not accepted\./,
    );
    const again = await runCommandLine(['replay', `failed/${saved[0]}`], {}, project.folder);
    assert.match(again.stdout, /^Exact: .*from +a test of tests\/office\.test\.js.*402 \(ERR_TOO_MUCH\)/s);
    const sold = answer.gasRows?.find(({ ran }) => ran === 'get-method sold');
    assert.deepEqual([sold?.contract, sold?.runs, sold?.least], ['office', 3, sold?.most]);
    // Blueprint reads it, and finds the same figures.
    const snapshot = JSON.parse(
      await readFile(path.join(project.folder, 'gas.json'), 'utf8'),
    ) as SnapshotMetric;
    const [{ result }] = makeGasReport([{ ...snapshot, createdAt: new Date(snapshot.createdAt) }]) as [
      DeltaResult,
    ];
    assert.equal(result['office']?.['get-method sold']?.['gasUsed']?.value, String(sold?.most));
    assert.match(gasReportTable([{ label: '', createdAt: new Date(), result }]), /get-method sold/);
  });

  it('leads from the values of a failed test to the line of the test, by its names, also over its set-up', async () => {
    const { answer } = await test('jest');
    const records = answer.failures.map(({ about }) => about!.record);
    const told = async (command: string, failure: number, ...more: string[]): Promise<string> =>
      (await runCommandLine([command, records[failure]!, ...more], {}, project.folder)).stdout;
    const value = await told('debug', 0, '--why');
    assert.match(value, /← alice sent it .* alice, step/);
    assert.match(value, /← a message from outside: tests\/office\.test\.js:27 /);
    assert.match(value, /← c4\.limit = 100 TON .*\n +← the account was deployed with it/);
    const balance = await told('debug', 1, '--why', 'tx.balance');
    assert.match(balance, /← the transaction before left it/);
    assert.doesNotMatch(balance, /unknown/);
    assert.match(
      await told('debug', 2, '--why'),
      /← the body of a message from outside: tests\/office\.test\.js:35 /,
    );
    const actions = await told('replay', 1);
    assert.match(actions, /exit code 0, but its actions failed with 37 \(not enough coins\)/);
    assert.match(actions, /\nadded the action that failed at \S*office\.tolk:24: back\.send/);
    const { actionResult, thrownAt } = JSON.parse(await told('replay', 1, '--json')) as {
      actionResult: number;
      thrownAt: { line: number };
    };
    assert.deepEqual([actionResult, thrownAt.line], [37, 24]);
  });

  it('fails if a test did, even if the runner does not say so, and says if none ran', async () => {
    await project.put({
      'ends.test.js': `const assert = require('node:assert');
it('fails', () => assert.equal(1, 2));
after(() => process.exit(0));
`,
    });
    const { status, stderr, answer } = await test('mocha ends.test.js');
    await rm(path.join(project.folder, 'ends.test.js'));
    assert.deepEqual([answer.status, answer.failed], [0, 1], stderr);
    assert.equal(status, 1);
    assert.match(stderr, /The runner ended with status 0, but a test failed\./);
    const none = await test('jest', 'no-such-file');
    assert.match(none.stderr, /No test ran\./);
  });

  it('shows what takes other gas than in a snapshot, and nothing if nothing does', async () => {
    const file = path.join(project.folder, 'gas.json');
    const snapshot = JSON.parse(await readFile(file, 'utf8')) as SnapshotMetric;
    const same = await test('jest', '--gas-diff', 'gas.json', 'office');
    assert.deepEqual(same.answer.gasChanges, [], same.stderr);
    const sold = snapshot.items.filter(({ methodName }) => methodName === 'get-method sold');
    sold.forEach(({ execute }) => (execute.compute.gasUsed = 1_000_000));
    const gone = { ...sold[0]!, methodName: 'get-method gone' };
    // As Blueprint names them: by the wrapper's method; the opcode is the same.
    const items = snapshot.items.map((item) =>
      item.opCode === '0x0' ? item : { ...item, contractName: 'Office', methodName: 'sendOrder' },
    );
    await writeFile(file, JSON.stringify({ ...snapshot, items: [...items, gone] }));
    const { answer } = await test('jest', '--gas-diff', 'gas.json', 'office');
    assert.deepEqual(
      answer.gasChanges?.map(({ ran, before, after }) => [ran, before, after === null]),
      [
        ['get-method gone', 1_000_000, true],
        ['get-method sold', 1_000_000, false],
      ],
    );
    await writeFile(file, '{ "items": 3 }');
    const bad = await runCommandLine(['test', '--gas-diff', 'gas.json'], {}, project.folder);
    assert.deepEqual([bad.status, lastError(bad).code], [2, 'gas-snapshot-unreadable']);
  });

  it('does the same with Mocha and Vitest, whose exit statuses it has', async () => {
    const mocha = await test(
      "NODE_ENV=test mocha -r ./setUp.js --timeout 60000 'tests/*.test.js'",
      '--no-share',
    );
    assert.deepEqual([mocha.status, mocha.answer.runner, mocha.answer.passed], [4, 'mocha', 5], mocha.stderr);
    assert.deepEqual(told(mocha.answer), expected);
    const vitest = await test('vitest --hookTimeout=60000');
    assert.deepEqual(
      [vitest.status, vitest.answer.runner, vitest.answer.passed],
      [1, 'vitest', 4],
      vitest.stderr,
    );
    assert.deepEqual(told(vitest.answer), expected);
    assert.equal(vitest.answer.records, mocha.answer.records);
  });

  it("does the same with Node's own runner, named by a script or by its tests alone", async () => {
    const hooks = "const { beforeEach, describe, it } = require('node:test'); ";
    const file = 'ownTests/office.test.cjs';
    await project.put({ [file]: hooks + officeTests.replace('./office.js', '../tests/office.js') });
    const { status, stderr, answer } = await test(`node --stack-size=900 --test ${file}`);
    assert.deepEqual([status, answer.runner, answer.passed, answer.failed], [1, 'node', 4, 4], stderr);
    assert.deepEqual(told(answer), expected);
    const [[, recording] = [undefined, undefined]] = [...(await project.recordings())].filter(([name]) =>
      name.includes('ownTests'),
    );
    assert.equal(recording?.header.runner, 'node');
    assert.equal(recording?.header.versions.runner, process.versions.node);
  });

  it('runs three projects of one configuration in parallel, with mapped paths, and tells of a file that throws at load', async () => {
    const sells = (seats: number): string => `const { Blockchain } = require('@ton/sandbox');
const { Office, sell } = require('@office/office.js');
it('sells ${seats}', async () => {
  const office = (await Blockchain.create()).openContract(Office.create());
  const alice = await (await Blockchain.create()).treasury('alice');
  await office.sendOrder(alice.getSender(), sell(${seats}));
});
`;
    await project.put({
      'many.config.js': `const folders = ['one', 'two', 'three'];
module.exports = { testTimeout: 600000, projects: folders.map((name) => ({ displayName: name,
  rootDir: __dirname + '/packages/' + name, testMatch: ['**/*.check.js'],
  moduleNameMapper: { '^@office/(.*)$': __dirname + '/tests/$1' } })) };
`,
      'packages/one/sells.check.js': sells(1),
      'packages/two/sells.check.js': sells(2),
      'packages/three/broken.check.js': "throw new Error('not written yet');\n",
    });
    const { status, stderr, answer } = await test('jest -c many.config.js --maxWorkers=2 --watchAll');
    assert.equal(status, 1, stderr);
    assert.deepEqual([answer.passed, answer.failed], [2, 1], stderr);
    const [broken] = answer.failures;
    assert.match(`${broken?.file} ${JSON.stringify(broken)}`, /three\/broken\.check\.js .*not written yet/);
    assert.deepEqual(
      [...(await project.recordings()).keys()],
      ['packages--one--sells.check.js.tontests', 'packages--two--sells.check.js.tontests'],
    );
    assert.ok(answer.records >= 2, String(answer.records));
  });

  it('says what is missing if no runner is known', async () => {
    const { status, ...run } = await test('node run.js');
    assert.equal(status, 2);
    const { code, message } = lastError({ ...run, status });
    assert.equal(code, 'runner-missing');
    assert.match(message, /run with "node run\.js"\. Only .* can be recorded\. Run them with npm test\.$/);
  });
});
