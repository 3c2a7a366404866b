import assert from 'node:assert/strict';
import type { DebugVariable } from '../../../src/toolkit/debug/debugValue';
import { evaluate } from '../../../src/toolkit/debug/evaluate';
import { findStops } from '../../../src/toolkit/debug/findStops';
import { readDataId } from '../../../src/toolkit/debug/debugValue';
import type { RunView } from '../../../src/toolkit/debug/runView';
import { StopView } from '../../../src/toolkit/debug/stopView';
import { debuggedMethod } from './support/debuggedMethod';
import { walks } from './support/walks';

const nameOf = (): undefined => undefined;

/** The globals at the first step of the last line with a text. */
function lastStopAt(view: RunView, text: string): StopView {
  const { map } = view.run.lines!;
  const step = view.starts.findLastIndex(
    (start, at) => start === 1 && map.places[view.line[at] ?? -1]?.text.startsWith(text) === true,
  );
  assert.ok(step > 0, text);
  return new StopView(view, step, nameOf);
}

function textOf({ name, value }: DebugVariable): string {
  const parts = value.text.startsWith('{') || value.type === 'tuple' ? (value.parts?.() ?? []) : [];
  return parts.length === 0 ? `${name}=${value.text}` : `${name}{${parts.map(textOf).join(' ')}}`;
}

describe('global variables at a stop', () => {
  it('have their names in Tolk, structs with their fields', async () => {
    const { view } = await debuggedMethod('walk.tolk', walks.tolk, ['walk', 20n]);
    const stop = lastStopAt(view, 'return total');
    assert.deepEqual(stop.globals().map(textOf), [
      'total=38',
      'span{low=20 high=22}',
      'wrapped{inner{low=10 high=20} text=cell of 24 bits}',
      'last=77',
      'alone=5',
    ]);
    assert.equal(evaluate('span.high - wrapped.inner.low * 2 == 2 && alone == 5', stop.scope).text, 'true');
    // The compiler's copy of a global on the stack is no variable.
    const all = Array.from({ length: view.steps }, (_, step) => new StopView(view, step, nameOf).locals());
    assert.deepEqual(
      all.flat().filter(({ name }) => name.startsWith('g_')),
      [],
    );
  });

  it('have their names in FunC', async () => {
    const { view } = await debuggedMethod('walk.fc', walks.func, ['walk', 20n]);
    const stop = lastStopAt(view, 'return total');
    assert.deepEqual(stop.globals().map(textOf), ['total=38', 'span{[0]=20 [1]=22}', 'kept=cell of 64 bits']);
    assert.equal(evaluate('total + span[1]', stop.scope).text, '60');
  });

  it('have numbers in assembly', async () => {
    const { view } = await debuggedMethod('walk.tolk', walks.tolk, ['walk', 20n], false);
    const stop = new StopView(view, view.steps - 1, nameOf);
    assert.deepEqual(stop.globals(), []);
    const c7 = stop.registers().find(({ name }) => name === 'c7');
    const [, total] = c7?.value.parts?.() ?? [];
    assert.deepEqual([total?.name, total?.value.text, total?.expression], ['[1]', '38', 'c7[1]']);
    assert.deepEqual(total?.watched, { kind: 'global', index: 1 });
    assert.equal(evaluate('c7[2][1]', stop.scope).text, '22');
  });

  it('are the same for every function of the call stack', async () => {
    const { view } = await debuggedMethod('walk.tolk', walks.tolk, ['walk', 20n]);
    const now = view.calls.at.findLastIndex((at) => view.calls.list[at]?.name === 'half');
    const frames = [...view.framesAt(now)];
    assert.deepEqual(
      frames.map(({ activation }) => activation?.name),
      ['half', 'walk'],
    );
    const [own, caller] = frames.map(({ step }) =>
      new StopView(view, step, nameOf, now).globals().map(textOf),
    );
    assert.deepEqual(caller, own);
  });

  it('are known in conditions of breakpoints, and in log messages', async () => {
    const { view } = await debuggedMethod('walk.tolk', walks.tolk, ['walk', 20n]);
    const { map } = view.run.lines!;
    const { file, line } = map.places.find(({ text }) => text.startsWith('here.low += 1'))!;
    const stops = await findStops(
      view,
      {
        lines: [
          {
            id: 1,
            source: { file },
            line,
            condition: 'total > 34',
            logMessage: 'total {total} of {span.high}',
          },
        ],
        ...{ functions: [], instructions: [], data: [], exceptions: new Set() },
      },
      nameOf,
      assert.fail,
    );
    assert.deepEqual(
      stops.flatMap(({ logs }) => logs),
      ['total 35 of 21', 'total 37 of 22', 'total 38 of 22'],
    );
  });

  it('are watched only by ids that say what they are', () => {
    for (const data of [
      { kind: 'c7' },
      { kind: 'global', index: 3 },
      { kind: 'global', index: 3, part: 1 },
      { kind: 'name', function: 'walk', name: 'left' },
    ]) {
      assert.deepEqual(JSON.parse(JSON.stringify(readDataId(JSON.stringify(data)))), data);
    }
    for (const text of [
      '',
      '3',
      'null',
      '{"kind":"c9"}',
      '{"kind":"global","index":-1}',
      '{"kind":"global"}',
    ]) {
      assert.equal(readDataId(text), undefined, text);
    }
  });
});
