import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { CacheFolder } from '../journal/cacheFolder';
import { limits } from '../limits';
import { areCurrent, currentHash, fileState } from './compileInputs';
import type { Compiled, CompileInputs } from './compileInputs';
import { listFolder, requestReader } from './compileRequest';
import type { CompileRequest } from './compileRequest';
import { compilerFile } from './projectCompiler';

/** Where the result of a call is, or will be. */
export interface CachedCall<Result> {
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
