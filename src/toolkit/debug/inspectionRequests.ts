import { DebugSession, Thread } from '@vscode/debugadapter/lib/debugSession.js';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import { namedValueText } from '../sourceMap/namedValues';
import { thrownAt } from '../sourceMap/thrownAt';
import { visibleText } from '../base/text';
import type { DebugControl } from './debugControl';
import type { Inspector } from './inspector';
import { addressOutside, instructionAddress, instructionOf } from './instructionAddress';

/** A request of our own: the lines of sources that an execution ran. */
export const executedLinesRequest = 'executedLines';

/** Its answer, by file of this machine. */
export interface ExecutedLinesBody {
  /** `times`: how often each of the lines began. */
  files: { path: string; lines: number[]; times: number[] }[];
}

/** What a session has opened. */
export interface OpenedProgram {
  control: DebugControl;
  inspector: Inspector;
}

/** The requests that look at a stopped session: threads, call stack, variables, sources, instructions. */
export abstract class InspectionRequests extends DebugSession {
  /** Undefined before a launch. */
  protected opened: OpenedProgram | undefined;

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    const threads = this.opened?.control.program.threads ?? [];
    response.body = { threads: threads.map(({ name }, index) => new Thread(index + 1, name)) };
    this.sendResponse(response);
  }

  protected override stackTraceRequest(
    response: DebugProtocol.StackTraceResponse,
    args: DebugProtocol.StackTraceArguments,
  ): void {
    response.body = this.opened?.inspector.stackTrace(args) ?? { stackFrames: [], totalFrames: 0 };
    this.sendResponse(response);
  }

  protected override scopesRequest(
    response: DebugProtocol.ScopesResponse,
    { frameId }: DebugProtocol.ScopesArguments,
  ): void {
    this.answer(response, () => {
      response.body = { scopes: this.opened?.inspector.scopes(frameId) ?? [] };
      this.sendResponse(response);
    });
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    args: DebugProtocol.VariablesArguments,
  ): void {
    this.answer(response, () => {
      response.body = { variables: this.opened?.inspector.variables(args) ?? [] };
      this.sendResponse(response);
    });
  }

  protected override evaluateRequest(
    response: DebugProtocol.EvaluateResponse,
    args: DebugProtocol.EvaluateArguments,
  ): void {
    this.answer(response, () => {
      response.body = this.required().inspector.evaluate(args);
      this.sendResponse(response);
    });
  }

  protected override completionsRequest(
    response: DebugProtocol.CompletionsResponse,
    { frameId, text, column }: DebugProtocol.CompletionsArguments,
  ): void {
    const begun =
      text
        .slice(0, column - 1)
        .split(/[^\w$.]/)
        .at(-1) ?? '';
    const names = this.opened?.inspector.names(frameId) ?? [];
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
    this.answer(response, () => {
      const content = this.required().inspector.contentOf(source, sourceReference);
      if (content === undefined) {
        throw new WorkbenchError({
          code: 'debug-request-invalid',
          kind: 'input',
          message: 'This source is not part of the session.',
        });
      }
      // Its name tells its language.
      response.body = { content };
      this.sendResponse(response);
    });
  }

  protected override disassembleRequest(
    response: DebugProtocol.DisassembleResponse,
    args: DebugProtocol.DisassembleArguments,
  ): void {
    const session = this.opened;
    response.body = {
      instructions: session === undefined ? [] : disassemble(args, session.control, session.inspector),
    };
    this.sendResponse(response);
  }

  protected override exceptionInfoRequest(
    response: DebugProtocol.ExceptionInfoResponse,
    { threadId }: DebugProtocol.ExceptionInfoArguments,
  ): void {
    const control = this.opened?.control;
    const view = control?.known(threadId - 1);
    const step = control?.position.step ?? 0;
    const thrown = view?.recording.exceptions.find((one) => one.step === step);
    const code = thrown?.code;
    response.body = {
      exceptionId: code === undefined ? 'Failed' : `Exit code ${view?.run.exitText(code) ?? code}`,
      description:
        code === undefined
          ? (view?.run.failure ?? 'The code failed.')
          : this.#thrownDescription(threadId - 1, step, thrown?.words ?? ''),
      breakMode: thrown?.isFinal === false ? 'always' : 'unhandled',
    };
    this.sendResponse(response);
  }

  /** @param args `threadId`: of the execution; it is answered for one that is recorded */
  protected override customRequest(command: string, response: DebugProtocol.Response, args: unknown): void {
    if (command !== executedLinesRequest) {
      super.customRequest(command, response, args);
      return;
    }
    const { threadId } = (args ?? {}) as { threadId?: unknown };
    const body: ExecutedLinesBody = { files: this.executedLines(Number(threadId)) };
    response.body = body;
    this.sendResponse(response);
  }

  /** The lines of sources that an execution ran; none of one that is not recorded. */
  executedLines(threadId: number): ExecutedLinesBody['files'] {
    const view = this.opened?.control.known(threadId - 1);
    return [...(view?.executedLines() ?? [])].map(([path, lines]) => ({
      path,
      lines: [...lines.keys()],
      times: [...lines.values()],
    }));
  }

  /** The statement that threw, and the values that it names. */
  #thrownDescription(thread: number, step: number, otherwise: string): string {
    const control = this.opened?.control;
    const lines = control?.known(thread)?.run.lines;
    const thrown = lines && thrownAt(lines);
    if (control === undefined || thrown?.step !== step) {
      return otherwise;
    }
    const values = thrown.values.map((value) => namedValueText(value, control.program.accountName));
    return [visibleText(thrown.place.text), ...values].join('\n');
  }

  protected exceptionText({ control: { view, position } }: OpenedProgram): string {
    const thrown = view?.recording.exceptions.find(({ step }) => step === position.step);
    return thrown?.code === undefined
      ? (view?.run.failure ?? 'The code failed.')
      : `Exit code ${view?.run.exitText(thrown.code) ?? thrown.code}`;
  }

  /** @throws WorkbenchError `debug-request-invalid` before a launch */
  protected required(): OpenedProgram {
    if (this.opened === undefined) {
      throw new WorkbenchError({
        code: 'debug-request-invalid',
        kind: 'input',
        message: 'The session has not begun: send a launch request first.',
      });
    }
    return this.opened;
  }

  /** Sends an error response if the work fails. */
  protected answer(response: DebugProtocol.Response, work: () => void | Promise<void>): void {
    const fail = (thrown: unknown): void => {
      const { message, hint, code } = toWorkbenchError(thrown);
      const format = hint === undefined ? message : `${message} ${hint}`;
      this.sendErrorResponse(response, {
        id: 1,
        format: format.replaceAll('{', '(').replaceAll('}', ')'),
        // Whoever has canceled knows it. The console and the watches show themselves why nothing could be evaluated.
        showUser: code !== 'aborted' && response.command !== 'evaluate',
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

/** The instructions around an address; what lies outside the listing is marked as invalid, as the protocol wants it. */
function disassemble(
  {
    memoryReference,
    offset = 0,
    instructionOffset = 0,
    instructionCount,
  }: DebugProtocol.DisassembleArguments,
  control: DebugControl,
  inspector: Inspector,
): DebugProtocol.DisassembledInstruction[] {
  const place = instructionOf(memoryReference, offset);
  const view = place && control.known(place.thread);
  const count = Math.min(instructionCount, 10_000);
  if (place === undefined || view === undefined) {
    return Array.from({ length: count }, (_, index) => invalid(addressOutside(0, index)));
  }
  const { thread } = place;
  const { instructions } = view.listing;
  const found = instructions.findIndex((one) => one.cell === place.cell && one.offset >= place.offset);
  const first = (found < 0 ? instructions.length : found) + instructionOffset;
  return Array.from({ length: count }, (_, index): DebugProtocol.DisassembledInstruction => {
    const at = first + index;
    const one = instructions[at];
    if (one === undefined) {
      return invalid(addressOutside(thread, at < 0 ? at : at - instructions.length));
    }
    const { source, line } = inspector.sourceAt(thread, view, one.step);
    return {
      address: instructionAddress({ thread, ...one }),
      instruction: one.text,
      instructionBytes: `${view.recording.cells[one.cell]?.slice(0, 8) ?? ''}:${one.offset}`,
      ...(source === undefined ? {} : { location: source, line }),
    };
  });
}

function invalid(address: string): DebugProtocol.DisassembledInstruction {
  return { address, instruction: '', presentationHint: 'invalid' };
}
