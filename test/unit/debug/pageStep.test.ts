import assert from 'node:assert/strict';
import { pageStep } from '../../../src/toolkit/debug/pageStep';
import type { PageStep } from '../../../src/toolkit/trace/page/tracePage';
import { debuggedMethod } from './support/debuggedMethod';
import { walks } from './support/walks';

describe('a step on the page of a trace', () => {
  const line = (text: string): number => walks.tolk.split('\n').findIndex((one) => one.includes(text)) + 1;
  const values = (step: PageStep): Map<string, string> =>
    new Map(step.values.map(({ name, text }) => [name, text]));

  it('has the line that runs between those that ran before and after, and the values of its function', async () => {
    const { view } = await debuggedMethod('walk.tolk', walks.tolk, ['walk', 6n]);
    const at = (number?: number): PageStep => pageStep(view, 3, number, () => undefined);
    const begins = view.stepsAt({ file: view.run.lines!.map.places[0]!.file }, line('here.low += 1'));
    const shown = at(begins[1]! + 1);
    assert.deepEqual(
      [shown.node, shown.first, shown.last, shown.step, shown.function, shown.isStack],
      [3, 1, view.steps, begins[1]! + 1, 'walk', false],
    );
    assert.equal(shown.place, `walk.tolk:${line('here.low += 1')}`);
    assert.equal(
      shown.lines.findIndex(({ isHere }) => isHere),
      3,
    );
    assert.deepEqual(
      shown.lines.map(({ text }) => text).filter((text) => text.startsWith('here.low')),
      ['here.low += 1;'],
    );
    assert.ok(shown.lines.every(({ step }, index, all) => step > (all[index - 1]?.step ?? 0)));
    assert.deepEqual([values(shown).get('left'), values(shown).get('here.low')], ['1', '1']);
    // Each line begins at the step that leads to it.
    for (const { step, text, isHere } of shown.lines) {
      assert.deepEqual(at(step).lines.find((one) => one.isHere)?.text, text, String(isHere));
    }
    // Outside of the recording, it is the nearest step.
    assert.deepEqual([at(0).step, at(view.steps + 9).step], [1, view.steps]);
  });

  it('is where it failed at first, with the instruction and the stack if there is no source', async () => {
    const source = `fun onInternalMessage(in: InMessage) {}
get fun low(a: int): int { assert (a < 3) throw 77; return a; }`;
    const first = async (hasLines: boolean): Promise<PageStep> =>
      pageStep(
        (await debuggedMethod('low.tolk', source, ['low', 5n], hasLines)).view,
        0,
        undefined,
        () => undefined,
      );
    const named = await first(true);
    assert.match(named.failure, /^Exit code 77\b/);
    assert.equal(named.place, 'low.tolk:2');
    const plain = await first(false);
    assert.deepEqual([plain.step, plain.failure, plain.place], [named.step, named.failure, '']);
    assert.deepEqual([plain.isStack, plain.values[0]?.name], [true, 's0']);
    assert.match(plain.lines.find(({ isHere }) => isHere)?.text ?? '', /^THROW/);
  });
});
