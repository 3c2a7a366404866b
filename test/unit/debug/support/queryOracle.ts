import { WorkbenchError } from '../../../../src/toolkit/base/errors';
import { DebugControl } from '../../../../src/toolkit/debug/debugControl';
import type { DebugProgram } from '../../../../src/toolkit/debug/debugProgram';
import type { DebugValue } from '../../../../src/toolkit/debug/debugValue';
import { evaluate } from '../../../../src/toolkit/debug/evaluate';
import type { StopRules } from '../../../../src/toolkit/debug/findStops';
import type { RunView } from '../../../../src/toolkit/debug/runView';
import type { StepKind } from '../../../../src/toolkit/debug/stepping';
import { StopView } from '../../../../src/toolkit/debug/stopView';

const { signal } = new AbortController();
const nameOf = (): undefined => undefined;
const noRules: StopRules = { lines: [], functions: [], instructions: [], data: [], exceptions: new Set() };

/** Somebody who answers questions by stepping through an execution in the debugger, and looks at every stop. */
export class QueryOracle {
  private constructor(
    private readonly program: DebugProgram,
    readonly view: RunView,
  ) {}

  /** Undefined if no code ran in the execution. */
  static async of(program: DebugProgram, thread: number): Promise<QueryOracle | undefined> {
    const one = program.threads[thread]!;
    const alone = { ...program, threads: [one], first: 0 };
    const view = await begun(alone).load(0, signal);
    return view && new QueryOracle(alone, view);
  }

  /** Where line-by-line stepping into everything comes to a line, but not back from what it has called. */
  async line(file: string, line: number): Promise<number[]> {
    const steps = await this.#walk('in');
    return steps.filter((step) => {
      const place = this.view.placeOf(step);
      return this.view.starts[step] === 1 && place?.file === file && place.line === line;
    });
  }

  /** Where a field of the data is another than one step before: the step before is the one that wrote. */
  async writes(field: string): Promise<number[]> {
    const steps = await this.#visited({ ...noRules, data: [{ id: 1, data: { kind: 'c4' } }] });
    const text = (step: number): string | undefined => this.#value(`c4.${field}`, step)?.content;
    return steps.flatMap((step) => (text(step) === text(step - 1) ? [] : [step - 1]));
  }

  /** Where an expression has its first or another value, each call of a function by itself. */
  async changes(expression: string, isLocal: boolean): Promise<number[]> {
    const last = new Map<number, string>();
    const steps = [0, ...(await this.#walk('instruction'))];
    return steps.filter((step) => {
      const call = isLocal ? (this.view.calls.at[step] ?? -1) : -1;
      const now = this.#value(expression, step)?.content;
      const hasChanged = now !== undefined && last.get(call) !== now;
      if (now !== undefined) {
        last.set(call, now);
      }
      return hasChanged;
    });
  }

  /** Where the list of actions gets one more message: the step before sent it. */
  async sends(): Promise<number[]> {
    const count = (step: number): number =>
      this.#value('c5', step)
        ?.value.parts?.()
        .filter(({ value }) => value.text.startsWith('send')).length ?? 0;
    const steps = await this.#walk('instruction');
    return steps.flatMap((step) => (count(step) > count(step - 1) ? [step - 1] : []));
  }

  /** The names that can be asked for somewhere, with those of the fields of structs. */
  names(): string[] {
    const found = new Set<string>();
    for (let step = 0; step < this.view.steps; step += 1) {
      const stop = this.#at(step);
      for (const { name, value } of [...stop.locals(), ...stop.globals()]) {
        found.add(name);
        if (value.text.startsWith('{')) {
          value.parts?.().forEach((part) => found.add(`${name}.${part.name}`));
        }
      }
    }
    return [...found].filter((name) => /^[\w.]+$/.test(name));
  }

  readonly #stops = new Map<number, StopView>();

  #at(step: number): StopView {
    const known = this.#stops.get(step) ?? new StopView(this.view, step, nameOf);
    this.#stops.set(step, known);
    return known;
  }

  #value(expression: string, step: number): { value: DebugValue; content: string } | undefined {
    try {
      const value = evaluate(expression, this.#at(step).scope);
      return { value, content: contentOf(value) };
    } catch (error) {
      if (WorkbenchError.is(error, 'expression-invalid')) {
        return undefined;
      }
      throw error;
    }
  }

  readonly #walks = new Map<StepKind, Promise<number[]>>();

  #walk(kind: StepKind): Promise<number[]> {
    const known = this.#walks.get(kind) ?? this.#stepThrough(kind);
    this.#walks.set(kind, known);
    return known;
  }

  async #stepThrough(kind: StepKind): Promise<number[]> {
    const control = begun(this.program);
    await control.begin(false, signal);
    if (kind === 'instruction') {
      control.go({ thread: 0, step: 0 });
    }
    const steps = kind === 'instruction' ? [] : [control.position.step];
    for (;;) {
      const moved = await control.step(kind, signal);
      if (moved?.reason !== 'step') {
        return steps;
      }
      steps.push(control.position.step);
    }
  }

  async #visited(rules: StopRules): Promise<number[]> {
    const control = begun(this.program);
    control.rules = rules;
    await control.begin(false, signal);
    control.go({ thread: 0, step: -1 });
    const steps: number[] = [];
    for (;;) {
      const moved = await control.continue(signal);
      if (moved === undefined || moved.reason === 'pause') {
        return steps;
      }
      steps.push(control.position.step);
    }
  }
}

function begun(program: DebugProgram): DebugControl {
  return new DebugControl(program, { loaded: () => undefined, output: () => undefined });
}

/** A value with all that is in it; equal cells are equal by their hashes. */
function contentOf({ text, parts, value, type }: DebugValue): string {
  const read = value?.();
  if (read !== undefined && 'cell' in read) {
    return read.cell.hash().toString('hex');
  }
  const inside =
    type === 'actions' ? [] : (parts?.() ?? []).filter(({ name }) => !/^\((?:cell|before)\)$/.test(name));
  const texts = inside.map((part) => `${part.name}=${contentOf(part.value)}`);
  return texts.length === 0 ? text : texts.sort().join(' ');
}
