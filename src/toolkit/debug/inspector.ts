import { Scope, Source } from '@vscode/debugadapter/lib/debugSession.js';
import { Handles } from '@vscode/debugadapter/lib/handles.js';
import type { DebugProtocol } from '@vscode/debugprotocol';
import path from 'node:path';
import { WorkbenchError } from '../base/errors';
import type { Activation } from '../sourceMap/sourceFunctions';
import type { DebugControl } from './debugControl';
import type { DebugValue, DebugVariable } from './debugValue';
import { dataIdOf, shownText } from './debugValue';
import { evaluate } from './evaluate';
import { instructionAddress } from './instructionAddress';
import type { RunView } from './runView';
import { lineSource, listingReference } from './runView';
import { StopView } from './stopView';

/** A function that is shown in the call stack. */
interface Frame {
  thread: number;
  view: RunView;
  /** The step that it is at. */
  step: number;
  /** The step that the execution is at. */
  now: number;
  /** Its name; undefined for what selects the method. */
  name: string | undefined;
}

/** What a client has opened: a list of variables, made when it asks. */
interface Opened {
  count: number;
  list: (from: number, count: number) => readonly DebugVariable[];
}

const most = 1_000_000;

/** What a client sees at a stop: call stack, variables, sources. Everything is forgotten when the session moves. */
export class Inspector {
  readonly #frames = new Handles<Frame>(1);
  readonly #opened = new Handles<Opened>(1);

  constructor(private readonly control: DebugControl) {}

  /** The session has moved: what clients hold is out of date. */
  reset(): void {
    this.#frames.reset();
    this.#opened.reset();
  }

