import { Worker } from 'node:worker_threads';
import { toWorkbenchError, WorkbenchError } from '../errors';
import { limits } from '../limits';
import { builtWorker } from '../threads/builtWorker';
import { RemoteCalls } from '../threads/remoteCalls';
import type { RemoteResult } from '../threads/remoteCalls';
import { systemClock } from '../time';
import type { Clock } from '../time';
import type { BuiltContract } from './readBuiltContract';

/** The calls that the thread serves. */
export interface TolkFace {
  /** @param unsaved texts to use instead of the files, by path */
  compile(path: string, unsaved: Readonly<Record<string, string>>): Promise<BuiltContract>;
}

interface Thread {
  calls: RemoteCalls<TolkFace>;
  /** Rejects pending compilations; the next file starts a new thread. */
  end: (reason: string, cause?: unknown) => Promise<unknown>;
}

/**
 * The Tolk compiler in its own thread, started with the first file: it takes a second to load, needs much
 * memory, and may run for as long as a source makes it. The thread does not keep the process alive.
 */
export class TolkCompiler {
  #thread: Thread | undefined;
  /** Files are compiled one after another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clock: Clock = systemClock,
    private readonly url = builtWorker('tolkWorker', import.meta.url),
  ) {}

  /**
   * Compiles a contract; nothing is written.
   * @param path the entry file's path, with forward slashes
   * @param unsaved texts to use instead of the files, by path
   * @throws WorkbenchError `tolk-compile-failed` (input) with `details.problems`
   */
  compile(path: string, unsaved: Readonly<Record<string, string>> = {}): Promise<BuiltContract> {
    const result = this.#last.then(() => this.#compile(path, unsaved));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#thread?.end('it was closed');
  }

  async #compile(path: string, unsaved: Readonly<Record<string, string>>): Promise<BuiltContract> {
    const { calls, end } = (this.#thread ??= this.#start());
    const cancel = this.clock.after(
      limits.compileSeconds.most * 1000,
      () => void end(`it was not done after ${limits.compileSeconds.most} seconds`),
      false,
    );
    try {
      return await calls.call('compile', path, unsaved);
    } finally {
      cancel();
    }
  }

  #start(): Thread {
    const worker = new Worker(this.url, {
      resourceLimits: { maxOldGenerationSizeMb: limits.compileMemory.most / 1_048_576 },
    });
    const calls = new RemoteCalls<TolkFace>((call) => {
      worker.ref();
      worker.postMessage(call);
    });
    const end: Thread['end'] = (reason, cause) => {
      if (this.#thread?.calls === calls) {
        this.#thread = undefined;
      }
      calls.end(unfinished(reason, cause));
      return worker.terminate();
    };
    worker.on('message', (result: RemoteResult) => {
      calls.receive(result);
      if (calls.isIdle) {
        worker.unref();
      }
    });
    worker.on('error', (error) => void end(toWorkbenchError(error).message.replace(/\.$/, ''), error));
    worker.on('exit', () => void end('its thread has ended'));
    return { calls, end };
  }
}

function unfinished(reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'tolk-compile-failed',
    kind: 'failed',
    message: `The Tolk compiler did not finish: ${reason}.`,
    hint: undefined,
    details: { problems: [] },
    cause,
  });
}
