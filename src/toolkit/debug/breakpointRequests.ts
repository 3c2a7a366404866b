import { BreakpointEvent } from '@vscode/debugadapter/lib/debugSession.js';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { BreakpointBook, verifyFunction, verifyLine } from './breakpointBook';
import { InspectionRequests } from './inspectionRequests';
import { lineSource } from './lineSource';

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
    this.rulesChanged();
    this.sendResponse(response);
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
