import assert from 'node:assert/strict';
import { scriptedRun } from '../../../src/toolkit/testRuns/scriptedRun';
import { recordedRun } from '../../../src/toolkit/testRuns/testRunner';
import type { RecordedRun, TestRunner } from '../../../src/toolkit/testRuns/testRunner';

describe('the script of a project', () => {
  const nothing = { nodeFlags: [], options: [], patterns: [], environment: {} };

  it('keeps the options of its runner, what it runs, and its environment', () => {
    for (const [runner, script, expected] of [
      ['jest', 'jest', {}],
      ['jest', 'npx jest --verbose', { options: ['--verbose'] }],
      [
        'jest',
        'tsc && jest --runInBand -c jest.ci.js; echo done',
        { options: ['--runInBand', '-c', 'jest.ci.js'] },
      ],
      [
        'jest',
        'cross-env NODE_OPTIONS="--experimental-vm-modules --no-warnings" A= jest tests',
        {
          patterns: ['tests'],
          environment: { NODE_OPTIONS: '--experimental-vm-modules --no-warnings', A: '' },
        },
      ],
      [
        'jest',
        'node --experimental-vm-modules node_modules/jest/bin/jest.js --roots a b --ci',
        { nodeFlags: ['--experimental-vm-modules'], options: ['--roots', 'a', 'b', '--ci'] },
      ],
      [
        'jest',
        'jest --watchAll -t mints --testTimeout=9 it',
        { options: ['--testTimeout=9'], patterns: ['it'] },
      ],
      [
        'mocha',
        "mocha -r ts-node/register --timeout 20000 'tests/**/*.spec.ts' --exit",
        {
          options: ['-r', 'ts-node/register', '--timeout', '20000', '--exit'],
          patterns: ['tests/**/*.spec.ts'],
        },
      ],
      ['mocha', 'node_modules/.bin/mocha -g "it mints"', {}],
      [
        'vitest',
        'vitest run --reporter=verbose --pool forks unit',
        { options: ['--pool', 'forks'], patterns: ['unit'] },
      ],
      ['vitest', 'npm run build & \'vitest\' \'a\\b\' "say \\"yes\\""', { patterns: ['a\\b', 'say "yes"'] }],
      ['jest', 'blueprint test --gas-report', {}],
    ] satisfies [TestRunner, string, object][]) {
      assert.deepEqual(scriptedRun(script, runner), { ...nothing, ...expected }, script);
    }
  });

  it('leaves out what only a shell knows', () => {
    assert.deepEqual(scriptedRun('S=$SEED jest --seed $SEED "-c=$(pwd)/a" --ci `ls` \'$kept\'', 'jest'), {
      ...nothing,
      options: ['--ci'],
      patterns: ['$kept'],
    });
  });

  it('is read in time, whatever is in it', () => {
    for (const part of ['"', "'", '\\', '"\\', 'jest ', '--a ', '&', '$']) {
      scriptedRun(`jest ${part.repeat(100_000)}`, 'jest');
    }
  });

  it('decides what is run unless something else is asked for', () => {
    const script = scriptedRun('A=1 mocha --timeout 9 all.js', 'mocha');
    const run: RecordedRun = {
      ...{
        runner: 'mocha' as const,
        script,
        recorder: '/r.cjs',
        results: '/o.json',
        setupFiles: [],
        patterns: [],
      },
      ...{ nodeOptions: undefined, ownEngines: false },
    };
    assert.deepEqual(recordedRun(run), {
      args: ['--timeout', '9', '--require', '/r.cjs', 'all.js'],
      environment: { A: '1', TON_WORKBENCH_RESULTS: '/o.json' },
    });
    assert.deepEqual(recordedRun({ ...run, files: ['one.js'] }).args.slice(-1), ['one.js']);
    assert.deepEqual(recordedRun({ ...run, patterns: ['two.js'] }).args.slice(-1), ['two.js']);
  });
});
