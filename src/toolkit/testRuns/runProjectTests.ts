import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkbenchError, abortedError } from '../base/errors';
import { readUserText } from '../base/readUserFile';
import { builtWorker } from '../base/serviceThread';
import type { Clock } from '../base/time';
import { findPackage } from '../build/projectCompiler';
import { recordingEnding, recordingName, recordingsFolder } from './recordLines';
import type { TestResult } from './readTestResults';
import { readTestResults } from './readTestResults';
import { scriptedRun } from './scriptedRun';
import type { ScriptedRun, TestRunner } from './testRunner';
import { recordedRun, testRunnerOf, testScriptOf } from './testRunner';

/** Milliseconds that a runner has to end after it was told to. */
const patienceMs = 3_000;

/** Instead of a program: Node.js runs the tests itself. */
const nodeProgram = '--test';
/** Where tests are looked for if no script names them, and how many files are read. */
const testFolders = ['tests', 'test', ''];
const testFile = /[.-](?:test|spec)\.[cm]?js$/;
const mostTestFiles = 20;
/** Files of a folder that are looked at. */
const mostFiles = 2_000;

/** A project whose tests can be run. */
export interface TestedFolder {
  /** The folder in which they run. */
  root: string;
  runner: TestRunner;
  /** The runner's program, to be run by Node.js; `--test` if that is Node.js itself. */
  program: string;
  /** How the script of its package.json runs them, if it does. */
  script?: ScriptedRun | undefined;
}

/** How the tests are run. */
export interface RunTestsOptions {
  /** Test files or names, as the runner takes them. */
  patterns?: readonly string[];
  /** Only these test files, relative to the root. */
  files?: readonly string[] | undefined;
  /** Only tests whose full names fit: a regular expression. */
  names?: string | undefined;
  /** Each instance of `Blockchain` has an engine of its own. */
  ownEngines?: boolean;
  /** What the runner prints goes there. */
  print: (text: string) => void;
  environment: NodeJS.ProcessEnv;
  /** Ends the runner and what it has started. */
  signal: AbortSignal;
  clock: Clock;
  /** The program of Node.js; by default the one that runs this. */
  node?: string | undefined;
}

/** A run of a project's tests. */
export interface TestsRun {
  runner: TestRunner;
  /** The folder in which it ran. */
  root: string;
  /** Exit status of the runner. */
  status: number;
  results: readonly TestResult[];
  /** The recordings of this run: names of files in {@link folder}, which may hold others. */
  recordings: readonly string[];
  folder: string;
}

/**
 * The nearest folder around a folder whose package.json names a runner that is installed there.
 *
 * @throws WorkbenchError `runner-missing` (input)
 */
export function findTestedFolder(folder: string, highest?: string): TestedFolder {
  let missing: TestRunner | undefined;
  let script: string | undefined;
  for (let root = folder; ; root = path.dirname(root)) {
    const manifest = manifestOf(path.join(root, 'package.json'));
    const runner = testRunnerOf(manifest);
    const own = testScriptOf(manifest);
    script ??= own;
    const program = runner === undefined ? undefined : binOf(root, runner);
    if (runner !== undefined && program !== undefined) {
      return { root, runner, program, script: own === undefined ? undefined : scriptedRun(own, runner) };
    }
    if (manifest !== undefined && runner === undefined && own === undefined && hasNodeTests(root)) {
      return { root, runner: 'node', program: nodeProgram, script: undefined };
    }
    missing ??= runner;
    if (root === path.dirname(root) || root === highest) {
      break;
    }
  }
  throw runnerMissingError(missing, script);
}

function runnerMissingError(missing: TestRunner | undefined, script: string | undefined): WorkbenchError {
  const [message, hint] =
    missing !== undefined
      ? [`The project uses ${missing}, which is not installed.`, 'Run npm install.']
      : script !== undefined
        ? [
            `The project's tests run with ${JSON.stringify(script)}. Only those of Jest, Vitest, Mocha, and Node.js itself can be recorded.`,
            'Run them with npm test.',
          ]
        : [
            'No package.json here names Jest, Vitest, Mocha, or node --test, so it is not known how the tests are run.',
            'Change to the folder of the project, or name ton-workbench/record among the set-up files of its runner.',
          ];
  return new WorkbenchError({ code: 'runner-missing', kind: 'input', message, hint });
}

/** A run that is ready to begin. */
export interface PreparedRun {
  args: readonly string[];
  /** Added to the environment. */
  environment: Readonly<Record<string, string>>;
}

/**
 * Runs the tests of a project with its own runner, and records them.
 *
 * @throws WorkbenchError `tests-not-recorded` (input), `aborted`
 */
export async function runProjectTests(tested: TestedFolder, options: RunTestsOptions): Promise<TestsRun> {
  return recordRun(tested, options, async ({ args, environment }) =>
    execute(tested, args, { ...options, added: environment }),
  );
}

/**
 * Prepares a run that is recorded, and reads what came of it. Recordings of what runs are removed first.
 *
 * @param run runs it in some way, and gives the exit status
 * @throws WorkbenchError `tests-not-recorded` (input), `aborted`
 */
