import {
  InitializedEvent,
  OutputEvent,
  StoppedEvent,
  TerminatedEvent,
} from '@vscode/debugadapter/lib/debugSession.js';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { toWorkbenchError } from '../base/errors';
import { BreakpointRequests, debugCapabilities } from './breakpointRequests';
import type { Moved, Position } from './debugControl';
import { DebugControl } from './debugControl';
import type { DebugProgram } from './debugProgram';
import type { OpenedProgram } from './inspectionRequests';
import { executedLinesRequest } from './inspectionRequests';
import { Inspector, pastError } from './inspector';
import type { OriginTree } from './originTree';
import { askOrigins } from './askOrigins';
import { lineSource } from './runView';
import type { StepKind } from './stepping';

/** What requests of the protocol must have, by command, and its type; those that do without are not listed. */
const needed: Readonly<Record<string, Readonly<Record<string, 'string' | 'number' | 'object'>>>> = {
  breakpointLocations: { source: 'object', line: 'number' },
  completions: { text: 'string', column: 'number' },
  dataBreakpointInfo: { name: 'string' },
  evaluate: { expression: 'string' },
  goto: { targetId: 'number' },
  gotoTargets: { source: 'object', line: 'number' },
  scopes: { frameId: 'number' },
  setBreakpoints: { source: 'object' },
  setDataBreakpoints: { breakpoints: 'object' },
  setExceptionBreakpoints: { filters: 'object' },
  setFunctionBreakpoints: { breakpoints: 'object' },
  setInstructionBreakpoints: { breakpoints: 'object' },
  variables: { variablesReference: 'number' },
};

/** The argument that a request lacks, or that has another type than in the protocol; undefined if there is none. */
function missingArgument(command: string, given: unknown): string | undefined {
  const values = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  return Object.entries(needed[command] ?? {}).find(
    ([name, type]) => typeof values[name] !== type || values[name] === null,
  )?.[0];
}

