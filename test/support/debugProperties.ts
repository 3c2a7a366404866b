import fc from 'fast-check';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Position } from '../../src/toolkit/debug/debugControl';
import { DebugControl } from '../../src/toolkit/debug/debugControl';
import type { DebugProgram } from '../../src/toolkit/debug/debugProgram';
import type { DebugValue, DebugVariable, WatchedData } from '../../src/toolkit/debug/debugValue';
import type { StopRules } from '../../src/toolkit/debug/findStops';
import { findChanges } from '../../src/toolkit/debug/findStops';
import type { RunView } from '../../src/toolkit/debug/runView';
import { StopView } from '../../src/toolkit/debug/stopView';

const { signal } = new AbortController();
const noRules: StopRules = { lines: [], functions: [], instructions: [], data: [], exceptions: new Set() };
const nameOf = (): undefined => undefined;

async function begun(program: DebugProgram, rules = noRules): Promise<DebugControl> {
  const control = new DebugControl(program, { loaded: () => undefined, output: () => undefined });
  control.rules = rules;
  await control.begin(false, signal);
  return control;
}

/** A variable with everything in it, as text. */
function textOf({ name, value }: DebugVariable): string {
  return `${name}=${contentOf(value)}`;
}

function contentOf({ text, parts }: DebugValue): string {
  const all = parts?.() ?? [];
  return `${text}${all.length === 0 ? '' : `{${all.map(textOf).join(' ')}}`}`;
}

/** Everything that can be seen at a step. */
function seenAt(view: RunView, step: number, now = step): string {
  const stop = new StopView(view, step, nameOf, now);
  const all = [
    ...stop.locals(),
    ...stop.globals(),
    ...stop.stack(0, 300),
    ...stop.registers(),
    ...stop.gas(),
  ];
  return all.map(textOf).join('\n');
}

/** Everything that can be seen where a session is, in all functions of the call stack. */
function seen({ position, view }: DebugControl): string {
  const frames = [...(view?.framesAt(position.step) ?? [])];
  const values = frames.map(
    ({ step, activation }) => `${activation?.name} ${seenAt(view!, step, Math.max(0, position.step))}`,
  );
  // The globals alone fill a page.
  return `${JSON.stringify(position)} ${createHash('sha256').update(values.join()).digest('hex')}`;
}

