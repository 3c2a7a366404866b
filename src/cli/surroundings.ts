import { AsyncLocalStorage } from 'node:async_hooks';
import { constants } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { WorkbenchError } from '../toolkit/errors';
import { systemClock } from '../toolkit/time';
import type { Clock } from '../toolkit/time';

/** What a command gets from the place where it runs. Several can run in one process, each in its own place. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  /** Absolute. Files that the user names are relative to it. */
  folder: string;
  input: Readable;
  output: OutputStream;
  errors: OutputStream;
  /** By which a command waits. */
  clock: Clock;
  /** Calls back once when the command should stop. Without it, what stops it just ends it. */
  onStop(callback: () => void): void;
}

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
        message: 'The working folder does not exist any more.',
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
 */
export function pathHere(file: string, from: string = surroundings().folder): string {
  return path.resolve(from, file);
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
