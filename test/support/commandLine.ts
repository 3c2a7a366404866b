import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/lib/root.mjs';

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
 * Runs dist/cli.js to its end.
 *
 * @param folder where it runs; by default an empty folder
 */
export function runCommandLine(
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
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, stdout, stderr })));
}

/** The error that a run ended with: the last line on stderr. */
export function lastError({ stderr }: CommandLineRun): { code: string; message: string } {
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { code: string; message: string };
}

/** A command that runs until it is stopped. */
export interface RunningCommand {
  child: ChildProcess;
  /** The first line it printed. */
  firstLine: string;
  /** Resolves to the exit status. */
  ended: Promise<number | null>;
}

/**
 * Starts dist/cli.js and waits for its first line.
 *
 * @param folder where it runs; by default an empty folder
 */
export async function startCommandLine(args: readonly string[], folder = ownFolder): Promise<RunningCommand> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
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
  return { child, firstLine, ended };
}
