import { BreakpointEvent } from '@vscode/debugadapter/lib/debugSession.js';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { visibleText } from '../base/text';
import type { DebugControl } from './debugControl';
import { readDataId } from './debugValue';
import type {
  DataStop,
  ExceptionStop,
  FunctionStop,
  InstructionStop,
  LineStop,
  StopRules,
} from './findStops';
import { isFunctionNamed } from './findStops';
import { InspectionRequests } from './inspectionRequests';
import { instructionOf } from './instructionAddress';
import type { RunView } from './runView';
import { lineSource } from './runView';

/** What a debug session can do. */
export const debugCapabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsFunctionBreakpoints: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsDataBreakpoints: true,
  supportsInstructionBreakpoints: true,
  supportsBreakpointLocationsRequest: true,
  supportsEvaluateForHovers: true,
  supportsClipboardContext: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: ['.'],
  // So that a client offers it, and shows why it cannot be and what can be done instead.
  supportsSetVariable: true,
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsDisassembleRequest: true,
  supportsRestartRequest: true,
  supportsRestartFrame: true,
  supportsGotoTargetsRequest: true,
  supportsExceptionInfoRequest: true,
  supportsTerminateRequest: true,
  exceptionBreakpointFilters: [
    {
      filter: 'all',
      label: 'Every exception',
      description: 'Also those that the code catches',
      default: false,
    },
    {
      filter: 'uncaught',
      label: 'Uncaught exceptions',
      description: 'Those that end the execution',
      default: true,
    },
    {
      filter: 'failedAction',
      label: 'Failed actions',
      description: 'Code that succeeded, but whose actions failed',
      default: true,
    },
  ],
};

/** The requests that set breakpoints of all kinds. */
export abstract class BreakpointRequests extends InspectionRequests {
  readonly #book = new BreakpointBook();

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    { source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
  ): void {
    const stops = this.#book.setLines(source, breakpoints);
    this.rulesChanged();
    const control = this.opened?.control;
    response.body = {
      breakpoints: stops.map((stop) =>
        control === undefined ? { id: stop.id, line: stop.line, verified: false } : verifyLine(stop, control),
      ),
    };
    this.sendResponse(response);
  }

  protected override breakpointLocationsRequest(
    response: DebugProtocol.BreakpointLocationsResponse,
    { source, line, endLine = line }: DebugProtocol.BreakpointLocationsArguments,
  ): void {
    const control = this.opened?.control;
    const lines = new Set(
      control?.program.threads.flatMap((_, thread) => [
        ...(control.known(thread)?.linesIn(lineSource(source)) ?? []),
      ]),
    );
    response.body = {
      breakpoints: [...lines].filter((one) => one >= line && one <= endLine).map((one) => ({ line: one })),
    };
    this.sendResponse(response);
  }

  protected override setFunctionBreakPointsRequest(
    response: DebugProtocol.SetFunctionBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetFunctionBreakpointsArguments,
  ): void {
    const stops = this.#book.setFunctions(breakpoints);
    this.rulesChanged();
    const control = this.opened?.control;
    response.body = {
      breakpoints: stops.map((stop) =>
        control === undefined ? { id: stop.id, verified: false } : verifyFunction(stop, control),
      ),
    };
    this.sendResponse(response);
  }

  protected override setInstructionBreakpointsRequest(
    response: DebugProtocol.SetInstructionBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetInstructionBreakpointsArguments,
  ): void {
    const control = this.opened?.control;
    const stops = control === undefined ? [] : this.#book.setInstructions(breakpoints, control);
    this.rulesChanged();
    response.body = {
      breakpoints: breakpoints.map((_, index) => {
        const stop = stops[index];
        return stop === undefined
          ? { verified: false, message: 'No instruction of a recorded execution is there.' }
          : { id: stop.id, verified: true };
      }),
    };
    this.sendResponse(response);
  }

