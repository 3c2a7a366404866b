import { AsyncLocalStorage } from 'node:async_hooks';
import { constants } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { CompileRequest } from '../toolkit/build/compileRequest';
import type { BuiltContract } from '../toolkit/build/readBuiltContract';
import type { SourceCompiler } from '../toolkit/build/sourceCompiler';
import { WorkbenchError } from '../toolkit/base/errors';
import { isInside } from '../toolkit/base/readUserFile';
import type { SourceMap } from '../toolkit/sourceMap/sourceMap';
import type { Clock } from '../toolkit/base/time';
import { systemClock } from '../toolkit/base/time';

/** What a command gets from the place where it runs. Several can run in one process, each in its own place. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  /** Absolute. Files that the user names are relative to it. */
  folder: string;
  /** The folder that holds every file that may be named, after links are followed; undefined for any file. */
  root?: string | undefined;
  input: Readable;
  output: OutputStream;
  errors: OutputStream;
  /** By which a command waits. */
  clock: Clock;
  /** Calls back once when the command should stop. Without it, what stops it just ends it. */
  onStop(callback: () => void): void;
}

/** Runs one command line in a place; see commandLine.ts. */
export type RunCommandLine = (args: readonly string[], place: Surroundings) => Promise<number | undefined>;

/** Terminals are told apart. */
type OutputStream = Writable & { isTTY?: boolean };

/** Milliseconds after a stop signal until the command is ended by force. */
const patienceMs = 10_000;

let stoppedBy: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined;

/** Those of a process with one command. A second signal ends it at once. */
export const processSurroundings: Surroundings = {
  environment: process.env,
  get folder() {
    try {
      return process.cwd();
    } catch (cause) {
      throw new WorkbenchError({
        code: 'folder-gone',
        kind: 'input',
        message: 'The working folder no longer exists.',
        hint: 'Change to another folder, then try again.',
        cause,
      });
    }
  },
  // Node.js opens each when it is first used.
  get input() {
    return process.stdin;
  },
  get output() {
    return process.stdout;
  },
  get errors() {
    return process.stderr;
  },
  clock: systemClock,
  onStop: (callback) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        if (stoppedBy !== undefined) {
          process.exit(stoppedStatus());
        }
        stoppedBy = name;
        setTimeout(() => process.exit(stoppedStatus()), patienceMs).unref();
        callback();
      });
    }
  },
};

/** 128 plus the number of the signal that this process got, as in shells. */
export function stoppedStatus(): number {
  return 128 + constants.signals[stoppedBy ?? 'SIGTERM'];
}

/** One run of a command. */
interface Run {
  surroundings: Surroundings;
  values: Map<object, unknown>;
  closing: (() => Promise<unknown>)[];
}

const runs = new AsyncLocalStorage<Run>();
/** For functions that are called outside of every command. */
const noRun = newRun(processSurroundings);

/** Runs a command there, then closes what it has opened. */
export async function runIn<T>(place: Surroundings, command: () => Promise<T>): Promise<T> {
  const run = newRun(place);
  return runs.run(run, async () => {
    try {
      return await command();
    } finally {
      await Promise.allSettled(run.closing.map((close) => close()));
    }
  });
}

/** Where the running command is. */
export function surroundings(): Surroundings {
  return currentRun().surroundings;
}

/**
 * The path of a file that the user named, to read or write it. Messages name it as the user did.
 *
 * @param from the folder that a relative one is in; by default that of the command
 * @throws WorkbenchError `file-outside-root` (input)
 */
export function pathHere(file: string, from: string = surroundings().folder): string {
  const { root } = surroundings();
  const resolved = path.resolve(from, file);
  if (root !== undefined && !isInside(root, resolved)) {
    throw new WorkbenchError({
      code: 'file-outside-root',
      kind: 'input',
      message: `${JSON.stringify(file.slice(0, 200))} is outside the folder that may be used.`,
      hint: 'Name a file below the root, and no link that leads out of it.',
    });
  }
  return resolved;
}