  /** The call stack of an execution, with the message that caused it at its end. */
  stackTrace({ threadId, startFrame = 0, levels }: DebugProtocol.StackTraceArguments): {
    stackFrames: DebugProtocol.StackFrame[];
    totalFrames: number;
  } {
    const thread = threadId - 1;
    const { position, program } = this.control;
    const view = this.control.known(thread);
    const isHere = thread === position.thread;
    const step = isHere ? position.step : thread < position.thread ? (view?.steps ?? 1) - 1 : 0;
    const frames = view === undefined ? [] : [...view.framesAt(isHere ? this.control.shownStep : step)];
    const all = [
      ...frames.map(
        (frame, index) => (): DebugProtocol.StackFrame =>
          this.#frame(
            { thread, view: view!, step: frame.step, now: step, name: frame.activation?.name },
            frame.activation?.isInlined,
            frames[index - 1]?.activation,
          ),
      ),
      (): DebugProtocol.StackFrame => ({
        id: 0,
        name:
          view?.run.cause ??
          (this.control.isLoaded(thread)
            ? `No code ran in ${program.threads[thread]?.name ?? 'this transaction'}`
            : 'Not recorded yet: step or continue to get there'),
        line: 0,
        column: 0,
        presentationHint: 'label',
      }),
    ];
    const shown = all.slice(
      startFrame,
      levels === undefined || levels === 0 ? undefined : startFrame + levels,
    );
    return { stackFrames: shown.map((make) => make()), totalFrames: all.length };
  }

  scopes(frameId: number): DebugProtocol.Scope[] {
    const frame = this.#frames.get(frameId);
    if (frame === undefined) {
      return [];
    }
    const stop = this.#stopView(frame);
    const locals = stop.locals();
    const scope = (name: string, opened: Opened, hint?: string): DebugProtocol.Scope => ({
      ...new Scope(name, this.#opened.create(opened), false),
      ...(hint === undefined ? {} : { presentationHint: hint }),
      namedVariables: opened.count,
    });
    const globals = stop.globals();
    return [
      ...(frame.view.hasNames ? [scope('Locals', listOf(locals), 'locals')] : []),
      ...(globals.length === 0 ? [] : [scope('Globals', listOf(globals))]),
      {
        ...scope('Stack', { count: stop.depth, list: (from, count) => stop.stack(from, count) }),
        namedVariables: 0,
        indexedVariables: stop.depth,
      },
      scope('Registers', listOf(stop.registers()), 'registers'),
      scope('Gas', listOf(stop.gas())),
    ];
  }

  variables({
    variablesReference,
    start = 0,
    count,
  }: DebugProtocol.VariablesArguments): DebugProtocol.Variable[] {
    const opened = this.#opened.get(variablesReference);
    return opened === undefined
      ? []
      : opened
          .list(start, count === undefined || count === 0 ? most : count)
          .map((one) => this.#variable(one));
  }

  /** How a variable is watched that a client has opened, or names in an expression; and what it is called. */
  watchable({
    variablesReference,
    name,
    frameId,
  }: DebugProtocol.DataBreakpointInfoArguments): { dataId: string; description: string } | undefined {
    const opened = this.#opened.get(variablesReference ?? 0);
    const frame = this.frame(frameId);
    const found =
      opened === undefined
        ? frame && this.#stopView(frame).variable(name)
        : opened.list(0, most).find((one) => one.name === name);
    if (found?.watched === undefined) {
      return undefined;
    }
    const { watched, expression = watched.kind === 'name' ? watched.name : found.name } = found;
    return { dataId: dataIdOf(watched), description: expression };
  }

  /** @throws WorkbenchError `expression-invalid` */
  evaluate({
    expression,
    frameId,
    context,
  }: DebugProtocol.EvaluateArguments): DebugProtocol.EvaluateResponse['body'] {
    if (/(?<![=!<>])=(?!=)/.test(expression)) {
      throw pastError();
    }
    const frame = this.frame(frameId);
    if (frame === undefined) {
      throw new WorkbenchError({
        code: 'expression-invalid',
        kind: 'input',
        message: 'No code ran here, so there is nothing to evaluate.',
      });
    }
    const value = evaluate(expression, this.#stopView(frame).scope);
    const { stackText } = value;
    const result = context === 'clipboard' && stackText !== undefined ? stackText() : shownText(value);
    return { result, ...this.#parts(value) };
  }

  /** The names that an expression can begin with. */
  names(frameId: number | undefined): string[] {
    const frame = this.frame(frameId);
    if (frame === undefined) {
      return [];
    }
    const stop = this.#stopView(frame);
    return [...stop.locals(), ...stop.globals(), ...stop.stack(0, 10), ...stop.registers()].map(
      ({ name }) => name,
    );
  }

  /** The text of a source that is no file on this machine: of a listing, or of a standard library. */
  contentOf(source: DebugProtocol.Source | undefined, reference: number): string | undefined {
    const named = lineSource({ sourceReference: source?.sourceReference ?? reference });
    if ('thread' in named) {
      return this.control.known(named.thread)?.listing.text;
    }
    for (const [thread] of this.control.program.threads.entries()) {
      const view = this.control.known(thread);
      const library = view?.run.lines?.map.libraries.find(
        ({ file }) => 'library' in named && view.libraries.get(file) === named.library,
      );
      if (library !== undefined) {
        return library.text;
      }
    }
    return undefined;
  }

  /** Where a step is, for a client. */
  sourceAt(thread: number, view: RunView, step: number): { source?: DebugProtocol.Source; line: number } {
    const place = view.placeOf(step);
    if (place === undefined) {
      return { line: 0 };
    }
    if (place.file === undefined) {
      return { source: this.#listingSource(thread), line: place.line };
    }
    const library = view.libraries.get(place.file);
    if (library !== undefined) {
      const source = { ...new Source(place.file, undefined, library), origin: 'the standard library' };
      return { source, line: place.line };
    }
    const file = this.control.program.pathOf(place.file);
    return file === undefined
      ? { line: place.line }
      : { source: new Source(path.basename(file), file), line: place.line };
  }

  #listingSource(thread: number): DebugProtocol.Source {
    const name = `${this.control.program.threads[thread]?.name ?? 'code'}.tasm`;
    return {
      ...new Source(name.replaceAll(/[/\\:]/g, ' '), undefined, listingReference(thread)),
      origin: 'the instructions that ran',
    };
  }

  /** @param called the function above it in the call stack */
  #frame(frame: Frame, isInlined = false, called?: Activation): DebugProtocol.StackFrame {
    const { thread, view, step, name } = frame;
    const { source, line: own } = this.sourceAt(thread, view, step);
    const lines = called?.isInlined === true ? view.inlined.linesOf(called, step) : [];
    const line = (lines.length === 1 ? lines[0] : undefined) ?? own;
    const unclear = lines.length > 1 ? ` (at one of the lines ${lines[0]} to ${lines.at(-1)})` : '';
    const listed = view.listing.at(step);
    return {
      id: this.#frames.create(frame),
      name: `${name ?? 'selecting the method'}${isInlined ? ' (inlined)' : ''}${unclear}`,
      line,
      column: line === 0 ? 0 : 1,
      ...(source === undefined ? { presentationHint: 'subtle' as const } : { source }),
      ...(listed === undefined
        ? {}
        : { instructionPointerReference: instructionAddress({ thread, ...listed }) }),
      canRestart: true,
    };
  }

  /** The first step of a frame's function. */
  beginOf(frameId: number): { thread: number; step: number } | undefined {
    const frame = this.#frames.get(frameId);
    if (frame === undefined) {
      return undefined;
    }
    const { thread, view, step } = frame;
    const activation = view.calls.list[view.calls.at[step] ?? -1];
    return { thread, step: activation?.first ?? view.entry };
  }

  /** A function in the call stack; without an id, the one that the session is in. Undefined if no code ran. */
  frame(frameId: number | undefined): Frame | undefined {
    return this.#frames.get(frameId ?? 0) ?? this.#current();
  }

  #current(): Frame | undefined {
    const { view, position } = this.control;
    const name = view?.calls.list[view.calls.at[position.step] ?? -1]?.name;
    const { thread, step } = position;
    return view === undefined ? undefined : { thread, view, step, now: step, name };
  }

  #stopView({ view, step, now }: Frame): StopView {
    return new StopView(view, step, this.control.program.accountName, now);
  }

  #variable({ name, value, expression }: DebugVariable): DebugProtocol.Variable {
    return {
      name,
      value: shownText(value),
      ...(expression === undefined ? {} : { evaluateName: expression }),
      ...this.#parts(value),
    };
  }

  #parts({ type, parts }: DebugValue): { variablesReference: number; type?: string } {
    const opened = (): Opened => {
      let known: readonly DebugVariable[] | undefined;
      const list = (): readonly DebugVariable[] => (known ??= parts?.() ?? []);
      return { count: 0, list: (from, count) => list().slice(from, from + count) };
    };
    return {
      ...(type === undefined ? {} : { type }),
      variablesReference: parts === undefined ? 0 : this.#opened.create(opened()),
    };
  }
}

function listOf(variables: readonly DebugVariable[]): Opened {
  return { count: variables.length, list: (from, count) => variables.slice(from, from + count) };
}

/** The answer to whoever wants to change a value at a stop. */
export function pastError(): WorkbenchError {
  return new WorkbenchError({
    code: 'debug-request-invalid',
    kind: 'input',
    message: 'A recording is the past: its values cannot be changed.',
    hint: 'To see what other values do, use “Run Again With Changes…”.',
  });
}
