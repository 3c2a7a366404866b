import type { DebugProgram, DebugThread } from './debugProgram';
import type { OriginRuns } from './originCrossings';
import { valueChangeText } from './valueChangeText';
import { RunView } from './runView';
import { stepBackward, stepForward } from './stepping';
import type { StepKind } from './stepping';
import { findStops } from './findStops';
import type { Stop, StopReason, StopRules } from './findStops';

/** Where a session is. */
export interface Position {
  /** Index of the execution. */
  thread: number;
  step: number;
}

/** How a move ended. */
export interface Moved {
  reason: 'step' | 'entry' | 'goto' | 'pause' | StopReason;
  /** What people read, if the reason does not say it. */
  description?: string | undefined;
  /** The breakpoints that stopped it. */
  ids?: readonly number[];
}

/** Told what happens on the way. */
export interface ControlListener {
  /** An execution was recorded: breakpoints can be verified in it. */
  loaded: (thread: number, view: RunView | undefined) => void;
  /** Texts of log points, and what is wrong with a condition. */
  output: (text: string, kind: 'log' | 'problem') => void;
}

interface Trail {
  from: Position;
  to: Position;
  kind: 'line' | 'instruction';
}

/** Moves through the executions of a program, forward and backward. */
export class DebugControl {
  position: Position;
  rules: StopRules = { lines: [], functions: [], instructions: [], data: [], exceptions: new Set() };
  readonly #views = new Map<number, RunView | undefined>();
  readonly #loading = new Map<number, Promise<RunView | undefined>>();
  readonly #stops = new Map<number, { rules: StopRules; stops: Promise<readonly Stop[]> }>();
  /** The steps forward that a step back takes back exactly. */
  #trail: Trail[] = [];
  #isAtEnd = false;
  /** Where a change was stopped at whose line is that of the step before. */
  #written: Position | undefined;

  readonly program: DebugProgram;
  /** Those of the program, and behind them others that were asked for, such as earlier transactions of an account. */
  readonly #threads: DebugThread[];
  /** How many the program has: moves stay in these. */
  readonly #own: number;

  constructor(
    program: DebugProgram,
    private readonly listener: ControlListener,
  ) {
    this.#threads = [...program.threads];
    this.#own = program.threads.length;
    this.program = { ...program, threads: this.#threads };
    this.position = { thread: program.first, step: 0 };
  }

  /** Another transaction of the network, behind those of the program; undefined if it cannot be had. */
  open(hash: string, account?: string): number | undefined {
    const known = this.#threads.findIndex((one) => one.hash === hash);
    const thread = known < 0 ? this.program.open?.(hash) : undefined;
    return known >= 0 ? known : thread && this.#threads.push({ ...thread, hash, account }) - 1;
  }

  /** Whether an execution is one of the program, not one that was only asked for. */
  isOwn(thread: number): boolean {
    return thread < this.#own;
  }

  /** What values are followed through. */
  get runs(): OriginRuns {
    return {
      threads: this.#threads,
      load: (thread, signal) => this.load(thread, signal),
      open: (hash, account) => this.open(hash, account),
      accountName: this.program.accountName,
      writtenIn: this.program.writtenIn,
    };
  }

  /** The recorded execution that the session is in; undefined if no code ran in it. */
  get view(): RunView | undefined {
    return this.#views.get(this.position.thread);
  }

  /** The step whose line is shown: behind a change, the one that made it. */
  get shownStep(): number {
    return this.#written === this.position ? this.position.step - 1 : this.position.step;
  }

  /** An execution, if it is recorded already. */
  known(thread: number): RunView | undefined {
    return this.#views.get(thread);
  }

  /** Whether an execution was recorded, or found to have run no code. */
  isLoaded(thread: number): boolean {
    return this.#views.has(thread);
  }

  /** Records an execution, unless it is. */
  async load(thread: number, signal: AbortSignal): Promise<RunView | undefined> {
    if (this.#views.has(thread)) {
      return this.#views.get(thread);
    }
    const loading = this.#loading.get(thread) ?? this.#record(thread, signal);
    this.#loading.set(thread, loading);
    try {
      return await loading;
    } finally {
      this.#loading.delete(thread);
    }
  }

  async #record(thread: number, signal: AbortSignal): Promise<RunView | undefined> {
    const run = await this.program.threads[thread]?.load(signal);
    const view =
      run?.recording && run.recording.steps > 0
        ? new RunView(run, run.recording, thread, this.program.pathOf)
        : undefined;
    this.#views.set(thread, view);
    // Of another execution than the first, such as the sender's, it would seem to be about the first.
    const about = thread === this.program.first ? '' : `${this.program.threads[thread]?.name}: `;
    run?.notes.forEach((note) => this.listener.output(about + note, 'problem'));
    this.listener.loaded(thread, view);
    return view;
  }

