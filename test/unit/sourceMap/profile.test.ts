import assert from 'node:assert/strict';
import { runTolkCompiler } from '@ton/tolk-js';
import { CoverageBook } from '../../../src/toolkit/sourceMap/coverageBook';
import { cpuProfile } from '../../../src/toolkit/sourceMap/cpuProfile';
import { lcovText } from '../../../src/toolkit/sourceMap/lcovText';
import type { MappedSteps } from '../../../src/toolkit/sourceMap/mapSteps';
import { profileOf } from '../../../src/toolkit/sourceMap/profileOf';
import { countRun } from '../../../src/toolkit/sourceMap/mapSteps';
import type { Profile } from '../../../src/toolkit/sourceMap/profileOf';
import { mapText, runMapped } from './support/mappedMethod';

const source = `fun onInternalMessage(in: InMessage) {}

@noinline
fun squared(a: int): int {
    return a * a;
}

@inline_ref
fun doubled(a: int): int {
    if (a > 1000) {
        return -1;
    }
    return a * 2;
}

get fun sum(n: int): int {
    var total = 0;
    repeat (n) {
        total += squared(n);
    }
    return total + doubled(n);
}

get fun never(a: int): int {
    return squared(a) - 7;
}
`;
const file = '/contracts/sums.tolk';

describe('a profile', () => {
  let run: { steps: MappedSteps; gasUsed: number };

  before(async () => {
    const compiled = await runTolkCompiler({ entrypointFileName: file, fsReadCallback: () => source });
    assert.ok(compiled.status === 'ok');
    run = await runMapped(await mapText(file, source), compiled.codeBoc64, 'sum', 4n);
  });

  it('accounts for all gas, by line and by function', () => {
    const { gasUsed, functions, lines, unmapped } = profileOf([run.steps]);
    assert.equal(gasUsed, run.gasUsed);
    const sum = (list: readonly { gas: number }[]): number => list.reduce((total, { gas }) => total + gas, 0);
    assert.equal(sum(lines) + unmapped.gas, run.gasUsed);
    assert.equal(sum(functions) + unmapped.gas, run.gasUsed);
    assert.ok(unmapped.steps >= 3 && unmapped.gas > 0);
    assert.deepEqual(Object.fromEntries(functions.map(({ name, line, calls }) => [name, [line, calls]])), {
      squared: [4, 4],
      sum: [16, 1],
      doubled: [9, 1],
    });
    const twice = profileOf([run.steps, run.steps]);
    assert.equal(twice.gasUsed, 2 * run.gasUsed);
    assert.equal(twice.functions.find(({ name }) => name === 'squared')?.calls, 8);
  });

  it('counts what a library uses for the line that called it, if wanted', async () => {
    const text = `import "@stdlib/strings"
fun onInternalMessage(in: InMessage) {}
get fun fee(n: int): int {
    return "fee".calculateLength() + n;
}
`;
    const name = '/contracts/fees.tolk';
    const compiled = await runTolkCompiler({ entrypointFileName: name, fsReadCallback: () => text });
    assert.ok(compiled.status === 'ok');
    const { steps, gasUsed } = await runMapped(await mapText(name, text), compiled.codeBoc64, 'fee', 4n);
    const apart = profileOf([steps]);
    const folded = profileOf([steps], { foldsCalls: true });
    const ofLibrary = apart.lines.filter((line) => line.file.startsWith('@'));
    assert.ok(ofLibrary.length > 0, 'no line of the library ran');
    assert.deepEqual(
      folded.lines.map(({ file: where, line }) => [where, line]),
      [[name, 4]],
    );
    assert.equal(folded.lines[0]!.gas + folded.unmapped.gas, gasUsed);
    assert.deepEqual(folded.unmapped, apart.unmapped);
    assert.deepEqual(
      folded.functions.map(({ name: around, calls }) => [around, calls]),
      [['fee', 1]],
    );
  });

  it('counts the selection of a method for the line that called it, if wanted', () => {
    const [apart, folded] = [profileOf([run.steps]), profileOf([run.steps], { foldsCalls: true })];
    const at = (profile: Profile, line: number): number =>
      profile.lines.find((one) => one.line === line)?.gas ?? 0;
    // Each of the four calls selects `squared` by its number, as the call from outside selects `sum`.
    assert.ok(apart.unmapped.steps >= folded.unmapped.steps + 4);
    assert.equal(at(folded, 19) - at(apart, 19), apart.unmapped.gas - folded.unmapped.gas);
    assert.equal(folded.gasUsed, run.gasUsed);
    assert.deepEqual(
      folded.functions.map(({ name, calls }) => [name, calls]).sort(),
      apart.functions.map(({ name, calls }) => [name, calls]).sort(),
    );
  });

  it('is written for viewers of profiles, each step with its gas', () => {
    const { nodes, samples, timeDeltas, endTime } = cpuProfile(run.steps);
    assert.equal(endTime, run.gasUsed);
    assert.deepEqual([samples.length, timeDeltas.length], Array(2).fill(run.steps.recording.steps));
    const named = (name: string): (typeof nodes)[number] => {
      return nodes.find(({ callFrame }) => callFrame.functionName === name)!;
    };
    assert.ok(named('sum').children.includes(named('squared').id));
    assert.deepEqual(
      named('squared').positionTicks.map(({ line }) => line),
      [5],
    );
    assert.equal(named('squared').callFrame.url, 'file:///contracts/sums.tolk');
    // A sample lasts until the next one; the last one until the end.
    const own = new Map<number, number>();
    samples.forEach((id, index) => {
      const gas = timeDeltas[index + 1] ?? endTime - timeDeltas.reduce((total, delta) => total + delta, 0);
      own.set(id, (own.get(id) ?? 0) + gas);
    });
    const { functions, unmapped } = profileOf([run.steps]);
    for (const { name, gas } of functions) {
      assert.equal(own.get(named(name).id), gas, name);
    }
    assert.equal(own.get(1), unmapped.gas);
  });

  it('and coverage count how often lines and functions ran, and what never did', () => {
    const book = new CoverageBook();
    book.addMap(run.steps.map);
    book.addRun(run.steps.map.codeHash, countRun(run.steps));
    book.addRun(run.steps.map.codeHash, countRun(run.steps));
    const [covered] = book.files();
    assert.equal(covered?.file, file);
    assert.deepEqual(
      [...covered.lines].filter(([, hits]) => hits === 0).map(([line]) => line),
      [1, 11, 25],
    );
    assert.equal(covered.lines.get(5), 8);
    assert.deepEqual(
      covered.functions.map(({ name, calls }) => [name, calls]),
      [
        ['onInternalMessage', 0],
        ['squared', 8],
        ['doubled', 2],
        ['sum', 2],
        ['never', 0],
      ],
    );
    const lcov = lcovText([covered], () => 'sums.tolk');
    assert.match(lcov, /^TN:\nSF:sums\.tolk\nFN:1,onInternalMessage\nFN:4,squared\n/);
    assert.match(lcov, /\nFNDA:8,squared\n[^]*\nFNF:5\nFNH:3\n[^]*\nDA:5,8\n[^]*\nend_of_record\n$/);
  });
});
