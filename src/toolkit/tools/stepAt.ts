import { keepNewest } from '../base/collections';
import type { DebugVariable } from '../debug/debugValue';
import { shownText } from '../debug/debugValue';
import { RunView } from '../debug/runView';
import { stepBackward, stepForward } from '../debug/stepping';
import { StopView } from '../debug/stopView';
import type { DebugProgram } from '../debug/debugProgram';
import { WorkbenchError } from '../base/errors';
import { finalFailure, instructionAt } from '../recording/recording';
import { placeAt } from '../sourceMap/mapSteps';
import type { ToolCall, ToolHost } from './tool';

/** Recorded executions that are kept, so that the next step need not run them again. */
const mostKept = 4;

const keptRuns = new WeakMap<ToolHost, Map<string, Promise<Execution>>>();

/** An execution to step through. */
interface Execution {
  program: DebugProgram;
  view: RunView;
  /** Index of its transaction in the program. */
  index: number;
}

/** Where to stop, as the tool takes it. */
export interface StepRequest {
  what: string;
  at: 'start' | 'failure' | 'end' | number;
  move: 'here' | 'forward' | 'into' | 'out' | 'back' | 'instruction' | 'instruction back';
  count: number;
  transaction?: number | undefined;
  source?: string | undefined;
  network: string;
}

/**
 * Stops at a step of an execution.
 * @throws WorkbenchError `replay-impossible` (failed) if no code ran, and what opening throws
 */
export async function stepAt(
  { what, at, move, count, transaction, source, network }: StepRequest,
  call: ToolCall,
): Promise<object> {
  const { view, program, index } = await execution({ what, source, network, transaction }, call);
  let now = beginning(view, at);
  for (let moved = 0; moved < count && move !== 'here'; moved += 1) {
    const next = moveFrom(view, now, move);
    if (next === undefined) {
      call.note(`The execution has no line there: it moved ${moved} of ${count} times.`);
      break;
    }
    now = next;
  }
  return { ...stopAt(view, now, program, call.host), ...aroundOf(program, index) };
}

async function execution(
  wanted: { what: string; source: string | undefined; network: string; transaction: number | undefined },
  call: ToolCall,
): Promise<Execution> {
  const key = JSON.stringify(wanted);
  const runs = keptRuns.get(call.host) ?? new Map<string, Promise<Execution>>();
  keptRuns.set(call.host, runs);
  // Only what a hash names is the same tomorrow; a file may change, and an account have another transaction.
  const isLasting = /^(?:[0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(wanted.what);
  const found = runs.get(key) ?? record(wanted, call);
  if (isLasting) {
    keepNewest(runs, key, found, mostKept);
  }
  return found.catch((error: unknown) => {
    runs.delete(key);
    throw error;
  });
}

function record(
  { what, source, network, transaction }: Parameters<typeof execution>[0],
  { host, signal }: ToolCall,
): Promise<Execution> {
  return host.useProgram({ what, source, network }, signal, async (program) => {
    const index = transaction ?? Math.max(0, program.first);
    const thread = program.threads[index];
    if (thread === undefined) {
      throw new WorkbenchError({
        code: 'tool-input-invalid',
        kind: 'input',
        message: `There are ${program.threads.length} transactions, numbered from 0.`,
      });
    }
    const run = await thread.load(signal);
    if (run.recording === undefined || run.recording.steps === 0) {
      throw new WorkbenchError({
        code: 'replay-impossible',
        kind: 'failed',
        message: `No code ran: ${run.failure ?? run.cause}`,
        hint: 'explain_trace tells why.',
      });
    }
    return { program, index, view: new RunView(run, run.recording, index, program.pathOf) };
  });
}

function beginning(view: RunView, at: 'start' | 'failure' | 'end' | number): number {
  const last = view.steps - 1;
  if (typeof at === 'number') {
    return Math.min(Math.max(0, at - 1 - view.recording.stepsMissing), last);
  }
  if (at === 'start') {
    return (view.starts[0] ?? 0) > 0 ? 0 : (stepForward(view, 0, 'in') ?? 0);
  }
  return at === 'failure' ? (view.failedStep ?? last) : last;
}

function moveFrom(
  view: RunView,
  from: number,
  move: Exclude<StepRequest['move'], 'here'>,
): number | undefined {
  switch (move) {
    case 'forward':
      return stepForward(view, from, 'over');
    case 'into':
      return stepForward(view, from, 'in');
    case 'out':
      return stepForward(view, from, 'out');
    case 'back':
      return stepBackward(view, from, 'over');
    case 'instruction':
      return stepForward(view, from, 'instruction');
    case 'instruction back':
      return stepBackward(view, from, 'instruction');
  }
}

interface ShownValue {
  name: string;
  value: string;
  type?: string;
}

/** What is seen at a step: the line, and the values before it and when it is done. */
function stopAt(
  view: RunView,
  now: number,
  program: DebugProgram,
  host: ToolHost,
): { step: number; steps: number; before: ShownValue[] } {
  const { recording, run, calls } = view;
  const place = run.lines && placeAt(run.lines, now);
  const nameOf = program.accountName;
  const next = stepForward(view, now, place === undefined ? 'instruction' : 'over');
  const failure = finalFailure(recording);
  const thrown = recording.exceptions.find((one) => one.step === now || one.step === failure?.step);
  const number = (one: number): number => recording.stepsMissing + one + 1;
  return {
    step: number(now),
    steps: number(view.steps - 1),
    ...(place === undefined
      ? {}
      : {
          file: host.shownFile(place.file),
          line: place.line,
          text: place.text,
        }),
    ...functionAt(calls, now),
    ...{ instruction: instructionAt(recording, now) },
    before: valuesAt(new StopView(view, now, nameOf)),
    ...(next === undefined
      ? {}
      : { after: valuesAt(new StopView(view, next, nameOf)), nextStep: number(next) }),
    ...(thrown !== undefined && thrown.isFinal && thrown.step === now
      ? { throws: run.exitText(thrown.code ?? 0) }
      : {}),
    ...(failure === undefined ? {} : { failsAtStep: number(failure.step) }),
  };
}

function functionAt({ list, at }: RunView['calls'], now: number): { function?: string } {
  const name = list[at[now] ?? -1]?.name;
  return name === undefined ? {} : { function: name };
}

/** The variables of the source; without names, the stack. */
function valuesAt(stop: StopView): ShownValue[] {
  const named = [...stop.locals(), ...stop.globals()];
  const shown = named.length > 0 ? named : stop.stack(0, 16);
  return [...shown, ...stop.registers().filter(({ name }) => name === 'c4')].flatMap((one) =>
    valueOf(one, 0),
  );
}

/** A value, and those in it, as far as they have names. */
function valueOf({ name, value }: DebugVariable, depth: number): ShownValue[] {
  const type = value.type === undefined ? {} : { type: value.type };
  const parts = depth < 2 && name !== '(cell)' ? (value.parts?.() ?? []) : [];
  const own = { name, value: shownText(value), ...type };
  const inner = parts
    .filter((part) => !/^\(/.test(part.name))
    .slice(0, 40)
    .flatMap((part) => valueOf({ ...part, name: `${name}.${part.name}` }, depth + 1));
  return [own, ...inner];
}

function aroundOf(program: DebugProgram, index: number): { transaction: number; transactions: string[] } {
  return { transaction: index, transactions: program.threads.map(({ name }) => name) };
}