  /**
   * Begins: at the step that the program names, or the nearest one that is recorded; else at the failure if the execution
   * failed and `stopAtFailure`; else at its first line.
   */
  async begin(stopAtFailure: boolean, signal: AbortSignal): Promise<Moved> {
    const first = await this.load(this.position.thread, signal);
    if (first === undefined) {
      return this.#moveOn(1, signal, { reason: 'entry', description: 'No code ran in this transaction' });
    }
    const { firstStep } = this.program;
    if (firstStep !== undefined) {
      const step = firstStep - 1 - first.recording.stepsMissing;
      this.position = { ...this.position, step: Math.min(Math.max(0, step), first.steps - 1) };
      return { reason: 'entry' };
    }
    this.position = { ...this.position, step: first.entry };
    const { failedStep } = first;
    if (!stopAtFailure || (failedStep === undefined && first.run.failure === undefined)) {
      return { reason: 'entry' };
    }
    this.position = { ...this.position, step: Math.max(0, failedStep ?? first.steps - 1) };
    return { reason: 'exception' };
  }

  /** Goes on until something stops it; at the very end it stops, and returns undefined if it was there already. */
  async continue(signal: AbortSignal): Promise<Moved | undefined> {
    this.#trail = [];
    return this.#orStay(() => this.#run(signal));
  }

  /** Goes back until something stops it, or to the beginning. */
  async reverseContinue(signal: AbortSignal): Promise<Moved> {
    this.#trail = [];
    return this.#orStay(() => this.#runBack(signal));
  }

  async #runBack(signal: AbortSignal): Promise<Moved> {
    if (this.#isAtEnd) {
      // The end is behind the last step, where it may stop, too.
      this.position = { ...this.position, step: this.position.step + 1 };
    }
    this.#isAtEnd = false;
    for (;;) {
      const stops = await this.#stopsHere(signal);
      const stop = stops.findLast(({ step, isStop }) => isStop && step < this.position.step);
      if (stop !== undefined) {
        return this.#stopAt(stop);
      }
      const before = await this.#neighbor(-1, signal);
      if (before === undefined) {
        this.position = { ...this.position, step: this.view?.entry ?? 0 };
        return { reason: 'entry', description: 'Beginning of the recording' };
      }
      this.position = { thread: before, step: this.#views.get(before)?.steps ?? 0 };
    }
  }

