import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { root } from '../../scripts/lib/root.mjs';
import { runCommandLine as runHere } from '../../src/cli/commandLine';
import type { Surroundings } from '../../src/cli/surroundings';
import { checkAnswers } from './checkAnswers';
import { HastyClock } from './hastyClock';

const cli = path.join(root, 'dist/cli.js');

/** Commands leave files in the folder where they run, so by default they run in one of their own. */
const ownFolder = mkdtempSync(path.join(tmpdir(), 'tonwb-commands-'));
process.once('exit', () => rmSync(ownFolder, { recursive: true, force: true }));

// Whatever runs the tests, commands do not use the user's own cache.
process.env['TON_CACHE_FOLDER'] ??= '';

/** How a run of the command line ended. */
export interface CommandLineRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command to its end, in this process: the emulator and the compilers are loaded once for all of them. What it
 * prints with `--json` is checked against its schema.
 *
 * @param folder where it runs; by default an empty folder
 */
export async function runCommandLine(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  folder = ownFolder,
): Promise<CommandLineRun> {
  const [output, errors] = [new WrittenText(), new WrittenText()];
  const status = await runHere(args, placeOf({ output, errors, environment, folder }));
  await checkAnswers(args, output.text);
  return { status: status ?? null, stdout: output.text, stderr: errors.text };
}

/**
 * Starts a command in this process and waits for its first line.
 *
 * @param folder where it runs; by default an empty folder
 */
export async function startHere(
  args: readonly string[],
  folder = ownFolder,
  environment: NodeJS.ProcessEnv = {},
): Promise<StartedHere> {
  const running = launchHere(args, folder, environment);
  const endedFirst = running.ended.then((status) => {
    throw new Error(`ended with ${status} before its first line: ${running.written().stderr}`);
  });
  const line = await Promise.race([running.firstLine, endedFirst]);
  await checkAnswers(args, `${line}\n`);
  return { firstLine: line, ended: running.ended };
}

/**
 * Starts a command in this process.
 *
 * @param given instead of a hasty clock and an empty input
 */
export function launchHere(
  args: readonly string[],
  folder = ownFolder,
  environment: NodeJS.ProcessEnv = {},
  given: Partial<Pick<Surroundings, 'clock' | 'input'>> = {},
): RunningHere {
  const [output, errors] = [new WrittenText(), new WrittenText()];
  let stop: () => void = () => undefined;
  const place: Surroundings = {
    ...placeOf({ output, errors, environment, folder }),
    ...given,
    onStop: (callback) => (stop = callback),
  };
  const ended = runHere(args, place).then(async (status) => {
    await checkAnswers(args, output.text);
    return status ?? null;
  });
  const written = (): CommandLineRun => ({ status: null, stdout: output.text, stderr: errors.text });
  return { firstLine: output.firstLine, ended, stop: () => stop(), written };
}

function placeOf(given: Pick<Surroundings, 'output' | 'errors' | 'environment' | 'folder'>): Surroundings {
  const [ofNode] = Object.keys(given.environment).filter((name) => name.startsWith('NODE_'));
  assert.equal(ofNode, undefined, 'Node.js reads its variables when a process starts: use runProcess');
  return {
    ...given,
    environment: { ...process.env, ...given.environment },
    input: Readable.from([]),
    clock: new HastyClock(),
    // Only a process is stopped.
    onStop: () => undefined,
  };
}

/**
 * Runs dist/cli.js to its end, for what only a process has: its exit status, and what it writes to real pipes.
 *
 * @param folder where it runs; by default an empty folder
 */
export async function runProcess(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  folder = ownFolder,
): Promise<CommandLineRun> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  await checkAnswers(args, stdout);
  return { status, stdout, stderr };
}

/** What is written to it, as text. */
class WrittenText extends Writable {
  text = '';
  readonly firstLine: Promise<string>;
  #written: () => void = () => undefined;

  constructor() {
    super({ decodeStrings: false });
    this.firstLine = new Promise((resolve) => {
      this.#written = () => {
        const end = this.text.indexOf('\n');
        if (end >= 0) {
          resolve(this.text.slice(0, end));
        }
      };
    });
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    this.#written();
    done();
  }
}

/** The error that a run ended with: the last line on stderr. */
export function lastError({ stderr }: CommandLineRun): { code: string; message: string } {
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { code: string; message: string };
}

/** A command that goes on after its first line. */
export interface StartedHere {
  /** The first line it printed. */
  firstLine: string;
  /** Resolves to the exit status. */
  ended: Promise<number | null>;
}

/** One that runs in this process. */
interface RunningHere {
  /** Resolves to the first line it prints. */
  firstLine: Promise<string>;
  /** Resolves to the exit status. */
  ended: Promise<number | null>;
  /** Asks it to stop, as the first signal does. */
  stop(): void;
  /** What it has written so far. */
  written(): CommandLineRun;
}

/** One that runs until it is stopped, in a process of its own. */
export interface RunningCommand extends StartedHere {
  child: ChildProcess;
}

/**
 * Starts dist/cli.js and waits for its first line.
 *
 * @param folder where it runs; by default an empty folder
 */
export async function startCommandLine(
  args: readonly string[],
  folder = ownFolder,
  environment: NodeJS.ProcessEnv = {},
): Promise<RunningCommand> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const firstLine = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) {
        resolve(text.slice(0, end));
      }
    });
    void ended.then((status) => reject(new Error(`ended with ${status} before its first line`)));
  });
  await checkAnswers(args, `${firstLine}\n`);
  return { child, firstLine, ended };
}