/** Any steps forward, then as many back: every variable of every function is as it was. */
export async function comesBackExactly(program: DebugProgram, numRuns: number): Promise<void> {
  const kinds = fc.array(fc.constantFrom('over', 'in', 'out', 'instruction'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(kinds, async (moves) => {
      const control = await begun(program);
      const trail: { back: 'over' | 'instruction'; state: string }[] = [];
      for (const kind of moves) {
        const state = seen(control);
        if ((await control.step(kind, signal)) === undefined) {
          break;
        }
        trail.push({ back: kind === 'instruction' ? 'instruction' : 'over', state });
      }
      for (const { back, state } of trail.reverse()) {
        await control.stepBack(back, signal);
        assert.equal(seen(control), state);
      }
    }),
    { numRuns },
  );
}

/** Breakpoints of all kinds are visited forward and, in the opposite order, backward, with the same values. */
export async function visitsTheSame(program: DebugProgram, numRuns: number): Promise<void> {
  const { view } = await begun(program);
  const { calls, listing, recording, run } = view!;
  const places =
    run.lines === undefined
      ? listing.instructions.map(({ line }, index) => ({ source: { thread: index % 2 }, line }))
      : run.lines.map.places.map(({ file, line }) => ({ source: { file }, line }));
  const ran = listing.instructions.map(({ cell, offset }) => ({ cell: recording.cells[cell]!, offset }));
  const hits = fc.constantFrom(undefined, '>= 2', '% 2', '3', '< 3');
  const rulesOf = fc.record({
    lines: fc.uniqueArray(fc.tuple(fc.constantFrom(...places), hits), { maxLength: 6 }),
    functions: fc.subarray([...new Set(calls.list.map(({ name }) => name))]),
    instructions: fc.subarray(ran, { maxLength: 4 }),
    data: fc.subarray(watchedIn(view!), { maxLength: 3 }),
  });
  let visited = 0;
  await fc.assert(
    fc.asyncProperty(rulesOf, async ({ lines, functions, instructions, data }) => {
      const control = await begun(program, {
        lines: lines.map(([{ source, line }, hitCondition], id) => ({ id, source, line, hitCondition })),
        functions: functions.map((name, id) => ({ id: 100 + id, name })),
        instructions: instructions.map((one, id) => ({ id: 200 + id, ...one })),
        data: data.map((one, id) => ({ id: 300 + id, data: one })),
        exceptions: new Set(['all']),
      });
      const start = place(control.position);
      const walk = async (isForward: boolean): Promise<string[]> => {
        const found = [];
        for (;;) {
          const moved = await (isForward ? control.continue(signal) : control.reverseContinue(signal));
          if (moved === undefined || moved.reason === 'pause' || moved.reason === 'entry') {
            return found;
          }
          // Going on does not stop where it begins, nor at what comes before the first line.
          if (place(control.position) > start) {
            found.push(`${moved.reason} ${String(moved.ids)} ${seen(control)}`);
          }
        }
      };
      const forward = await walk(true);
      const backward = await walk(false);
      assert.deepEqual(backward.reverse(), forward);
      visited += forward.length;
    }),
    { numRuns },
  );
  assert.ok(visited > numRuns, `${visited} stops`);
}

function place({ thread, step }: Position): number {
  return thread * 1_000_000 + step;
}

/** What can be watched in an execution: registers, globals and their parts, variables. */
export function watchedIn(view: RunView): WatchedData[] {
  const found = new Map<string, WatchedData>();
  const note = (variables: readonly DebugVariable[]): void => {
    for (const { watched, value, name } of variables) {
      if (watched !== undefined) {
        found.set(JSON.stringify(watched), watched);
        if (name === 'c7' || watched.kind === 'global') {
          note(value.parts?.() ?? []);
        }
      }
    }
  };
  for (let step = 0; step < view.steps; step += 1) {
    const stop = new StopView(view, step, nameOf);
    note([...stop.registers(), ...stop.globals(), ...stop.locals()]);
  }
  return [...found.values()];
}

/**
 * Stops at the changes of a watched value and nowhere else: compared with what is shown at every single step.
 * @returns the number of changes
 */
export async function stopsWhereItDiffers(view: RunView, data: WatchedData): Promise<number> {
  const key = JSON.stringify(data);
  const expected: number[] = [];
  /** By run of the function, of a register for all: the last texts, those of a struct's fields by their names. */
  const last = new Map<number, Map<string, string>>();
  for (let step = 0; step < view.steps; step += 1) {
    const at = data.kind === 'name' ? (view.calls.at[step] ?? -1) : 0;
    if (data.kind === 'name' && view.calls.list[at]?.name !== data.function) {
      continue;
    }
    const stop = new StopView(view, step, nameOf);
    const shown = flattened([...stop.registers(), ...stop.globals(), ...stop.locals()]).filter(
      ({ watched }) =>
        data.kind === 'name' && watched?.kind === 'name'
          ? watched.name === data.name || watched.name.startsWith(`${data.name}.`)
          : JSON.stringify(watched) === key,
    );
    // Globals that were never set are null, and have no parts.
    const now = new Map(data.kind === 'global' ? [['', 'null']] : []);
    for (const { value, expression = '' } of shown) {
      if (!value.text.startsWith('{')) {
        now.set(data.kind === 'name' ? expression : '', contentOf(value).replaceAll(' (last seen)', ''));
      } else if (data.kind !== 'name') {
        now.set('', contentOf(value));
      }
    }
    const before = last.get(at) ?? new Map<string, string>();
    if ([...now].some(([name, text]) => before.has(name) && before.get(name) !== text)) {
      expected.push(step);
    }
    last.set(at, new Map([...before, ...now]));
  }
  assert.deepEqual(await findChanges(view, data), expected, JSON.stringify(data));
  return expected.length;
}

function flattened(variables: readonly DebugVariable[]): DebugVariable[] {
  return variables.flatMap((one) => [
    one,
    ...(one.watched !== undefined ? flattened(one.value.parts?.() ?? []) : []),
  ]);
}
