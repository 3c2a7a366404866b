import assert from 'node:assert/strict';
import { assertionText, readTestResults } from '../../../src/toolkit/testRuns/readTestResults';
import { recordedRun, testRunnerOf } from '../../../src/toolkit/testRuns/testRunner';

describe('the runner of a project', () => {
  it('is the one that its script names, else the one that it depends on', () => {
    const jest = { devDependencies: { jest: '^29' } };
    const both = { devDependencies: { jest: '^29', vitest: '^3' } };
    for (const [manifest, runner] of [
      [{ scripts: { test: 'NODE_ENV=test jest --runInBand' } }, 'jest'],
      [{ ...both, scripts: { test: 'vitest run' } }, 'vitest'],
      [{ ...both, scripts: { test: 'tsc && node_modules/.bin/jest' } }, 'jest'],
      [{ ...jest, scripts: { test: 'blueprint test' } }, 'jest'],
      [{ ...jest, scripts: { test: 'node run.js' } }, 'jest'],
      [{ dependencies: { mocha: '12' } }, 'mocha'],
      [{ scripts: { test: 'jester' } }, undefined],
      [{ scripts: { test: 7 }, devDependencies: [] }, undefined],
      [undefined, undefined],
    ] as const) {
      assert.equal(testRunnerOf(manifest), runner, JSON.stringify(manifest));
    }
  });

  it('keeps the set-up files of the project, and gets the recorder', () => {
    const run = { recorder: '/w/record.cjs', results: '/t/r.json', patterns: ['a'], ownEngines: false };
    const jest = recordedRun({ ...run, runner: 'jest', setupFiles: ['/p/own.ts'], nodeOptions: undefined });
    assert.deepEqual(jest.args, [
      '--setupFilesAfterEnv=/p/own.ts',
      '--setupFilesAfterEnv=/w/record.cjs',
      '--testResultsProcessor=/w/record.cjs',
      'a',
    ]);
    assert.deepEqual(jest.environment, { TON_WORKBENCH_RESULTS: '/t/r.json' });
    const vitest = recordedRun({
      ...{ ...run, runner: 'vitest', setupFiles: [] },
      ...{ nodeOptions: '--no-warnings', ownEngines: true },
    });
    assert.deepEqual(vitest.environment, {
      TON_WORKBENCH_RESULTS: '/t/r.json',
      TON_WORKBENCH_SHARE: '0',
      NODE_OPTIONS: '--no-warnings --require "/w/record.cjs"',
    });
  });
});

describe('the results of tests', () => {
  it('are read from each runner, and from a file that could not be loaded', () => {
    const passed = { fullName: 'Till sells', status: 'passed', duration: 12 };
    const failed = { fullName: 'Till refunds', status: 'failed', failureMessages: ['Error: x', 'y'] };
    const skipped = { fullName: 'Till waits', status: 'pending' };
    const expected = [
      { file: '/p/a.ts', name: 'Till sells', state: 'passed', elapsedMs: 12, message: undefined },
      { file: '/p/a.ts', name: 'Till refunds', state: 'failed', elapsedMs: 0, message: 'Error: x' },
      { file: '/p/a.ts', name: 'Till waits', state: 'skipped', elapsedMs: 0, message: undefined },
    ];
    const tests = [passed, failed, skipped];
    const jest = { testResults: [{ testFilePath: '/p/a.ts', testResults: tests, failureMessage: 'of all' }] };
    const vitest = {
      testResults: [{ name: '/p/a.ts', assertionResults: tests, status: 'failed', message: '' }],
    };
    const mocha = [
      { file: '/p/a.ts', name: 'Till sells', state: 'passed', duration: 12 },
      { file: '/p/a.ts', name: 'Till refunds', state: 'failed', message: 'Error: x' },
      { file: '/p/a.ts', name: 'Till waits' },
    ];
    assert.deepEqual(readTestResults(JSON.stringify(jest)), expected);
    assert.deepEqual(readTestResults(JSON.stringify(vitest)), expected);
    assert.deepEqual(readTestResults(mocha.map((one) => `${JSON.stringify(one)}\n`).join('')), expected);
    const broken = {
      testResults: [{ testFilePath: '/p/b.ts', testResults: [], failureMessage: 'no module' }],
    };
    assert.deepEqual(readTestResults(JSON.stringify(broken)), [
      { file: '/p/b.ts', name: null, state: 'failed', elapsedMs: 0, message: 'no module' },
    ]);
    assert.deepEqual(readTestResults(''), []);
  });

  it('are told by what they say, of a long one its beginning and its end', () => {
    const frames = '\n    at Object.<anonymous> (tests/till.spec.js:12:3)\n    at node:internal/x:1:1\n';
    assert.equal(assertionText(`\u001B[31mexpected 1\nto be 2\u001B[39m${frames}`), 'expected 1\nto be 2');
    const dump = Array.from({ length: 90 }, (_, index) => `  transaction ${index}`);
    const long = ['Expected', ...dump, 'to contain a transaction that matches', '{ exitCode: 0 }'].join('\n');
    const told = assertionText(long + frames).split('\n');
    assert.deepEqual(told.slice(0, 4), ['Expected', '  transaction 0', '  transaction 1', '…']);
    assert.deepEqual(told.slice(-2), ['to contain a transaction that matches', '{ exitCode: 0 }']);
    assert.equal(told.length, 16);
  });
});
