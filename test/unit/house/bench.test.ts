import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median } from '../../../bench/support/median';
import type { BenchResult, BenchRow } from '../../../bench/support/report';
import { report } from '../../../bench/support/report';

describe("a benchmark's report", () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ton-workbench-bench-test-'));
  const known = process.env['TONWB_BENCH_RESULT'];
  after(() => {
    rmSync(folder, { recursive: true });
    if (known === undefined) {
      delete process.env['TONWB_BENCH_RESULT'];
    } else {
      process.env['TONWB_BENCH_RESULT'] = known;
    }
  });

  const reported = (row: Partial<BenchRow>): BenchResult => {
    const file = path.join(folder, `${Math.random()}.jsonl`);
    process.env['TONWB_BENCH_RESULT'] = file;
    report([{ name: 'a row', ours: 8, unit: 'ms', ...row }]);
    return JSON.parse(readFileSync(file, 'utf8')) as BenchResult;
  };

  it('has everything that the result file promises', () => {
    assert.deepEqual(reported({ peer: 10, peerName: 'theirs', goal: '<= 0.9' }), {
      name: 'a row',
      ours: 8,
      peer: 10,
      peerName: 'theirs',
      unit: 'ms',
      ratio: 0.8,
      goal: '<= 0.9',
      met: true,
    });
  });

  it('has null for what does not exist', () => {
    const { peer, peerName, ratio, goal, met } = reported({});
    assert.deepEqual(
      { peer, peerName, ratio, goal, met },
      { peer: null, peerName: null, ratio: null, goal: null, met: null },
    );
  });

  it('judges a goal by the ratio, by our own number, or by the difference', () => {
    const met = (row: Partial<BenchRow>): unknown => reported(row).met;
    assert.equal(met({ peer: 10, goal: '>= 0.8' }), true);
    assert.equal(met({ peer: 10, goal: '>= 0.81' }), false);
    assert.equal(met({ goal: '<= 8 ms' }), true);
    assert.equal(met({ goal: '<= 7.9 ms' }), false);
    assert.equal(met({ peer: 3, goal: '<= 5 ms more' }), true);
    assert.equal(met({ peer: 3, goal: '<= 4.9 ms more' }), false);
  });

  it('rejects a goal that it cannot judge', () => {
    assert.throws(() => reported({ goal: '>= 0.8' }), 'without a peer there is no ratio');
    assert.throws(() => reported({ goal: '<= 5 s' }), 'another unit');
    assert.throws(() => reported({ goal: 'fast' }));
  });

  it('uses the median of several runs', () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([4, 1, 3, 2]), 2.5);
  });
});
