import assert from 'node:assert/strict';
import { abortedError, WorkbenchError } from '../../../src/toolkit/base/errors';
import { coverAll, leftOutNotes } from '../../../src/toolkit/replay/coverAll';
import type { CoveredRun } from '../../../src/toolkit/replay/coveredRun';
import { CoverageBook } from '../../../src/toolkit/sourceMap/coverageBook';
import type { SourceMap } from '../../../src/toolkit/sourceMap/sourceMap';

const map: SourceMap = {
  codeHash: 'aa',
  name: 'Counter',
  language: 'tolk',
  places: [{ file: '/counter.tolk', line: 3, text: 'if (a)', function: 'onInternalMessage' }],
  names: [],
  methods: [],
  branches: [{ key: 'one', place: 0, kind: 'choice', depth: 1, isNegated: false }],
  functions: [],
  constants: [],
  calls: [],
  globals: [],
  libraries: [],
};
const covered = (stepsMissing = 0): CoveredRun => ({
  outcome: 'covered',
  codeHash: 'aa',
  counts: {
    places: new Map([[0, 2]]),
    calls: new Map(),
    branches: new Map([[0, [2, 0]]]),
    methods: new Set(),
  },
  stepsMissing,
});
const failure = (code: 'replay-impossible' | 'unreachable'): WorkbenchError =>
  new WorkbenchError({ code, kind: 'network', message: `It is ${code}.` });

describe('the coverage of many transactions', () => {
  let book: CoverageBook;
  const run = (...runs: (CoveredRun | Error)[]): ReturnType<typeof coverAll> =>
    coverAll(runs, (one) => (one instanceof Error ? Promise.reject(one) : Promise.resolve(one)), book);

  beforeEach(() => {
    book = new CoverageBook();
    book.addMap(map);
  });

  it('adds up what they ran, and says how many are left out and why', async () => {
    const tally = await run(
      ...[covered(), covered(5), { outcome: 'no-code' as const }, { outcome: 'no-lines' as const }],
      ...[{ outcome: 'no-lines' as const }, { outcome: 'diverged' as const }, failure('replay-impossible')],
    );
    assert.deepEqual([tally.asked, tally.covered], [7, 2]);
    assert.deepEqual(leftOutNotes(tally), [
      '1 transaction ran no code.',
      '2 transactions ran code whose source lines are not known here.',
      '1 transaction behaved differently when replayed: not counted.',
      '1 transaction could not be replayed: It is replay-impossible.',
      '1 transaction ran so many steps that the first ones are lost: not counted.',
    ]);
    const [file] = book.files();
    assert.deepEqual([...(file?.lines ?? [])], [[3, 4]]);
    assert.deepEqual(file?.branches[0]?.ways, [4, 0]);
    assert.deepEqual(leftOutNotes(await run(covered())), []);
  });

  it('ends where the network does, or the user', async () => {
    await assert.rejects(run(covered(), failure('unreachable')), { code: 'unreachable' });
    await assert.rejects(run(abortedError()), { code: 'aborted' });
  });

  it('runs some at once, if told to: each once, and failures in the order of what failed', async () => {
    let [running, most, ran] = [0, 0, 0];
    const waits: (() => void)[] = [];
    const cover = async (index: number): Promise<CoveredRun> => {
      running += 1;
      most = Math.max(most, running);
      ran += 1;
      await new Promise<void>((resolve) => {
        waits.push(resolve);
        // The last that waits goes on first.
        if (waits.length === 3 || ran > 7) {
          waits
            .splice(0)
            .reverse()
            .forEach((go) => go());
        }
      });
      running -= 1;
      if (index % 2 === 0) {
        throw new WorkbenchError({ code: 'replay-impossible', kind: 'failed', message: `${index}` });
      }
      return covered();
    };
    const told: number[] = [];
    const onDone = (done: number): number => told.push(done);
    const tally = await coverAll([0, 1, 2, 3, 4, 5, 6, 7, 8], cover, book, { onDone, atOnce: 3 });
    assert.deepEqual([tally.asked, tally.covered, ran, most], [9, 4, 9, 3]);
    assert.deepEqual(tally.failures, ['0', '2', '4', '6', '8']);
    assert.deepEqual(told, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('starts no more once one has failed otherwise', async () => {
    let started = 0;
    const cover = async (run: CoveredRun | Error): Promise<CoveredRun> => {
      started += 1;
      await Promise.resolve();
      if (run instanceof Error) {
        throw run;
      }
      return run;
    };
    const runs = [covered(), failure('unreachable'), ...Array.from({ length: 20 }, () => covered())];
    await assert.rejects(coverAll(runs, cover, book, { atOnce: 2 }), { code: 'unreachable' });
    assert.ok(started <= 4, `${started} were started`);
  });

  it('does not take the counts of another code', async () => {
    await assert.rejects(run({ ...covered(), codeHash: 'bb' } as CoveredRun), /bb/);
  });
});
