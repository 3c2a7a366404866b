import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type * as vscode from 'vscode';
import { WorkbenchError, abortedError } from '../../toolkit/base/errors';
import type { Log } from '../../toolkit/base/log';

/** Characters of an answer that is still incomplete. */
const mostPending = 4 * 1024 * 1024;

/** What the server answers. */
interface Answer {
  id?: number;
  result?: { content?: { text?: string }[] };
  error?: { message: string };
}

/** The server of the tools in a process of its own, spoken to as any client of the protocol does. It starts with the first call. */
export class ToolProcess {
  #child: ChildProcessWithoutNullStreams | undefined;
  #ready: Promise<unknown> | undefined;
  #last = 0;
  readonly #waiting = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (error: Error) => void }
  >();

  /** @param args of Node.js: the program, and its arguments */
  constructor(
    private readonly args: readonly string[],
    private readonly log: Log,
  ) {}

  /**
   * Calls a tool.
   * @returns its answer as text for a model
   * @throws WorkbenchError `aborted`, `tools-unavailable` (failed) if the process ends
   */
  async call(tool: string, input: object, token: vscode.CancellationToken): Promise<string> {
    await this.#start();
    const id = this.#last + 1;
    const cancel = token.onCancellationRequested(() => {
      this.#send({ method: 'notifications/cancelled', params: { requestId: id } });
      this.#waiting.get(id)?.reject(abortedError());
      this.#waiting.delete(id);
    });
    try {
      const { result, error } = await this.#ask('tools/call', { name: tool, arguments: input });
      return error?.message ?? result?.content?.map(({ text = '' }) => text).join('\n') ?? '';
    } finally {
      cancel.dispose();
    }
  }

  dispose(): void {
    this.#child?.kill();
    this.#end('it was stopped');
  }

  #start(): Promise<unknown> {
    this.#ready ??= this.#open();
    return this.#ready;
  }

  async #open(): Promise<void> {
    const child = spawn(process.execPath, this.args, {
      // The editor's own program runs as Node.js with this.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        this.#take(text.slice(0, end));
        text = text.slice(end + 1);
      }
      if (text.length > mostPending) {
        child.kill();
      }
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => this.log.debug(`tools: ${chunk.trim()}`));
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => this.#end(error.message));
    child.once('exit', (code, signal) => this.#end(`it ended with ${signal ?? code}`, child));
    await this.#ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'ton-workbench-editor', version: '1' },
    });
    this.#send({ method: 'notifications/initialized' });
  }

  #ask(method: string, params: object): Promise<Answer> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #send(message: object): void {
    this.#child?.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(line: string): void {
    const answer = JSON.parse(line) as Answer;
    const waiting = answer.id === undefined ? undefined : this.#waiting.get(answer.id);
    if (answer.id !== undefined) {
      this.#waiting.delete(answer.id);
    }
    waiting?.resolve(answer);
  }

  /** The next call starts another process. */
  #end(reason: string, child = this.#child): void {
    if (child !== this.#child) {
      return;
    }
    this.#child = undefined;
    this.#ready = undefined;
    for (const { reject } of this.#waiting.values()) {
      reject(
        new WorkbenchError({
          code: 'tools-unavailable',
          kind: 'failed',
          message: `The process of the tools has stopped: ${reason}.`,
          hint: 'Call the tool again.',
        }),
      );
    }
    this.#waiting.clear();
  }
}
