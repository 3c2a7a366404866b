import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recordRun } from '../../../src/toolkit/testRuns/runProjectTests';
import type { TestsRun } from '../../../src/toolkit/testRuns/runProjectTests';
import { HastyClock } from '../../support/hastyClock';

describe("the recordings of a run of a project's tests", () => {
  let root: string;
  let folder: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'ton-workbench-run-'));
    folder = path.join(root, '.ton/tests');
    await mkdir(folder, { recursive: true });
    for (const name of ['vault.spec.ts', 'till.spec.ts']) {
      await record(name, 'old');
    }
  });
  afterEach(() => rm(root, { recursive: true }));

  const record = (name: string, text: string): Promise<void> =>
    writeFile(path.join(folder, `${name}.tontests`), text);
  const run = (
    files: string[] | undefined,
    written: Readonly<Record<string, string>>,
    patterns: string[] = [],
  ): Promise<TestsRun> =>
    recordRun(
      { root, runner: 'mocha', program: '' },
      {
        ...{ files, patterns, environment: {}, clock: new HastyClock(), print: () => undefined },
        signal: new AbortController().signal,
      },
      async () => {
        for (const [name, text] of Object.entries(written)) {
          await record(name, text);
        }
        return 0;
      },
    );

  it('are those that it wrote, and not what earlier runs of other files have left', async () => {
    const { recordings } = await run(['till.spec.ts'], { 'till.spec.ts': 'new', 'other.spec.ts': 'new' });
    assert.deepEqual(recordings, ['other.spec.ts.tontests', 'till.spec.ts.tontests']);
    assert.equal((await readdir(folder)).length, 3);
  });

  it('have one of a file that ran without being named', async () => {
    const { recordings } = await run(['till.spec.ts'], { 'vault.spec.ts': 'longer than before' });
    assert.deepEqual(recordings, ['vault.spec.ts.tontests']);
  });

  it('leave those of files that a pattern does not match', async () => {
    const { recordings } = await run(undefined, { 'till.spec.ts': 'longer than before' }, ['till']);
    assert.deepEqual(recordings, ['till.spec.ts.tontests']);
    assert.deepEqual(await readdir(folder), ['till.spec.ts.tontests', 'vault.spec.ts.tontests']);
  });

  it('are all that is left after a run of all tests', async () => {
    const { recordings } = await run(undefined, { 'vault.spec.ts': 'new' });
    assert.deepEqual(recordings, ['vault.spec.ts.tontests']);
    assert.deepEqual(await readdir(folder), recordings);
  });
});