  /** Makes a step forward; undefined at the very end, as `continue`. */
  async step(kind: StepKind, signal: AbortSignal): Promise<Moved | undefined> {
    const from = this.position;
    const { view } = this;
    if (view !== undefined && this.#written === from) {
      this.#written = undefined;
      const { starts, calls } = view;
      const isElsewhere = calls.at[from.step] !== calls.at[from.step - 1];
      if (kind === 'instruction' || isElsewhere || (starts[from.step] ?? 0) > 0) {
        // What follows the change begins here.
        return { reason: 'step' };
      }
    }
    const next = view && stepForward(view, from.step, kind);
    const staysInLines = kind !== 'instruction' && view?.hasLines === true;
    const moved = await this.#orStay(() =>
      this.#run(signal, next ?? view?.steps, next === undefined, staysInLines),
    );
    if (moved !== undefined) {
      this.#trail.push({ from, to: this.position, kind: kind === 'instruction' ? 'instruction' : 'line' });
    }
    return moved;
  }

  /**
   * Makes a step back: exactly to where the last steps forward came from, else to the line before. As forward, lines go
   * on in the nearest execution that has some.
   */
  async stepBack(kind: 'over' | 'instruction', signal: AbortSignal): Promise<Moved> {
    this.#isAtEnd = false;
    const last = this.#trail.pop();
    const isSame = last?.to.thread === this.position.thread && last.to.step === this.position.step;
    if (isSame && last.kind === (kind === 'instruction' ? 'instruction' : 'line')) {
      this.position = last.from;
      return { reason: 'step' };
    }
    this.#trail = [];
    const { view } = this;
    const before = view && stepBackward(view, this.position.step, kind);
    if (before !== undefined) {
      this.position = { ...this.position, step: before };
      return { reason: 'step' };
    }
    const staysInLines = kind !== 'instruction' && view?.hasLines === true;
    let { thread } = this.position;
    do {
      const next = await this.#neighbor(-1, signal, thread);
      if (next === undefined) {
        const isFirst = thread === this.position.thread;
        return {
          reason: 'entry',
          description: isFirst ? 'Beginning of the recording' : 'No source lines before',
        };
      }
      thread = next;
    } while (staysInLines && this.#views.get(thread)?.hasLines !== true);
    const steps = this.#views.get(thread)?.steps ?? 1;
    this.position = { thread, step: steps - 1 };
    return { reason: 'step' };
  }

  #stopAt({ step, reason, ids }: Stop): Moved {
    this.position = { ...this.position, step };
    const { view } = this;
    const changed = this.rules.data.find(({ id }) => ids.includes(id));
    if (view === undefined || changed === undefined) {
      return { reason, ids };
    }
    const isWritten = changed.data.kind !== 'name' && reason === 'data breakpoint';
    this.#written = isWritten && (view.line[step - 1] ?? -1) >= 0 ? this.position : undefined;
    return { reason, ids, description: valueChangeText(view, changed.data, step, this.program.accountName) };
  }

  /** A move that fails or is canceled on its way, as an execution is recorded, has not begun. */
  async #orStay<T>(move: () => Promise<T>): Promise<T> {
    const { position } = this;
    const wasAtEnd = this.#isAtEnd;
    try {
      return await move();
    } catch (error) {
      this.position = position;
      this.#isAtEnd = wasAtEnd;
      throw error;
    }
  }

  /** Goes to a step. */
  go(position: Position, reason: Moved['reason'] = 'goto'): Moved {
    this.#trail = [];
    this.#isAtEnd = false;
    this.position = position;
    return { reason };
  }

  /** The steps that the rules stop at in an execution. */
  stops(thread: number): Promise<readonly Stop[]> {
    const { rules } = this;
    const view = this.#views.get(thread);
    const known = this.#stops.get(thread);
    if (known?.rules === rules) {
      return known.stops;
    }
    if (view === undefined) {
      return Promise.resolve([]);
    }
    const stops = findStops(view, rules, this.program.accountName, (message) =>
      this.listener.output(message, 'problem'),
    );
    this.#stops.set(thread, { rules, stops });
    return stops;
  }

  async #stopsHere(signal: AbortSignal): Promise<readonly Stop[]> {
    await this.load(this.position.thread, signal);
    return this.stops(this.position.thread);
  }

  /**
   * Runs forward.
   * @param until the step to stop at; undefined to stop only where the rules say so
   * @param passesEnd the step is the end, so go on at the beginning of the next execution
   * @param staysInLines of the next one with source lines; if none has any, it stays at the end of this one
   */
  async #run(
    signal: AbortSignal,
    until?: number,
    passesEnd = false,
    staysInLines = false,
  ): Promise<Moved | undefined> {
    const wasAtEnd = this.#isAtEnd;
    const { thread: begun } = this.position;
    let last = until;
    for (;;) {
      const stops = await this.#stopsHere(signal);
      for (const stop of stops) {
        if (stop.step <= this.position.step || (last !== undefined && stop.step > last)) {
          continue;
        }
        stop.logs.forEach((text) => this.listener.output(text, 'log'));
        if (stop.isStop) {
          this.#isAtEnd = false;
          return this.#stopAt(stop);
        }
      }
      if (until !== undefined && !passesEnd) {
        this.#isAtEnd = false;
        this.position = { ...this.position, step: until };
        return { reason: 'step' };
      }
      const next = await this.#neighbor(1, signal);
      if (next === undefined) {
        const thread = staysInLines ? begun : this.position.thread;
        const isLast = thread === this.position.thread;
        this.position = { thread, step: Math.max(0, (this.#views.get(thread)?.steps ?? 1) - 1) };
        this.#isAtEnd = true;
        const description = isLast ? 'End of the recording' : 'No source lines follow';
        return wasAtEnd ? undefined : { reason: 'pause', description };
      }
      this.position = { thread: next, step: -1 };
      last = undefined;
      if (until !== undefined && (!staysInLines || this.view?.hasLines === true)) {
        this.#isAtEnd = false;
        this.position = { thread: next, step: this.view?.entry ?? 0 };
        return { reason: 'step' };
      }
    }
  }

  /** The nearest execution before or behind one in which code ran. */
  async #neighbor(
    direction: 1 | -1,
    signal: AbortSignal,
    from = this.position.thread,
  ): Promise<number | undefined> {
    for (let thread = from + direction; thread >= 0 && thread < this.#own; thread += direction) {
      if (from >= this.#own) {
        // One that was only asked for has no neighbors.
        return undefined;
      }
      if ((await this.load(thread, signal)) !== undefined) {
        return thread;
      }
    }
    return undefined;
  }

  async #moveOn(direction: 1 | -1, signal: AbortSignal, otherwise: Moved): Promise<Moved> {
    const thread = await this.#neighbor(direction, signal);
    if (thread === undefined) {
      return otherwise;
    }
    this.position = { thread, step: this.#views.get(thread)?.entry ?? 0 };
    return { reason: 'entry' };
  }
}