/** A value that each run of a command has for itself. */
export function perRun<T>(create: () => T): () => T {
  const key = {};
  return () => {
    const { values } = currentRun();
    if (!values.has(key)) {
      values.set(key, create());
    }
    return values.get(key) as T;
  };
}

/** The same function, which runs here whoever calls it: the callbacks of a server's sockets belong to no command. */
export function keepRun<Call extends (...given: never[]) => unknown>(call: Call): Call {
  return AsyncLocalStorage.bind(call);
}

/** Closes something when the running command is done. */
export function closeWithRun(close: () => Promise<unknown>): void {
  currentRun().closing.push(close);
}

function newRun(place: Surroundings): Run {
  return { surroundings: place, values: new Map(), closing: [] };
}

function currentRun(): Run {
  return runs.getStore() ?? noRun;
}

const status = perRun<{ own?: number }>(() => ({}));

/** Lets the running command end with the exit status of a program that it has run. */
export function endWith(own: number): void {
  status().own = own;
}

/** The status that the command has chosen; 0 otherwise. */
export function ownStatus(): number {
  return status().own ?? 0;
}

/** By cache folder. Each thread has the compilers loaded, so all commands of a process use the same one. */
const compilers = new Map<string | undefined, Promise<SourceCompiler>>();

/**
 * Compiles a source in a thread that ends with the process, or finds what that gave an earlier command.
 * @param options `isTrusted`: whether the user named this file, so that its project's own compiler may run; `unsaved`: texts
 * to use instead of files
 * @throws WorkbenchError as {@link SourceCompiler.compile}
 */
export async function compileFile(
  file: string,
  { isTrusted, unsaved }: Pick<CompileRequest, 'isTrusted' | 'unsaved'>,
): Promise<BuiltContract[]> {
  const request = await requestOf(isTrusted);
  return (await sharedCompiler()).compile(pathOf(file), { ...request, ...(unsaved && { unsaved }) });
}

/**
 * The lines of a source's codes, compiled in the same thread.
 * @param isTrusted whether the user named this file, so that its project's own compiler may run
 * @throws WorkbenchError as {@link SourceCompiler.map}
 */
export async function mapFile(file: string, { isTrusted }: { isTrusted: boolean }): Promise<SourceMap[]> {
  return (await sharedCompiler()).map(pathOf(file), await requestOf(isTrusted));
}

async function requestOf(isTrusted: boolean): Promise<CompileRequest> {
  const { root: inside, environment } = surroundings();
  if (!isTrusted) {
    return { isTrusted, inside };
  }
  const { findActon } = await import('../toolkit/build/findActon');
  return { isTrusted, inside, acton: findActon(environment['PATH']) };
}

function sharedCompiler(): Promise<SourceCompiler> {
  const folder = userCacheFolder();
  const compiler =
    compilers.get(folder) ??
    import('../toolkit/build/sourceCompiler').then(
      ({ SourceCompiler: Compiler }) => new Compiler({ cache: folder && path.join(folder, 'compiled') }),
    );
  compilers.set(folder, compiler);
  return compiler;
}

function pathOf(file: string): string {
  return pathHere(file).replaceAll('\\', '/');
}

/**
 * The folder for what commands keep to be faster next time: that of the variable TON_CACHE_FOLDER, else the user's usual
 * one on this system.
 *
 * @returns undefined if the variable is empty, or the user has no such place
 */
export function userCacheFolder(
  environment = surroundings().environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const {
    TON_CACHE_FOLDER: given,
    HOME: home,
    XDG_CACHE_HOME: xdg = '',
    LOCALAPPDATA: windows,
  } = environment;
  if (given !== undefined) {
    return given === '' ? undefined : path.resolve(surroundings().folder, given);
  }
  const inHome = (...names: string[]): string | undefined => home && path.join(home, ...names);
  const usual = {
    win32: windows,
    darwin: inHome('Library', 'Caches'),
    // A relative one is ignored, as its specification says.
    other: path.isAbsolute(xdg) ? xdg : inHome('.cache'),
  };
  const place = usual[platform === 'win32' || platform === 'darwin' ? platform : 'other'];
  return place === undefined || !path.isAbsolute(place) ? undefined : path.join(place, 'ton-workbench');
}