/** Opens what a launch request names. */
export type OpenProgram = (
  launch: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<DebugProgram>;

/** The requests that are answered; of others, the base class would say that they have succeeded. */
const known: ReadonlySet<string> = new Set([
  ...['initialize', 'launch', 'configurationDone', 'disconnect', 'terminate', 'restart', 'pause'],
  ...['threads', 'stackTrace', 'scopes', 'variables', 'evaluate', 'completions', 'source', 'disassemble'],
  ...['setBreakpoints', 'setFunctionBreakpoints', 'setInstructionBreakpoints', 'setExceptionBreakpoints'],
  ...['breakpointLocations', 'dataBreakpointInfo', 'setDataBreakpoints', 'exceptionInfo'],
  ...['continue', 'reverseContinue', 'next', 'stepIn', 'stepOut', 'stepBack', 'restartFrame'],
  ...['gotoTargets', 'goto', 'setVariable', 'setExpression', executedLinesRequest],
]);

/** Executions of the TVM for any client of the Debug Adapter Protocol, forward and backward. */
export class TonDebugSession extends BreakpointRequests {
  readonly #open: OpenProgram;
  #configured: (() => void) | undefined;
  readonly #isConfigured = new Promise<void>((resolve) => (this.#configured = resolve));
  #running: AbortController | undefined;
  readonly #targets: Position[] = [];

  readonly #onEnd: () => void;
  #listener: () => void = () => undefined;

  /**
   * @param open throws WorkbenchError with what is wrong, in words
   * @param onEnd called when the client has ended the session
   */
  constructor(open: OpenProgram, onEnd: () => void = () => undefined) {
    super();
    this.#open = open;
    this.#onEnd = onEnd;
    this.setDebuggerLinesStartAt1(true);
    this.setDebuggerColumnsStartAt1(true);
  }

  /**
   * Where the values come from that an expression names; without one, the operands of what failed.
   *
   * @param frameId of the function that is looked at; without one, where the session is
   * @throws WorkbenchError `debug-request-invalid` before a launch, `expression-invalid` if nothing is known of them
   */
  async origins(
    expression: string | undefined,
    frameId: number | undefined,
    signal: AbortSignal,
  ): Promise<readonly OriginTree[]> {
    const { control, inspector } = this.required();
    return (await askOrigins(control.runs, inspector.frame(frameId), expression, signal)).trees;
  }

  /**
   * Its executions, and where it is in them.
   * @throws WorkbenchError `debug-request-invalid` before a launch
   */
  get control(): DebugControl {
    return this.required().control;
  }

  /** Calls back whenever breakpoints have changed, or an execution was recorded. */
  onDidChange(listener: () => void): void {
    this.#listener = listener;
  }

  /** What executions are called, by their index. */
  threadName(thread: number): string {
    return this.opened?.control.runs.threads[thread]?.name ?? '';
  }

  /** Goes to a step of an execution, and tells the client. */
  async goTo(position: Position): Promise<void> {
    const signal = this.#start();
    await this.#move(async ({ control }) => {
      await control.load(position.thread, signal);
      return control.go(position, 'goto');
    });
  }

  protected override rulesChanged(): void {
    super.rulesChanged();
    this.#listener();
  }

  protected override verifyAgain(): void {
    super.verifyAgain();
    this.#listener();
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    response.body = debugCapabilities;
    this.sendResponse(response);
  }

  protected override launchRequest(
    response: DebugProtocol.LaunchResponse,
    args: DebugProtocol.LaunchRequestArguments & Record<string, unknown>,
  ): void {
    this.answer(response, async () => {
      const signal = this.#start();
      // Clients leave out empty arguments.
      const launch = (args as Record<string, unknown> | undefined) ?? {};
      const program = await this.#open(launch, signal);
      const control = new DebugControl(program, {
        loaded: () => this.verifyAgain(),
        output: (text, kind) =>
          this.sendEvent(new OutputEvent(`${text}\n`, kind === 'log' ? 'stdout' : 'console')),
      });
      this.opened = { control, inspector: new Inspector(control) };
      this.rulesChanged();
      // Breakpoints can be verified from the beginning.
      await control.load(program.first, signal);
      this.sendEvent(new InitializedEvent());
      this.sendResponse(response);
      await this.#isConfigured;
      await this.#move((session) => session.control.begin(launch['stopOnEntry'] !== true, signal));
    });
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.sendResponse(response);
    this.#configured?.();
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

  protected override setVariableRequest(response: DebugProtocol.SetVariableResponse): void {
    const { message, hint = '' } = pastError();
    // A client shows it where the value was entered.
    this.sendErrorResponse(response, { id: 3, format: `${message} ${hint}`, showUser: false });
  }

  protected override setExpressionRequest(response: DebugProtocol.SetExpressionResponse): void {
    this.setVariableRequest(response);
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
    this.#goAfter(response, this.opened?.inspector.beginOf(frameId), 'entry');
  }

  protected override gotoTargetsRequest(
    response: DebugProtocol.GotoTargetsResponse,
    { source, line }: DebugProtocol.GotoTargetsArguments,
  ): void {
    const { control } = this.required();
    const { position } = control;
    const named = lineSource(source);
    const thread = 'thread' in named ? named.thread : position.thread;
    const from = thread === position.thread ? position.step : -1;
    const steps = control.known(thread)?.stepsAt(named, line) ?? [];
    const step = steps.find((one) => one > from) ?? steps.at(-1);
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
    this.#goAfter(response, this.#targets[targetId - 1], 'goto');
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
    this.#onEnd();
  }

  protected override dispatchRequest(request: DebugProtocol.Request): void {
    const missing = missingArgument(request.command, request.arguments);
    if (known.has(request.command) && missing === undefined) {
      const isFirst = request.command === 'initialize';
      // Paths are the protocol's default, but the base class wants it said.
      const withDefault = { ...request, arguments: { pathFormat: 'path', ...request.arguments } as unknown };
      super.dispatchRequest(isFirst ? withDefault : request);
      return;
    }
    const { seq, command } = request;
    const response = { seq: 0, type: 'response', request_seq: seq, success: false, command };
    this.sendErrorResponse(response, {
      id: 2,
      format:
        missing === undefined
          ? 'This debugger does not support the request.'
          : `The request ${command} needs ${missing}.`,
    });
  }

  #step(response: DebugProtocol.Response, args: DebugProtocol.NextArguments, kind: StepKind): void {
    const wanted = args.granularity === 'instruction' ? 'instruction' : kind;
    this.#moveAfter(response, args.threadId, ({ control }, signal) => control.step(wanted, signal));
  }

  /** Goes to a place that the client was told of. */
  #goAfter(response: DebugProtocol.Response, place: Position | undefined, reason: Moved['reason']): void {
    if (place === undefined) {
      const format = 'This item no longer exists: the session has moved on.';
      this.sendErrorResponse(response, { id: 3, format });
      return;
    }
    this.#moveAfter(response, undefined, ({ control }) => Promise.resolve(control.go(place, reason)));
  }

  /** Answers, then moves, as the protocol wants it; in another execution, if the client has chosen one. */
  #moveAfter(
    response: DebugProtocol.Response,
    threadId: number | undefined,
    move: (session: OpenedProgram, signal: AbortSignal) => Promise<Moved | undefined>,
  ): void {
    this.answer(response, async () => {
      const { control } = this.required();
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

  async #move(move: (session: OpenedProgram) => Promise<Moved | undefined>): Promise<void> {
    const session = this.required();
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
      ...(reason === 'data breakpoint' && description !== undefined ? { text: description } : {}),
      ...(reason === 'exception' ? { text: this.exceptionText(session) } : {}),
      ...(ids === undefined ? {} : { hitBreakpointIds: [...ids] }),
    };
    this.sendEvent(stopped);
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
}
