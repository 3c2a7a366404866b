import * as vscode from 'vscode';
import type { ErrorCode } from '../../toolkit/base/errorCodes';
import { SharedService, WorkbenchError, toWorkbenchError } from '../../toolkit/base/errors';
import type { Services } from '../project/services';

/** A server of the toolkit in its own thread. */
export interface LocalServerThread {
  /** Called once if it ends unexpectedly. */
  onStopped(listener: (error: WorkbenchError) => void): () => void;
  close(): Promise<void>;
}

/** What tells one such server from another. */
export interface LocalServerFacts {
  /** In the state of the workspace: whether it is to start with the network. */
  isOnKey: string;
  /** For the log. */
  name: string;
  /** The error if another window runs it for this folder. */
  inUse: ErrorCode;
}

/** A server that runs beside the local network: stops with it, and starts again with it until the user stops it. */
export abstract class LocalServer<Thread extends LocalServerThread> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #stopped = new vscode.EventEmitter<WorkbenchError>();
  /** It has ended by itself, or could not start again with its network. */
  readonly onStopped = this.#stopped.event;
  readonly #facts: LocalServerFacts;
  readonly #service: SharedService<Thread>;
  #thread: Thread | undefined;

  constructor(
    protected readonly services: Services,
    facts: LocalServerFacts,
  ) {
    this.#facts = facts;
    this.#service = new SharedService({
      start: (signal) => this.#start(signal),
      stop: (thread) => {
        this.#set(undefined);
        return thread.close();
      },
      onState: () => this.#set(undefined),
    });
  }

  /** The running server. */
  get thread(): Thread | undefined {
    return this.#thread;
  }

  /**
   * Starts it, and the local network if needed.
   * @throws WorkbenchError `aborted`, and those of the server
   */
  start(signal?: AbortSignal): Promise<Thread> {
    return this.#service.ensureRunning(signal);
  }

  /** Stops it, also for the next window. */
  async stop(): Promise<void> {
    await this.services.context.workspaceState.update(this.#facts.isOnKey, false);
    await this.#service.stop();
  }

  /** Stops with the local network, and starts again with it. */
  async follow(): Promise<void> {
    const { localNetwork, context, log } = this.services;
    const { isOnKey, name, inUse } = this.#facts;
    const { kind } = localNetwork.state();
    if (this.#thread !== undefined && (kind === 'stopped' || kind === 'failed')) {
      await this.#service.stop();
    } else if (
      kind === 'running' &&
      !this.#service.isStarted &&
      context.workspaceState.get<boolean>(isOnKey) === true
    ) {
      try {
        await this.start();
      } catch (error) {
        if (WorkbenchError.is(error, inUse)) {
          log.info(`${name} of this folder runs in another window`);
        } else {
          this.#stopped.fire(toWorkbenchError(error));
        }
      }
    }
  }

  async dispose(): Promise<void> {
    await this.#service.stop();
    this.#changed.dispose();
    this.#stopped.dispose();
  }

  /** Starts the thread, and listens to it. */
  protected abstract open(): Promise<Thread>;

  /** It is known to the others now. */
  protected abstract opened(thread: Thread): Promise<void>;

  /** What is shown of it has changed. */
  protected changed(): void {
    this.#changed.fire();
  }

  async #start(signal: AbortSignal): Promise<Thread> {
    const thread = await this.open();
    thread.onStopped((error) => {
      this.#service.lost();
      this.#set(undefined);
      this.#stopped.fire(error);
    });
    // A start that was canceled meanwhile is stopped again by the service.
    if (!signal.aborted) {
      this.#set(thread);
      await this.services.context.workspaceState.update(this.#facts.isOnKey, true);
      await this.opened(thread);
    }
    return thread;
  }

  #set(thread: Thread | undefined): void {
    this.#thread = thread;
    this.#changed.fire();
  }
}