  protected override dataBreakpointInfoRequest(
    response: DebugProtocol.DataBreakpointInfoResponse,
    args: DebugProtocol.DataBreakpointInfoArguments,
  ): void {
    const watched = this.opened?.inspector.watchable(args);
    response.body =
      watched === undefined
        ? {
            dataId: null,
            description: `${args.name} cannot be watched: only registers, globals, and variables of the source can.`,
          }
        : { ...watched, accessTypes: ['write'], canPersist: true };
    this.sendResponse(response);
  }

  protected override setDataBreakpointsRequest(
    response: DebugProtocol.SetDataBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetDataBreakpointsArguments,
  ): void {
    const stops = this.#book.setData(breakpoints);
    this.rulesChanged();
    response.body = {
      breakpoints: stops.map((stop) =>
        stop === undefined
          ? { verified: false, message: 'This value cannot be watched.' }
          : { id: stop.id, verified: true },
      ),
    };
    this.sendResponse(response);
  }

  protected override setExceptionBreakPointsRequest(
    response: DebugProtocol.SetExceptionBreakpointsResponse,
    { filters }: DebugProtocol.SetExceptionBreakpointsArguments,
  ): void {
    this.#book.setExceptions(filters);
    this.rulesChanged();
    this.sendResponse(response);
  }

  /** The breakpoints of the client, each by itself. */
  breakpoints(): StopRules[] {
    const { lines, functions, instructions, data } = this.#book.rules;
    const none = { lines: [], functions: [], instructions: [], data: [], exceptions: new Set<never>() };
    return [
      ...lines.map((stop) => ({ ...none, lines: [stop] })),
      ...functions.map((stop) => ({ ...none, functions: [stop] })),
      ...instructions.map((stop) => ({ ...none, instructions: [stop] })),
      ...data.map((stop) => ({ ...none, data: [stop] })),
    ];
  }

  /** The session stops where the client has said, and at first where clients expect it by default. */
  protected rulesChanged(): void {
    if (this.opened !== undefined) {
      this.opened.control.rules = this.#book.rules;
    }
  }

  /** An execution was recorded: breakpoints may be reached in it. */
  protected verifyAgain(): void {
    const control = this.opened?.control;
    if (control !== undefined) {
      this.#book.verified(control).forEach((one) => this.sendEvent(new BreakpointEvent('changed', one)));
    }
  }
}