export async function recordRun(
  tested: TestedFolder,
  options: RunTestsOptions,
  run: (prepared: PreparedRun) => Promise<number>,
): Promise<TestsRun> {
  const { root, runner, script } = tested;
  const { patterns = [], files, names, ownEngines = false, environment } = options;
  const folder = path.join(root, recordingsFolder);
  // What patterns match is the runner's to say: a recording is overwritten when its file runs, and others stay.
  const named = files?.map(recordingName) ?? (patterns.length > 0 ? [] : undefined);
  const old = named ?? [...(await recordingsIn(folder)).keys()];
  await Promise.all(old.map((name) => rm(path.join(folder, name), { force: true })));
  const before = await recordingsIn(folder);
  const place = mkdtempSync(path.join(tmpdir(), 'ton-workbench-results-'));
  try {
    const results = path.join(place, 'results.json');
    const prepared = recordedRun({
      ...{ runner, script, recorder: recorderFile(), results, ownEngines, patterns, files, names },
      setupFiles: runner === 'jest' ? await jestSetupFiles(tested, options) : [],
      nodeOptions: script?.environment['NODE_OPTIONS'] ?? environment['NODE_OPTIONS'],
    });
    const status = await run(prepared);
    const recordings = [...(await recordingsIn(folder))].flatMap(([name, stamp]) =>
      before.get(name) === stamp ? [] : [name],
    );
    return { runner, root, status, results: resultsIn(results), recordings, folder };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** The results that a runner has written; none if it came to an end before that. */
function resultsIn(file: string): TestResult[] {
  return existsSync(file) ? readTestResults(readUserText(file, 'testRecording')) : [];
}

/** The recordings in a folder, by name: when each was written, and its size. */
async function recordingsIn(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(recordingEnding));
  const stamped = names.sort().map(async (name): Promise<[string, string]> => {
    const found = await lstat(path.join(folder, name)).catch(() => undefined);
    return [name, `${found?.mtimeMs} ${found?.size}`];
  });
  return new Map(await Promise.all(stamped));
}

function manifestOf(file: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readUserText(file, 'projectFileBytes')) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Whether a folder has test files of Node.js where it looks for them, which need no script. */
function hasNodeTests(root: string): boolean {
  return testFolders.some((folder) => {
    const place = path.join(root, folder);
    const names = namesInFolder(place).filter((name) => testFile.test(name));
    return names.slice(0, mostTestFiles).some((name) => isNodeTestFile(path.join(place, name)));
  });
}

/** What is in a folder, in order; nothing if it is none that can be read. */
export function namesInFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort().slice(0, mostFiles);
  } catch {
    return [];
  }
}

function isNodeTestFile(file: string): boolean {
  try {
    return /['"]node:test['"]/.test(readUserText(file, 'projectFileBytes'));
  } catch {
    return false;
  }
}

/** The program of a package, to be run by Node.js. */
function binOf(root: string, name: TestRunner): string | undefined {
  if (name === 'node') {
    return nodeProgram;
  }
  const file = findPackage(path.join(root, 'package.json'), `${name}/package.json`);
  const bin = file === undefined ? undefined : manifestOf(file)?.['bin'];
  const program: unknown = typeof bin === 'object' && bin !== null ? Reflect.get(bin, name) : bin;
  return file !== undefined && typeof program === 'string'
    ? path.join(path.dirname(file), program)
    : undefined;
}

/**
 * The set-up files of Jest's configuration, which its option would replace.
 * @throws WorkbenchError `tests-not-recorded` (input) if its projects have different ones
 */
async function jestSetupFiles(tested: TestedFolder, options: RunTestsOptions): Promise<string[]> {
  let text = '';
  // Warnings go to the other stream.
  const warn = (): void => undefined;
  const { options: scripted = [], environment: added = {} } = tested.script ?? {};
  await execute(tested, [...scripted, '--showConfig'], {
    ...options,
    added,
    print: (part) => (text += part),
    warn,
  });
  const { configs = [] } = (configOf(text) ?? {}) as { configs?: { setupFilesAfterEnv?: string[] }[] };
  const [first = [], ...others] = configs.map(({ setupFilesAfterEnv = [] }) => setupFilesAfterEnv);
  if (others.some((one) => JSON.stringify(one) !== JSON.stringify(first))) {
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

function configOf(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}

/** The recorder, at the top of the folder with the built files. */
function recorderFile(): string {
  const packed = fileURLToPath(builtWorker('record', import.meta.url));
  const built = packed.replace(/\.js$/, '.cjs');
  return existsSync(built) ? built : packed;
}

/** Runs a program to its end. @returns its exit status */
async function execute(
  { root, program, script }: TestedFolder,
  args: readonly string[],
  {
    environment,
    added,
    print,
    warn = print,
    signal,
    clock,
    node = process.execPath,
  }: RunTestsOptions & { added: Record<string, string>; warn?: RunTestsOptions['print'] },
): Promise<number> {
  if (signal.aborted) {
    throw abortedError(signal.reason);
  }
  const isGroup = process.platform !== 'win32';
  const child = spawn(node, [...(script?.nodeFlags ?? []), program, ...args], {
    cwd: root,
    env: { ...environment, ...added },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that its workers end with it.
    detached: isGroup,
  });
  const end = (how: NodeJS.Signals): void => {
    try {
      process.kill(isGroup ? -(child.pid ?? 0) : (child.pid ?? 0), how);
    } catch {
      // It has ended.
    }
  };
  let forget: (() => void) | undefined;
  const stop = (): void => {
    if (child.pid !== undefined) {
      end('SIGTERM');
      forget = clock.after(patienceMs, () => end('SIGKILL'), false);
    }
  };
  signal.addEventListener('abort', stop, { once: true });
  child.stdout.setEncoding('utf8').on('data', print);
  child.stderr.setEncoding('utf8').on('data', warn);
  try {
    const status = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
    if (signal.aborted) {
      throw abortedError(signal.reason);
    }
    return status;
  } finally {
    forget?.();
    signal.removeEventListener('abort', stop);
  }
}
