import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestResult } from '../toolkit/testRuns/readTestResults';
import type { TestRunner } from '../toolkit/testRuns/testRunner';
import { onReaderGone } from './outputStreams';
import { pathHere, perRun, surroundings } from './surroundings';
import { pathExists } from './writeWholeFile';

/** How the tests are run. */
export interface RunTestsOptions {
  /** Test files or names, as the runner takes them. */
  patterns: readonly string[];
  /** Each instance of `Blockchain` has an engine of its own. */
  ownEngines: boolean;
  /** What the runner prints goes there. */
  print: (text: string) => void;
}

/** A run of a project's tests. */
export interface TestsRun {
  runner: TestRunner;
  /** The folder in which it ran. */
  root: string;
  /** Exit status of the runner. */
  status: number;
  results: readonly TestResult[];
  /** The recordings: names of files in {@link folder}. */
  recordings: readonly string[];
  folder: string;
}

/**
 * Runs the tests of the project around the working folder with its own runner, and records them.
 *
 * @throws WorkbenchError `runner-missing` (input), `tests-not-recorded` (input), `aborted`
 */
export async function runTests({ patterns, ownEngines, print }: RunTestsOptions): Promise<TestsRun> {
  const [{ recordedRun }, { readTestResults }, { recordingsFolder, recordingEnding }, files] =
    await Promise.all([
      import('../toolkit/testRuns/testRunner'),
      import('../toolkit/testRuns/readTestResults'),
      import('../toolkit/testRuns/recordLines'),
      import('node:fs/promises'),
    ]);
  const { root, runner, program } = await findRunner();
  const { environment } = surroundings();
  const folder = path.join(root, recordingsFolder);
  const own = (await files.readdir(folder).catch(() => [])).filter((name) => name.endsWith(recordingEnding));
  await Promise.all(own.map((name) => files.rm(path.join(folder, name), { force: true })));
  const place = mkdtempSync(path.join(tmpdir(), 'ton-workbench-results-'));
  try {
    const results = path.join(place, 'results.json');
    const setupFiles = runner === 'jest' ? await jestSetupFiles(program, root) : [];
    const run = recordedRun({
      ...{ runner, recorder: await recorderFile(), results, setupFiles, ownEngines },
      // Files are named from where the user is.
      patterns: await Promise.all(
        patterns.map(async (one) => {
          const file = pathHere(one);
          return (await pathExists(file)) ? path.relative(root, file) : one;
        }),
      ),
      nodeOptions: environment['NODE_OPTIONS'],
    });
    const status = await execute(program, run.args, { root, environment: run.environment, print });
    const text = await files.readFile(results, 'utf8').catch(() => '');
    const names = (await files.readdir(folder).catch(() => [])).filter((name) =>
      name.endsWith(recordingEnding),
    );
    return { runner, root, status, results: readTestResults(text), recordings: names.sort(), folder };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** The nearest folder around the working folder whose package.json names a runner that is installed there. */
async function findRunner(): Promise<{ root: string; runner: TestRunner; program: string }> {
  const [{ testRunnerOf }, { readUserText }, { WorkbenchError }] = await Promise.all([
    import('../toolkit/testRuns/testRunner'),
    import('../toolkit/base/readUserFile'),
    import('../toolkit/base/errors'),
  ]);
  let missing: TestRunner | undefined;
  for (let root = surroundings().folder; ; root = path.dirname(root)) {
    const runner = testRunnerOf(manifestOf(path.join(root, 'package.json'), readUserText));
    const program = runner === undefined ? undefined : binOf(root, runner, readUserText);
    if (runner !== undefined && program !== undefined) {
      return { root, runner, program };
    }
    missing ??= runner;
    if (root === path.dirname(root)) {
      break;
    }
  }
  throw new WorkbenchError({
    code: 'runner-missing',
    kind: 'input',
    message:
      missing === undefined
        ? 'No package.json here names Jest, Vitest, or Mocha, so it is not known how the tests are run.'
        : `The project uses ${missing}, which is not installed.`,
    hint:
      missing === undefined
        ? 'Change to the folder of the project, or name ton-workbench/record among the set-up files of its runner.'
        : 'Run npm install.',
  });
}

/** As `readUserText`. */
type ReadText = (file: string, limit: 'projectFileBytes') => string;

function manifestOf(file: string, read: ReadText): Record<string, unknown> | undefined {
  try {
    return JSON.parse(read(file, 'projectFileBytes')) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The program of a package, to be run by Node.js. */
function binOf(root: string, name: TestRunner, read: ReadText): string | undefined {
  try {
    const file = createRequire(path.join(root, 'package.json')).resolve(`${name}/package.json`);
    const bin = manifestOf(file, read)?.['bin'];
    const program: unknown = typeof bin === 'object' && bin !== null ? Reflect.get(bin, name) : bin;
    return typeof program === 'string' ? path.join(path.dirname(file), program) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The set-up files of Jest's configuration, which its option would replace.
 * @throws WorkbenchError `tests-not-recorded` (input) if its projects have different ones
 */
async function jestSetupFiles(program: string, root: string): Promise<string[]> {
  let text = '';
  await execute(program, ['--showConfig'], { root, environment: {}, print: (part) => (text += part) });
  const { configs = [] } = (manifestText(text) ?? {}) as { configs?: { setupFilesAfterEnv?: string[] }[] };
  const [first = [], ...others] = configs.map(({ setupFilesAfterEnv = [] }) => setupFilesAfterEnv);
  if (others.some((one) => JSON.stringify(one) !== JSON.stringify(first))) {
    const { WorkbenchError } = await import('../toolkit/base/errors');
    throw new WorkbenchError({
      code: 'tests-not-recorded',
      kind: 'input',
      message:
        'The projects of this configuration of Jest have different set-up files, and its option would replace all.',
      hint: "Add 'ton-workbench/record' to setupFilesAfterEnv of each project, and run its tests as usual.",
    });
  }
  return first;
}

function manifestText(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}

/** The recorder, at the top of the folder with the built files. */
async function recorderFile(): Promise<string> {
  const { builtWorker } = await import('../toolkit/base/serviceThread');
  const { fileURLToPath } = await import('node:url');
  const packed = fileURLToPath(builtWorker('record', import.meta.url));
  const built = packed.replace(/\.js$/, '.cjs');
  return (await pathExists(built)) ? built : packed;
}

/** Runs a program to its end. @returns its exit status */
async function execute(
  program: string,
  args: readonly string[],
  {
    root,
    environment,
    print,
  }: { root: string; environment: Record<string, string>; print: (text: string) => void },
): Promise<number> {
  const signal = stopSignal({ isReaderNeeded: false });
  const { environment: given, errors } = surroundings();
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...given, ...(errors.isTTY === true ? { FORCE_COLOR: '1' } : {}), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  child.stdout.setEncoding('utf8').on('data', print);
  child.stderr.setEncoding('utf8').on('data', print);
  const status = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  signal.removeEventListener('abort', stop);
  if (signal.aborted) {
    const { abortedError } = await import('../toolkit/base/errors');
    throw abortedError(signal.reason);
  }
  return status;
}

const stopping = perRun<{ controller?: AbortController }>(() => ({}));

/**
 * Fires once when a command should stop: on SIGINT, SIGTERM or SIGHUP, or when the reader of its output is gone. A
 * second signal ends the process at once. Only for commands with something to finish or clean up: without it a signal
 * simply ends the process.
 *
 * @param options `isReaderNeeded`: false for a command that does more than print, which goes on after `| head -1`
 */
export function stopSignal({ isReaderNeeded = true } = {}): AbortSignal {
  const known = stopping();
  if (known.controller !== undefined) {
    return known.controller.signal;
  }
  const controller = new AbortController();
  known.controller = controller;
  surroundings().onStop(() => controller.abort());
  if (isReaderNeeded) {
    onReaderGone(() => controller.abort());
  }
  return controller.signal;
}

/** The signal of {@link stopSignal}, if the command has asked for it. */
export function stopSignalInUse(): AbortSignal | undefined {
  return stopping().controller?.signal;
}