/** The breakpoints of a session, as the client sets them. */
export class BreakpointBook {
  /** By source. */
  #lines = new Map<string, readonly LineStop[]>();
  #functions: readonly FunctionStop[] = [];
  #instructions: readonly InstructionStop[] = [];
  #data: readonly DataStop[] = [];
  /** Until the client sets them, those that it is told are the default. */
  #exceptions: ReadonlySet<ExceptionStop> = new Set(
    debugCapabilities.exceptionBreakpointFilters
      ?.filter((one) => one.default)
      .map(({ filter }) => filter)
      .filter(isExceptionStop),
  );
  #lastId = 0;

  get rules(): StopRules {
    return {
      lines: [...this.#lines.values()].flat(),
      functions: this.#functions,
      instructions: this.#instructions,
      data: this.#data,
      exceptions: this.#exceptions,
    };
  }

  /** Replaces those of a source. */
  setLines(
    named: DebugProtocol.Source,
    breakpoints: readonly DebugProtocol.SourceBreakpoint[],
  ): readonly LineStop[] {
    const source = lineSource(named);
    const stops = breakpoints.map(({ line, ...rest }) => ({ ...this.#condition(rest), source, line }));
    this.#lines.set(JSON.stringify(source), stops);
    return stops;
  }

  setFunctions(breakpoints: readonly DebugProtocol.FunctionBreakpoint[]): readonly FunctionStop[] {
    this.#functions = breakpoints.map(({ name, ...rest }) => ({ ...this.#condition(rest), name }));
    return this.#functions;
  }

  /** Those that are at no known instruction are left out; undefined in their places. */
  setInstructions(
    breakpoints: readonly DebugProtocol.InstructionBreakpoint[],
    control: DebugControl,
  ): readonly (InstructionStop | undefined)[] {
    const stops = breakpoints.map(({ instructionReference, offset = 0, ...rest }) => {
      const found = instructionOf(instructionReference, offset);
      const cell = found && control.known(found.thread)?.recording.cells[found.cell];
      return found === undefined || cell === undefined
        ? undefined
        : { ...this.#condition(rest), cell, offset: found.offset };
    });
    this.#instructions = stops.filter((stop) => stop !== undefined);
    return stops;
  }

  setData(breakpoints: readonly DebugProtocol.DataBreakpoint[]): readonly (DataStop | undefined)[] {
    const stops = breakpoints.map(({ dataId, ...rest }) => {
      const data = readDataId(dataId);
      return data && { ...this.#condition(rest), data };
    });
    this.#data = stops.filter((stop) => stop !== undefined);
    return stops;
  }

  setExceptions(filters: readonly string[]): void {
    this.#exceptions = new Set(filters.filter(isExceptionStop));
  }

  /** All breakpoints at lines and functions as the client sees them. */
  verified(control: DebugControl): DebugProtocol.Breakpoint[] {
    return [
      ...[...this.#lines.values()].flat().map((stop) => verifyLine(stop, control)),
      ...this.#functions.map((stop) => verifyFunction(stop, control)),
    ];
  }

  #condition({
    condition,
    hitCondition,
    logMessage,
  }: Pick<DebugProtocol.SourceBreakpoint, 'condition' | 'hitCondition' | 'logMessage'>): Omit<
    LineStop,
    'source' | 'line'
  > {
    this.#lastId += 1;
    return {
      id: this.#lastId,
      condition: condition === '' ? undefined : condition,
      hitCondition: hitCondition === '' ? undefined : hitCondition,
      logMessage: logMessage === '' ? undefined : logMessage,
    };
  }
}

/** A breakpoint at a line as the client sees it: verified if an execution has reached it. */
export function verifyLine(stop: LineStop, control: DebugControl): DebugProtocol.Breakpoint {
  const views = knownViews(control);
  const common = { id: stop.id, line: stop.line };
  if (views.length === 0) {
    return { ...common, verified: false, message: 'The execution is not loaded yet.' };
  }
  if (views.some((view) => view.stepsAt(stop.source, stop.line).length > 0)) {
    return { ...common, verified: true };
  }
  const reaches = views.map((view) => view.reachOf(stop.source, stop.line));
  const unclear = reaches.find((one) => one.kind === 'unclear');
  return {
    ...common,
    verified: false,
    message:
      unclear !== undefined
        ? `The compiler has put ${visibleText(unclear.name)} into its callers, and the recording does not show which line called it.`
        : reaches.some(({ kind }) => kind === 'never')
          ? 'This execution never reached the line.'
          : 'No instruction comes from this line.',
  };
}

/** A breakpoint at a function as the client sees it: verified if an execution has come into it. */
function verifyFunction({ id, name }: FunctionStop, control: DebugControl): DebugProtocol.Breakpoint {
  const views = knownViews(control);
  if (views.length === 0) {
    return { id, verified: false, message: 'The execution is not loaded yet.' };
  }
  if (views.some(({ calls }) => calls.list.some((call) => isFunctionNamed(call.name, name)))) {
    return { id, verified: true };
  }
  const isInSource = views.some(({ run: { lines } }) =>
    [...(lines?.map.functions ?? []), ...(lines?.map.methods ?? [])].some((one) =>
      isFunctionNamed(one.name, name),
    ),
  );
  return {
    id,
    verified: false,
    message: isInSource
      ? 'This execution never reached the function.'
      : `There is no function ${visibleText(name)} in the sources of this trace.`,
  };
}

function knownViews(control: DebugControl): RunView[] {
  return control.program.threads
    .map((_, thread) => control.known(thread))
    .filter((view) => view !== undefined);
}

function isExceptionStop(text: string): text is ExceptionStop {
  return text === 'all' || text === 'uncaught' || text === 'failedAction';
}
