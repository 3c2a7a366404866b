import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { types } from 'node:util';
import type { CompileOptions } from './compileSource';
import { compilerFile } from './projectCompiler';

/** Everything that a compilation has read. While it is the same, so is the result. */
export interface CompileInputs {
  /** SHA-256 of each text, by path; null where there was none to read. Of a folder, with `/` at the end, its list. */
  texts: ReadonlyMap<string, string | null>;
  /** The main file of the project's compiler; undefined for ours. */
  compiler: string | undefined;
  /** The states of the files that the project's compiler was loaded from, by path. */
  modules: ReadonlyMap<string, string>;
}

/** A result, and what it was made from; undefined if that is not known for certain. */
export interface Compiled<Result> {
  result: Result;
  inputs: CompileInputs | undefined;
}

/** File systems tell times in steps of up to 2 seconds. */
const timeStepMs = 2_000;

/**
 * Compiles, and notes what is read.
 *
 * @param since when this thread started, in milliseconds since the epoch: a compiler that has changed since may not be
 *   the one that is loaded
 * @throws whatever `compile` throws
 */
export async function withInputs<Result>(
  path: string,
  { read, list, isTrusted }: CompileOptions,
  since: number,
  compile: (options: CompileOptions) => Promise<Result>,
): Promise<Compiled<Result>> {
  const texts = new Map<string, string | null>();
  let isSteady = true;
  const note = (file: string, hash: string | null): void => {
    // A file that is written meanwhile.
    isSteady &&= !texts.has(file) || texts.get(file) === hash;
    texts.set(file, hash);
  };
  const noted = (file: string): string => {
    try {
      const text = read(file);
      note(file, hashOf(text));
      return text;
    } catch (error) {
      note(file, null);
      throw error;
    }
  };
  const listed = (folder: string): readonly string[] => {
    const names = list?.(folder) ?? [];
    note(`${folder}/`, hashOf(names.join('\n')));
    return names;
  };
  const result = await compile({ read: noted, list: listed, isTrusted });
  const compiler = compilerFile(path, isTrusted);
  const modules = compiler === undefined ? new Map<string, string>() : modulesOf(compiler, since);
  return { result, inputs: isSteady && modules !== undefined ? { texts, compiler, modules } : undefined };
}

/** Whether a compilation would read the same now. */
export function areCurrent(
  { texts, modules }: Pick<CompileInputs, 'texts' | 'modules'>,
  { read, list }: Pick<CompileOptions, 'read' | 'list'>,
): boolean {
  const current = (file: string): string | null =>
    file.endsWith('/') ? hashOf((list?.(file.slice(0, -1)) ?? []).join('\n')) : currentHash(file, read);
  return (
    [...texts].every(([file, hash]) => current(file) === hash) &&
    [...modules].every(([file, state]) => fileState(file)?.text === state)
  );
}

/** SHA-256 of a text, lower-case hex; null if there is none to read. */
export function currentHash(file: string, read: CompileOptions['read']): string | null {
  try {
    return hashOf(read(file));
  } catch {
    return null;
  }
}

/** What changes whenever a file is written or replaced, and when that was; undefined if there is no such file. */
export function fileState(file: string | URL): { text: string; changedMs: number } | undefined {
  try {
    const { size, mtimeMs, ctimeMs } = statSync(file);
    return { text: [size, mtimeMs, ctimeMs].join(' '), changedMs: ctimeMs };
  } catch {
    return undefined;
  }
}

/** The files that a compiler was loaded from; undefined if they are not all known, or one has just changed. */
function modulesOf(main: string, since: number): Map<string, string> | undefined {
  const states = new Map<string, string>();
  const modules = [createRequire(main).cache[main]];
  for (const one of modules) {
    // What an ES module imports is not listed.
    if (one === undefined || types.isModuleNamespaceObject(one.exports)) {
      return undefined;
    }
    if (!states.has(one.filename)) {
      const state = fileState(one.filename);
      if (state === undefined || state.changedMs > since - timeStepMs) {
        return undefined;
      }
      states.set(one.filename, state.text);
      modules.push(...one.children);
    }
  }
  return states;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
