import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugProgram } from '../../src/toolkit/debug/debugProgram';
import { TonDebugSession } from '../../src/toolkit/debug/tonDebugSession';
import type { OpenProgram } from '../../src/toolkit/debug/tonDebugSession';

type Stopped = DebugProtocol.StoppedEvent['body'];

/** Sends requests to a debug session in this process, as an editor does. */
export class DebugClient {
  /** What the session has written. */
  readonly output: string[] = [];
  readonly #waiting = new Map<number, (response: DebugProtocol.Response) => void>();
  readonly #events = new Map<string, ((event: DebugProtocol.Event) => void)[]>();
  /** For what an editor asks beside the protocol. */
  readonly session: TonDebugSession;
  #sequence = 0;

  constructor(open: OpenProgram) {
    this.session = new TonDebugSession(open);
    this.session.onDidSendMessage((sent) => {
      const message = sent as DebugProtocol.ProtocolMessage;
      if (message.type === 'response') {
        const response = message as DebugProtocol.Response;
        this.#waiting.get(response.request_seq)?.(response);
        return;
      }
      const event = message as DebugProtocol.Event;
      if (event.event === 'output') {
        this.output.push((event as DebugProtocol.OutputEvent).body.output);
      }
      this.#events.get(event.event)?.shift()?.(event);
    });
  }

  /** A session of a program that has begun, stopped at its first line. */
  static async begun(program: DebugProgram, launch: object = { stopOnEntry: true }): Promise<DebugClient> {
    const client = new DebugClient(() => Promise.resolve(program));
    const [stopped, initialized] = [client.event('stopped'), client.event('initialized')];
    await client.request('initialize');
    const launched = client.request('launch', launch);
    await initialized;
    await client.request('configurationDone');
    await Promise.all([stopped, launched]);
    return client;
  }

  /** The body of the answer; rejects with the message of an error. */
  async request<T = unknown>(command: string, args: object = {}): Promise<T> {
    this.#sequence += 1;
    const seq = this.#sequence;
    const answered = new Promise<DebugProtocol.Response>((resolve) => this.#waiting.set(seq, resolve));
    const request: DebugProtocol.Request = { seq, type: 'request', command, arguments: args };
    this.session.handleMessage(request);
    const response = await answered;
    if (!response.success) {
      throw new Error(response.message, { cause: response.body });
    }
    return response.body as T;
  }

  /** The next event of a kind. */
  event(name: string): Promise<DebugProtocol.Event> {
    return new Promise((resolve) => this.#events.set(name, [...(this.#events.get(name) ?? []), resolve]));
  }

  /** Makes a request, and waits until the session has stopped again. */
  async moved(command: string, args: object = { threadId: 1 }): Promise<Stopped> {
    const stopped = this.event('stopped');
    await this.request(command, args);
    return (await stopped).body as Stopped;
  }

  async stack(threadId = 1): Promise<DebugProtocol.StackFrame[]> {
    const { stackFrames } = await this.request<DebugProtocol.StackTraceResponse['body']>('stackTrace', {
      threadId,
    });
    return stackFrames;
  }

  /** The innermost function. */
  async frame(threadId = 1): Promise<DebugProtocol.StackFrame> {
    const [frame] = await this.stack(threadId);
    return frame ?? assert.fail('no frame');
  }

  /** The variables of a scope of the innermost function, as texts by name. */
  async scope(name: string, threadId = 1): Promise<Map<string, string>> {
    const { id } = await this.frame(threadId);
    const { scopes } = await this.request<DebugProtocol.ScopesResponse['body']>('scopes', { frameId: id });
    const variablesReference = scopes.find((one) => one.name === name)?.variablesReference;
    const { variables } = await this.request<DebugProtocol.VariablesResponse['body']>('variables', {
      variablesReference,
    });
    return new Map(variables.map((one) => [one.name, one.value]));
  }

  async content({ source }: DebugProtocol.StackFrame): Promise<string[]> {
    const args = { source, sourceReference: source?.sourceReference };
    return (await this.request<DebugProtocol.SourceResponse['body']>('source', args)).content.split('\n');
  }

  async setBreakpoints(
    source: DebugProtocol.Source,
    ...breakpoints: DebugProtocol.SourceBreakpoint[]
  ): Promise<DebugProtocol.Breakpoint[]> {
    const args = { source, breakpoints };
    return (await this.request<DebugProtocol.SetBreakpointsResponse['body']>('setBreakpoints', args))
      .breakpoints;
  }
}
