import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import { CacheFolder } from '../base/journal/journalDisk';
import { limits } from '../base/limits';
import type { SourceMap } from '../sourceMap/sourceMap';
import { CallThread, builtWorker } from '../base/serviceThread';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import type { CompileInputs, Compiled } from './compileInputs';
import { areCurrent, currentHash, fileState } from './compileInputs';
import type { CompileRequest } from './compileRequest';
import { listFolder, requestReader } from './compileRequest';
import { compilerFile, isForActon } from './projectCompiler';
import type { BuiltContract } from './readBuiltContract';

/** The calls that the thread serves. */
export interface CompilerFace {
  compile(path: string, request: CompileRequest): Promise<Compiled<BuiltContract[]>>;
  map(path: string, request: CompileRequest): Promise<Compiled<SourceMap[]>>;
}

/** What the thread tells besides its results: the process id of a program that it runs, until that has ended. */
export interface RunningProgram {
  running: number | undefined;
}

/** How sources are compiled. */
export interface CompilerSettings {
  /** A folder of the user's own in which results are kept; undefined to keep none. */
  cache?: string | undefined;
  clock?: Clock | undefined;
}

/**
 * The compilers in their own thread, started with the first file: they take a second to load, need much
 * memory, and may run for as long as a source makes them. The thread does not keep the process alive.
 */
export class SourceCompiler {
  #thread: CallThread<CompilerFace, RunningProgram> | undefined;
  /** Files are compiled one after another. */
  #last: Promise<unknown> = Promise.resolve();

  readonly #url = builtWorker('sourceWorker', import.meta.url);
  readonly #clock: Clock;
  readonly #cache: CompileCache | undefined;

  constructor({ cache, clock = systemClock }: CompilerSettings = {}) {
    this.#clock = clock;
    this.#cache = cache === undefined ? undefined : new CompileCache(cache, this.#url);
  }

  /**
   * Compiles a source; nothing is written. See {@link compileSource}.
   * @param path the entry file's path, with forward slashes
   * @returns its contracts; only a Tact source can declare several
   * @throws WorkbenchError `compile-failed` (input) with `details.problems`
   * @throws WorkbenchError `compiler-missing`, `compiler-unusable` (input)
   */
  compile(path: string, request: CompileRequest): Promise<BuiltContract[]> {
    return this.#call('compile', path, request);
  }

  /**
   * Compiles a source and tells the lines of its codes; nothing is written. See {@link mapSource}.
   * @param path the entry file's path, with forward slashes
   * @throws WorkbenchError as {@link compile}
   */
  map(path: string, request: CompileRequest): Promise<SourceMap[]> {
    return this.#call('map', path, request);
  }

  async close(): Promise<void> {
    await this.#thread?.end(unfinished('it was closed'));
  }

  async #call<Result extends BuiltContract[] | SourceMap[]>(
    name: keyof CompilerFace,
    path: string,
    request: CompileRequest,
  ): Promise<Result> {
    // What another program reads is not known.
    const cached = isForActon(path, request) ? undefined : this.#cache?.at<Result>(name, path, request);
    const found = cached?.find();
    if (found !== undefined) {
      return found.result;
    }
    const compiling = this.#last.then(() => this.#timed(name, path, request));
    this.#last = compiling.catch(() => undefined);
    const compiled = (await compiling) as Compiled<Result>;
    cached?.keep(compiled);
    return compiled.result;
  }

  async #timed(name: keyof CompilerFace, path: string, request: CompileRequest): Promise<unknown> {
    const thread = (this.#thread ??= this.#start());
    const cancel = this.#clock.after(
      limits.compileSeconds.most * 1000,
      () => void thread.end(unfinished(`it was not done after ${limits.compileSeconds.most} seconds`)),
      false,
    );
    try {
      return await thread.calls.call(name, path, request);
    } finally {
      cancel();
    }
  }

  #start(): CallThread<CompilerFace, RunningProgram> {
    const worker = new Worker(this.#url, {
      // Compilers also print to the console.
      ...{ stdout: true, stderr: true },
      resourceLimits: { maxOldGenerationSizeMb: limits.compileMemory.most / 1_048_576 },
    });
    worker.stdout.resume();
    worker.stderr.resume();
    let program: number | undefined;
    const thread = new CallThread<CompilerFace, RunningProgram>(worker, {
      endedError: (cause) =>
        unfinished(
          cause === undefined ? 'its thread has ended' : toWorkbenchError(cause).message.replace(/\.$/, ''),
          cause,
        ),
      onMessage: ({ running }) => {
        program = running;
      },
      onEnd: () => {
        if (program !== undefined) {
          // It would outlive the thread.
          killIfThere(program);
        }
        if (this.#thread === thread) {
          this.#thread = undefined;
        }
      },
    });
    return thread;
  }
}

function killIfThere(program: number): void {
  try {
    process.kill(program, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

function unfinished(reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'compile-failed',
    kind: 'failed',
    message: `The compiler did not finish: ${reason}.`,
    hint: undefined,
    details: { problems: [] },
    cause,
  });
}

/** Where the result of a call is, or will be. */
interface CachedCall<Result> {
  /** The result, if everything that it was made from is as it was. */
  find(): { result: Result } | undefined;
  keep(compiled: Compiled<Result>): void;
}

/**
 * Results of compilers in a folder, for later processes. Each is found by the entry file with its text, by what is asked,
 * and by the compiler; it counts only while every file that the compiler read is as it was, and every file that it did
 * not find is still not there. Only what has compiled is kept.
 */
export class CompileCache {
  readonly #folder: CacheFolder;
  /** Of our compilers and of what reads their output: they are built into one file. */
  readonly #program: string | undefined;

  /** @param program the built worker */
  constructor(folder: string, program: URL) {
    this.#folder = new CacheFolder(folder, {
      bytes: limits.compileCache.most,
      entries: limits.compileCacheEntries.most,
    });
    this.#program = fileState(program)?.text;
  }

  /**
   * @param call name of the call
   * @param path the entry file's path, with forward slashes
   * @returns undefined if there is nothing to compare
   */
  at<Result>(call: string, path: string, request: CompileRequest): CachedCall<Result> | undefined {
    const read = requestReader(request);
    const text = currentHash(path, read);
    if (text === null || this.#program === undefined) {
      return undefined;
    }
    const compiler = compilerFile(path, request.isTrusted);
    // A project's compiler may look at the folder where it runs.
    const place = compiler === undefined ? [] : [compiler, process.cwd()];
    const name = createHash('sha256')
      .update(JSON.stringify([this.#program, call, path, text, ...place]))
      .digest('hex');
    return {
      find: () => {
        const found = this.#read<Result>(name);
        return found !== undefined && areCurrent(found.inputs, { read, list: listFolder })
          ? found
          : undefined;
      },
      keep: ({ result, inputs }) => {
        if (inputs?.compiler === compiler && inputs !== undefined) {
          this.#folder.write(name, serialize({ result, inputs }));
        }
      },
    };
  }

  #read<Result>(name: string): { result: Result; inputs: CompileInputs } | undefined {
    try {
      const content = this.#folder.read(name);
      return content && (deserialize(content) as { result: Result; inputs: CompileInputs });
    } catch {
      // Written by a newer Node.js.
      return undefined;
    }
  }
}
