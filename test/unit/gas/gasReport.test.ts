import assert from 'node:assert/strict';
import { runTolkCompiler } from '@ton/tolk-js';
import { printBaseline, readBaseline } from '../../../src/toolkit/gas/gasBaseline';
import { gasByLine } from '../../../src/toolkit/gas/gasByLine';
import { gasReport, measureRun } from '../../../src/toolkit/gas/gasReport';
import type { MeasuredRun } from '../../../src/toolkit/gas/gasReport';
import { mergeProfiles, profileOf } from '../../../src/toolkit/sourceMap/profileOf';
import type { MappedSteps } from '../../../src/toolkit/sourceMap/mapSteps';
import { mapText, runMapped } from '../sourceMap/support/mappedMethod';

const file = '/contracts/sums.tolk';
const nameOf = (path: string): string => path.replace('/contracts/', '');
const source = `fun onInternalMessage(in: InMessage) {}
@noinline
fun squared(a: int): int {
    return a * a;
}
get fun sum(n: int): int {
    var total = 0;
    repeat (n) {
        total += squared(n);
    }
    return total;
}
`;
/** The same with a line more above, and the call replaced. */
const cheaper = `// Sums of squares.\n${source.replace('total += squared(n);', 'total += n * n;')}`;

describe('a report of gas', () => {
  let steps: MappedSteps;
  let earlier: MeasuredRun;
  let later: MeasuredRun;

  const run = async (text: string, n: bigint): Promise<MappedSteps> => {
    const compiled = await runTolkCompiler({ entrypointFileName: file, fsReadCallback: () => text });
    assert.ok(compiled.status === 'ok');
    return (await runMapped(await mapText(file, text), compiled.codeBoc64, 'sum', n)).steps;
  };

  before(async () => {
    steps = await run(source, 20n);
    earlier = measureRun(steps);
    later = measureRun(await run(cheaper, 20n));
  });

  it('adds up several runs as if they were one', async () => {
    const other = await run(source, 3n);
    assert.deepEqual(mergeProfiles([profileOf([steps]), profileOf([other])]), profileOf([steps, other]));
    const { gasUsed, functions, lines, unmapped, comparison } = gasReport(
      [earlier, measureRun(other)],
      nameOf,
    );
    const sum = (list: readonly { gas: number }[]): number => list.reduce((all, { gas }) => all + gas, 0);
    assert.equal(sum(lines) + unmapped.gas, gasUsed);
    assert.equal(sum(functions) + unmapped.gas, gasUsed);
    assert.equal(functions.find(({ name }) => name === 'squared')?.calls, 23);
    assert.equal(comparison, undefined);
  });

  it('compares a changed source with the baseline: by the text of its lines, wherever they are now', () => {
    const text = printBaseline(new Map([['Sums sum(20)', gasByLine(earlier.profile, nameOf)]]));
    const baseline = readBaseline(text).get('Sums sum(20)');
    const { comparison, functions, lines, gasUsed } = gasReport([{ ...later, baseline }], nameOf);
    assert.equal(comparison?.before, earlier.profile.gasUsed);
    assert.equal(comparison.now, gasUsed);
    assert.ok(comparison.change < 0, `${comparison.change}`);
    assert.equal(
      comparison.lines.reduce((all, { change }) => all + change, comparison.unmapped.change),
      comparison.change,
    );
    const changes = new Map(lines.map((line) => [line.text, line.change]));
    assert.equal(changes.get('var total = 0;'), 0);
    const edited = comparison.lines.find(({ text: now }) => now === 'total += n * n;');
    assert.equal(edited?.was, 'total += squared(n);');
    assert.equal(edited.change, (edited.now ?? 0) - (edited.before ?? 0));
    assert.equal(changes.get('total += n * n;'), edited.change);
    const removed = comparison.lines.filter(({ now }) => now === undefined).map((line) => line.text);
    assert.deepEqual(removed, ['return a * a;']);
    const sum = functions.find(({ name }) => name === 'sum');
    const ofSum = comparison.lines.filter((line) => line.function === 'sum');
    assert.equal(
      sum?.change,
      ofSum.reduce((all, { change }) => all + change, 0),
    );
  });

  it('has no change without lines to compare with', () => {
    const { comparison, lines, functions } = gasReport([{ ...later, baseline: 1_000 }], nameOf);
    assert.equal(comparison, undefined);
    assert.ok([...lines, ...functions].every(({ change }) => change === undefined));
  });
});
