import path from 'node:path';
import {
  BreakpointEvent,
  DebugSession,
  InitializedEvent,
  OutputEvent,
  StoppedEvent,
  TerminatedEvent,
  Thread,
} from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { toWorkbenchError, WorkbenchError } from '../errors';
import { BreakpointBook, isListing, verifyLine } from './breakpointBook';
import { DebugControl } from './debugControl';
import type { Moved } from './debugControl';
import type { DebugProgram } from './debugProgram';
import { disassemble } from './disassemble';
import { Inspector } from './inspector';
import { nearestStart } from './stepping';
import type { StepKind } from './stepping';
import { debugCapabilities } from './debugCapabilities';

/** Opens what a launch request names. */
export type OpenProgram = (
  launch: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<DebugProgram>;

interface Session {
  control: DebugControl;
  inspector: Inspector;
}

/** Executions of the TVM for any client of the Debug Adapter Protocol, forward and backward. */
export class TonDebugSession extends DebugSession {
  readonly #book = new BreakpointBook();
  readonly #open: OpenProgram;
  #session: Session | undefined;
  #configured: (() => void) | undefined;
  readonly #isConfigured = new Promise<void>((resolve) => (this.#configured = resolve));
  #running: AbortController | undefined;
  readonly #targets: { thread: number; step: number }[] = [];

  /** @param open throws WorkbenchError with what is wrong, in words */
  constructor(open: OpenProgram) {
    super();
    this.#open = open;
    this.setDebuggerLinesStartAt1(true);
    this.setDebuggerColumnsStartAt1(true);
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    response.body = debugCapabilities;
    this.sendResponse(response);
  }

  protected override launchRequest(
    response: DebugProtocol.LaunchResponse,
    args: DebugProtocol.LaunchRequestArguments & Record<string, unknown>,
  ): void {
    this.#answer(response, async () => {
      const signal = this.#start();
      const program = await this.#open(args, signal);
      const control = new DebugControl(program, {
        loaded: () => this.#verifyAgain(),
        output: (text, kind) =>
          this.sendEvent(new OutputEvent(`${text}\n`, kind === 'log' ? 'stdout' : 'console')),
      });
      this.#session = { control, inspector: new Inspector(control) };
      this.sendEvent(new InitializedEvent());
      this.sendResponse(response);
      await this.#isConfigured;
      await this.#move((session) => session.control.begin(args['stopOnEntry'] !== true, signal));
    });
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.sendResponse(response);
    this.#configured?.();
  }

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    const threads = this.#session?.control.program.threads ?? [];
    response.body = { threads: threads.map(({ name }, index) => new Thread(index + 1, name)) };
    this.sendResponse(response);
  }

  protected override stackTraceRequest(
    response: DebugProtocol.StackTraceResponse,
    args: DebugProtocol.StackTraceArguments,
  ): void {
    response.body = this.#session?.inspector.stackTrace(args) ?? { stackFrames: [], totalFrames: 0 };
    this.sendResponse(response);
  }

  protected override scopesRequest(
    response: DebugProtocol.ScopesResponse,
    { frameId }: DebugProtocol.ScopesArguments,
  ): void {
    this.#answer(response, () => {
      response.body = { scopes: this.#session?.inspector.scopes(frameId) ?? [] };
      this.sendResponse(response);
    });
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    args: DebugProtocol.VariablesArguments,
  ): void {
    this.#answer(response, () => {
      response.body = { variables: this.#session?.inspector.variables(args) ?? [] };
      this.sendResponse(response);
    });
  }

  protected override evaluateRequest(
    response: DebugProtocol.EvaluateResponse,
    args: DebugProtocol.EvaluateArguments,
  ): void {
    this.#answer(response, () => {
      response.body = this.#opened().inspector.evaluate(args);
      this.sendResponse(response);
    });
  }

  protected override completionsRequest(
    response: DebugProtocol.CompletionsResponse,
    { frameId, text, column }: DebugProtocol.CompletionsArguments,
  ): void {
    const [begun = ''] = /[\w$.]*$/.exec(text.slice(0, column - 1)) ?? [];
    const names = this.#session?.inspector.names(frameId) ?? [];
    response.body = {
      targets: names
        .filter((name) => name.startsWith(begun))
        .map((label) => ({ label, start: column - 1 - begun.length, length: begun.length })),
    };
    this.sendResponse(response);
  }

  protected override sourceRequest(
    response: DebugProtocol.SourceResponse,
    { source, sourceReference }: DebugProtocol.SourceArguments,
  ): void {
    this.#answer(response, () => {
      const content = this.#opened().inspector.listing(source, sourceReference);
      if (content === undefined) {
        throw new WorkbenchError({
          code: 'debug-request-invalid',
          kind: 'input',
          message: 'This source is not part of the session.',
        });
      }
      response.body = { content, mimeType: 'text/x-tasm' };
      this.sendResponse(response);
    });
  }

  protected override disassembleRequest(
    response: DebugProtocol.DisassembleResponse,
    args: DebugProtocol.DisassembleArguments,
  ): void {
    const session = this.#session;
    response.body = {
      instructions: session === undefined ? [] : disassemble(args, session.control, session.inspector),
    };
    this.sendResponse(response);
  }

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    { source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
  ): void {
    const stops = this.#book.setLines(source, breakpoints);
    response.body = {
      breakpoints: stops.map(
        (stop) =>
          this.#rulesChanged((control) => verifyLine(stop, control)) ?? {
            id: stop.id,
            line: stop.line,
            verified: false,
          },
      ),
    };
    this.sendResponse(response);
  }

  protected override breakpointLocationsRequest(
    response: DebugProtocol.BreakpointLocationsResponse,
    { source, line, endLine = line }: DebugProtocol.BreakpointLocationsArguments,
  ): void {
    const control = this.#session?.control;
    const lines = new Set<number>();
    for (const [thread] of control?.program.threads.entries() ?? []) {
      const view = control?.known(thread);
      if (isListing(source)) {
        view?.listing.instructions.forEach((one) => lines.add(one.line));
      } else {
        view?.run.lines?.map.places
          .filter(({ file }) => control?.program.pathOf(file) === path.normalize(source.path ?? ''))
          .forEach((place) => lines.add(place.line));
      }
    }
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
    this.#rulesChanged(() => undefined);
    response.body = { breakpoints: stops.map(({ id }) => ({ id, verified: true })) };
    this.sendResponse(response);
  }

  protected override setInstructionBreakpointsRequest(
    response: DebugProtocol.SetInstructionBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetInstructionBreakpointsArguments,
  ): void {
    const control = this.#session?.control;
    const stops = control === undefined ? [] : this.#book.setInstructions(breakpoints, control);
    this.#rulesChanged(() => undefined);
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
    const dataId = this.#session?.inspector.watchable(args);
    response.body =
      dataId === undefined
        ? {
            dataId: null,
            description: `${args.name} cannot be watched: only registers and variables of the source can.`,
          }
        : { dataId, description: args.name, accessTypes: ['write'], canPersist: true };
    this.sendResponse(response);
  }

  protected override setDataBreakpointsRequest(
    response: DebugProtocol.SetDataBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetDataBreakpointsArguments,
  ): void {
    const stops = this.#book.setData(breakpoints);
    this.#rulesChanged(() => undefined);
    response.body = {
      breakpoints: stops.map((stop) =>
        stop === undefined
          ? { verified: false, message: 'This is no value that can be watched.' }
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
    this.#rulesChanged(() => undefined);
    this.sendResponse(response);
  }

  protected override exceptionInfoRequest(
    response: DebugProtocol.ExceptionInfoResponse,
    { threadId }: DebugProtocol.ExceptionInfoArguments,
  ): void {
    const control = this.#session?.control;
    const view = control?.known(threadId - 1);
    const step = control?.position.step ?? 0;
    const thrown = view?.recording.exceptions.find((one) => one.step === step);
    const code = thrown?.code;
    response.body = {
      exceptionId: code === undefined ? 'Failed' : `Exit code ${view?.run.exitText(code) ?? code}`,
      description: code === undefined ? (view?.run.failure ?? 'The code failed.') : (thrown?.words ?? ''),
      breakMode: thrown?.isFinal === false ? 'always' : 'unhandled',
    };
    this.sendResponse(response);
  }

  protected override continueRequest(
    response: DebugProtocol.ContinueResponse,
    args: DebugProtocol.ContinueArguments,
  ): void {
    response.body = { allThreadsContinued: true };
    this.#moveAfter(response, args.threadId, ({ control }, signal) => control.continue(signal));
  }

  protected override reverseContinueRequest(
    response: DebugProtocol.ReverseContinueResponse,
    args: DebugProtocol.ReverseContinueArguments,
  ): void {
    this.#moveAfter(response, args.threadId, ({ control }, signal) => control.reverseContinue(signal));
  }

  protected override nextRequest(
    response: DebugProtocol.NextResponse,
    args: DebugProtocol.NextArguments,
  ): void {
    this.#step(response, args, 'over');
  }

  protected override stepInRequest(
    response: DebugProtocol.StepInResponse,
    args: DebugProtocol.StepInArguments,
  ): void {
    this.#step(response, args, 'in');
  }

  protected override stepOutRequest(
    response: DebugProtocol.StepOutResponse,
    args: DebugProtocol.StepOutArguments,
  ): void {
    this.#step(response, args, 'out');
  }

  protected override stepBackRequest(
    response: DebugProtocol.StepBackResponse,
    args: DebugProtocol.StepBackArguments,
  ): void {
    this.#moveAfter(response, args.threadId, ({ control }, signal) =>
      control.stepBack(args.granularity === 'instruction' ? 'instruction' : 'over', signal),
    );
  }

  protected override restartRequest(response: DebugProtocol.RestartResponse): void {
    this.#moveAfter(response, undefined, async ({ control }, signal) => {
      const thread = control.program.first;
      const view = await control.load(thread, signal);
      return control.go({ thread, step: view?.entry ?? 0 }, 'entry');
    });
  }

  protected override restartFrameRequest(
    response: DebugProtocol.RestartFrameResponse,
    { frameId }: DebugProtocol.RestartFrameArguments,
  ): void {
    const begin = this.#session?.inspector.beginOf(frameId);
    this.#moveAfter(response, undefined, ({ control }) =>
      Promise.resolve(control.go(begin ?? control.position, 'entry')),
    );
  }

  protected override gotoTargetsRequest(
    response: DebugProtocol.GotoTargetsResponse,
    { source, line }: DebugProtocol.GotoTargetsArguments,
  ): void {
    const { control, inspector } = this.#opened();
    const thread = inspector.threadOf(source);
    const view = control.known(thread);
    const from = thread === control.position.thread ? control.position.step : -1;
    const file = source.path === undefined ? undefined : path.normalize(source.path);
    const step =
      view &&
      nearestStart(view, from, (at) => {
        const place = view.placeOf(at);
        return (
          place?.line === line &&
          (isListing(source)
            ? place.file === undefined
            : place.file !== undefined && control.program.pathOf(place.file) === file)
        );
      });
    response.body = {
      targets:
        step === undefined ? [] : [{ id: this.#targets.push({ thread, step }), label: `line ${line}`, line }],
    };
    this.sendResponse(response);
  }

  protected override gotoRequest(
    response: DebugProtocol.GotoResponse,
    { targetId }: DebugProtocol.GotoArguments,
  ): void {
    const target = this.#targets[targetId - 1];
    this.#moveAfter(response, undefined, ({ control }) =>
      Promise.resolve(control.go(target ?? control.position)),
    );
  }

  protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
    this.sendResponse(response);
    this.#running?.abort();
  }

  protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
    this.#end();
    this.sendResponse(response);
    this.sendEvent(new TerminatedEvent());
  }

  protected override disconnectRequest(
    response: DebugProtocol.DisconnectResponse,
    args: DebugProtocol.DisconnectArguments,
  ): void {
    this.#end();
    super.disconnectRequest(response, args);
  }

  #step(response: DebugProtocol.Response, args: DebugProtocol.NextArguments, kind: StepKind): void {
    const wanted = args.granularity === 'instruction' ? 'instruction' : kind;
    this.#moveAfter(response, args.threadId, ({ control }, signal) => control.step(wanted, signal));
  }

  /** Answers, then moves, as the protocol wants it; in another execution, if the client has chosen one. */
  #moveAfter(
    response: DebugProtocol.Response,
    threadId: number | undefined,
    move: (session: Session, signal: AbortSignal) => Promise<Moved | undefined>,
  ): void {
    this.#answer(response, async () => {
      const { control } = this.#opened();
      this.sendResponse(response);
      const signal = this.#start();
      await this.#move(async (session) => {
        const thread = (threadId ?? 0) - 1;
        if (thread >= 0 && thread !== control.position.thread) {
          const view = await control.load(thread, signal);
          if (view !== undefined) {
            control.go({ thread, step: thread < control.position.thread ? view.steps - 1 : view.entry });
          }
        }
        return move(session, signal);
      });
    });
  }

  async #move(move: (session: Session) => Promise<Moved | undefined>): Promise<void> {
    const session = this.#opened();
    let moved: Moved | undefined;
    try {
      moved = await move(session);
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      moved = { reason: 'pause', description: error.code === 'aborted' ? 'Paused' : error.message };
      if (error.code !== 'aborted') {
        this.sendEvent(new OutputEvent(`${error.message}\n${error.hint ?? ''}\n`, 'stderr'));
      }
    }
    session.inspector.reset();
    if (moved === undefined) {
      this.sendEvent(new TerminatedEvent());
      return;
    }
    const { reason, description, ids } = moved;
    const stopped: DebugProtocol.StoppedEvent = new StoppedEvent(reason, session.control.position.thread + 1);
    stopped.body = {
      ...stopped.body,
      allThreadsStopped: true,
      ...(description === undefined ? {} : { description }),
      ...(reason === 'exception' ? { text: this.#exceptionText(session) } : {}),
      ...(ids === undefined ? {} : { hitBreakpointIds: [...ids] }),
    };
    this.sendEvent(stopped);
  }

  #exceptionText({ control: { view, position } }: Session): string {
    const thrown = view?.recording.exceptions.find(({ step }) => step === position.step);
    return thrown?.code === undefined
      ? (view?.run.failure ?? 'The code failed.')
      : `Exit code ${view?.run.exitText(thrown.code) ?? thrown.code}`;
  }

  #rulesChanged<T>(read: (control: DebugControl) => T): T | undefined {
    const control = this.#session?.control;
    if (control === undefined) {
      return undefined;
    }
    control.rules = this.#book.rules;
    return read(control);
  }

  #verifyAgain(): void {
    const control = this.#session?.control;
    if (control !== undefined) {
      this.#book.verified(control).forEach((one) => this.sendEvent(new BreakpointEvent('changed', one)));
    }
  }

  #opened(): Session {
    if (this.#session === undefined) {
      throw new WorkbenchError({
        code: 'debug-request-invalid',
        kind: 'input',
        message: 'The session has not begun: send a launch request first.',
      });
    }
    return this.#session;
  }

  #start(): AbortSignal {
    this.#running?.abort();
    this.#running = new AbortController();
    return this.#running.signal;
  }

  #end(): void {
    this.#running?.abort();
    this.#configured?.();
  }

  /** Sends an error response if the work fails. */
  #answer(response: DebugProtocol.Response, work: () => void | Promise<void>): void {
    const fail = (thrown: unknown): void => {
      const { message, hint } = toWorkbenchError(thrown);
      const format = hint === undefined ? message : `${message} ${hint}`;
      this.sendErrorResponse(response, {
        id: 1,
        format: format.replaceAll('{', '(').replaceAll('}', ')'),
        showUser: true,
      });
    };
    try {
      const working = work();
      if (working instanceof Promise) {
        working.catch(fail);
      }
    } catch (thrown) {
      fail(thrown);
    }
  }
}
