import type { Address, Cell, TupleItem } from '@ton/core';
import type { Blockchain, Executor, IExecutor } from '@ton/sandbox';
import * as fs from 'node:fs';
import Module from 'node:module';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CallPlaces } from '../toolkit/testRuns/callPlaces';
import type { CallPlace, HeaderLine, WalletLine } from '../toolkit/testRuns/recordLines';
import {
  RecordingFile,
  recordingFormat,
  recordingVersion,
  recordingsFolder,
} from '../toolkit/testRuns/recordLines';
import type { ExecutorFor, RecordingPlace } from '../toolkit/testRuns/recordingExecutor';
import { RecordingExecutor, sharedExecutors } from '../toolkit/testRuns/recordingExecutor';
import type { HookedTest } from '../toolkit/testRuns/testPlace';
import { testPlace } from '../toolkit/testRuns/testPlace';

/** The project's own @ton/sandbox. */
interface Sandbox {
  Blockchain: { create(options?: CreateOptions): Promise<Blockchain>; prototype: object };
  Executor: Pick<typeof Executor, 'create'>;
}

type CreateOptions = NonNullable<Parameters<typeof Blockchain.create>[0]>;

const root = process.cwd();
const { TON_WORKBENCH_TESTS, TON_WORKBENCH_SHARE, TON_WORKBENCH_RESULTS, NODE_TEST_CONTEXT } = process.env;
const folder = path.resolve(root, TON_WORKBENCH_TESTS ?? recordingsFolder);
const places = new CallPlaces(__filename);
const files = new Map<string, RecordingFile | undefined>();
const patched = new WeakSet<object>();
/** What is told of them, each once in a file. */
const wallets = new Set<string>();
/** The file that this process runs for `node --test`, outside of its tests. */
const nodeTests: HookedTest | undefined =
  NODE_TEST_CONTEXT?.startsWith('child') === true
    ? { runner: 'node', file: process.argv[1], name: undefined }
    : undefined;
/** The test that runs, as a runner's hooks tell. */
let hooked = nodeTests;
let chains = 0;
let records = 0;

/** A test as Mocha gives it to its hooks. */
export interface RunningTest {
  file?: string | undefined;
  state?: string | undefined;
  err?: { stack?: string; message?: string } | undefined;
  duration?: number | undefined;
  fullTitle(): string;
}

/** What Mocha's hooks are called on. */
export interface HookContext {
  currentTest?: RunningTest | undefined;
}

/**
 * Hooks of Mocha, which tell the recorder which test runs: `mocha --require ton-workbench/record`.
 *
 * @example
 * ```ts
 * // vitest.config.ts; in Jest: setupFilesAfterEnv
 * export default defineConfig({ test: { setupFiles: ['ton-workbench/record'] } });
 * ```
 */
export const mochaHooks = {
  beforeEach(this: HookContext): void {
    const test = this.currentTest;
    hooked = test && { runner: 'mocha', file: test.file, name: test.fullTitle() };
  },
  afterEach(this: HookContext): void {
    const test = this.currentTest;
    hooked = undefined;
    if (test !== undefined) {
      const { file, state, err, duration } = test;
      keepResult({ file, name: test.fullTitle(), state, duration, message: err?.stack ?? err?.message });
    }
  },
};

/** Keeps the result of a test of Mocha or of Node.js. */
function keepResult(result: object): void {
  if (TON_WORKBENCH_RESULTS !== undefined) {
    fs.appendFileSync(TON_WORKBENCH_RESULTS, `${JSON.stringify(result)}\n`);
  }
}

/** A test as Node.js gives it to its hooks. */
interface NodeTest {
  name: string;
  /** With those of its suites, joined by ` > `. */
  fullName?: string;
  /** Of what has ended, in newer versions. */
  passed?: boolean;
  error?: (Error & { cause?: unknown }) | null;
}

/** The hooks of Node.js for all tests of the file that runs. */
function hookNodeTests(outside: HookedTest): void {
  const { beforeEach, afterEach } = createRequire(__filename)('node:test') as Record<
    'beforeEach' | 'afterEach',
    (hook: (test: NodeTest) => void) => void
  >;
  const { file } = outside;
  // A test may run others.
  const running: { test: HookedTest; began: number }[] = [];
  const look = (): void => void (hooked = running.at(-1)?.test ?? outside);
  beforeEach(({ name, fullName = name }) => {
    const test = { ...outside, name: fullName.replaceAll(' > ', ' ') };
    running.push({ test, began: performance.now() });
    look();
  });
  afterEach(({ passed, error }) => {
    const ended = running.pop();
    look();
    if (passed !== undefined && ended !== undefined) {
      const cause = error?.cause instanceof Error ? error.cause : error;
      keepResult({
        ...{ file, name: ended.test.name, state: passed ? 'passed' : 'failed' },
        ...{ duration: performance.now() - ended.began, message: cause?.stack ?? cause?.message },
      });
    }
  });
}

/**
 * Keeps the results of a run of Jest, for `ton-workbench test`. Jest's own report as JSON fails if an assertion was about
 * a bigint.
 */
// oxlint-disable-next-line import/no-default-export -- where Jest looks for its option testResultsProcessor
export default function keepResults<Results>(results: Results): Results {
  if (TON_WORKBENCH_RESULTS !== undefined) {
    fs.writeFileSync(
      TON_WORKBENCH_RESULTS,
      JSON.stringify(results, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    );
  }
  return results;
}

/** Makes every `Blockchain` record what it runs. */
function patch(sandbox: Sandbox, file: string): void {
  // The one of ton-workbench/sandbox has the same.
  if (patched.has(sandbox.Blockchain.prototype)) {
    return;
  }
  patched.add(sandbox.Blockchain.prototype);
  const requireHere = createRequire(file);
  const { serializeTuple } = requireHere('@ton/core') as { serializeTuple: (items: TupleItem[]) => Cell };
  // oxlint-disable-next-line typescript/unbound-method -- called with the `this` of each call
  const create = sandbox.Blockchain.create;
  const createExecutor = async (): Promise<IExecutor> => sandbox.Executor.create();
  const shared = TON_WORKBENCH_SHARE === '0' ? undefined : sharedExecutors(createExecutor);
  let engine: string | undefined;
  const executorFor = async (given: IExecutor | undefined): Promise<ExecutorFor> => {
    if (given !== undefined) {
      return async () => Promise.resolve(given);
    }
    if (shared !== undefined) {
      return shared;
    }
    const own = await createExecutor();
    return async () => Promise.resolve(own);
  };
  let base: IExecutor | undefined;
  sandbox.Blockchain.create = async function (options) {
    // Before anything is waited for: tests make several at once, and their numbers are in the order of the calls.
    chains += 1;
    const chain = chains;
    const given = options?.executor;
    // What a test asks the executor besides running code, such as its version.
    const asked = given ?? (base ??= await createExecutor());
    engine ??= (asked as Partial<Executor>).getVersion?.().commitHash;
    const place = recordingPlace(chain, isOwn(given, sandbox), { file, engine, serializeTuple });
    const recorder = new RecordingExecutor(await executorFor(given), place);
    return create.call(this, { ...options, executor: withRunsOf(recorder, asked) });
  };
  const { prototype } = sandbox.Blockchain as unknown as { prototype: Record<string, unknown> };
  const treasury = prototype['treasury'];
  if (typeof treasury === 'function') {
    prototype['treasury'] = async function (this: unknown, name: unknown, ...more: unknown[]) {
      const { file: test } = here();
      const wallet = (await treasury.call(this, name, ...more)) as { address?: Address } | undefined;
      const address = wallet?.address?.toRawString();
      if (typeof name === 'string' && address !== undefined && !wallets.has(`${test} ${address}`)) {
        wallets.add(`${test} ${address}`);
        fileOf(test, { file, engine })?.write({ wallet: name, address } satisfies WalletLine);
      }
      return wallet;
    };
  }
  const debuggerExecutor = prototype['getDebuggerExecutor'];
  if (typeof debuggerExecutor === 'function') {
    prototype['getDebuggerExecutor'] = function (this: unknown): unknown {
      const test = here();
      fileOf(test.file, { file, engine })?.write({ lost: 'debug-executor', test: test.name, at: test.at });
      return debuggerExecutor.call(this) as unknown;
    };
  }
}

/** Anything but running code is done by the executor itself. */
function withRunsOf(recorder: RecordingExecutor, executor: IExecutor): IExecutor {
  return new Proxy(executor, {
    get(target, name): unknown {
      const source =
        name === 'runTransaction' || name === 'runTickTock' || name === 'runGetMethod' ? recorder : target;
      const value: unknown = Reflect.get(source, name);
      return typeof value === 'function' ? (value.bind(source) as unknown) : value;
    },
  });
}

function isOwn(given: IExecutor | undefined, { Executor }: Sandbox): boolean {
  return given === undefined || given instanceof (Executor as unknown as new () => object);
}

function recordingPlace(
  chain: number,
  isOwnExecutor: boolean,
  { serializeTuple, ...about }: About & { serializeTuple: RecordingPlace['serializeStack'] },
): RecordingPlace {
  return {
    serializeStack: serializeTuple,
    begin: () => {
      const test = here();
      const recording = fileOf(test.file, about);
      return (
        recording && {
          blob: (boc) => recording.blob(boc),
          write: (line) => {
            records += 1;
            const { name, at } = test;
            recording.write({
              n: records,
              test: name,
              at,
              chain,
              ...line,
              ...(isOwnExecutor ? {} : { replaced: true }),
            });
          },
        }
      );
    },
  };
}

/** What the header says. */
interface About {
  /** The main file of @ton/sandbox. */
  file: string;
  engine: string | undefined;
}

/** The recording of a test file; undefined if it cannot be written. */
function fileOf(test: string, about: About): RecordingFile | undefined {
  if (!files.has(test)) {
    files.set(test, open(test, about));
    records = 0;
  }
  return files.get(test);
}

function open(test: string, { file, engine }: About): RecordingFile | undefined {
  const { runner } = testPlace(hooked);
  const header: HeaderLine = {
    format: recordingFormat,
    version: recordingVersion,
    file: relative(test),
    runner,
    versions: { runner: versionOf(runner), sandbox: versionAbove(file), engine },
  };
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, '.gitignore'), '*\n');
    return new RecordingFile(folder, header);
  } catch (error) {
    process.stderr.write(`ton-workbench: tests are not recorded in ${folder}: ${String(error)}\n`);
    return undefined;
  }
}

/** The test that runs, and the line in it. */
function here(): { file: string; name: string | undefined; at: CallPlace | undefined } {
  const { file, name } = testPlace(hooked);
  const found = places.find(file);
  const whole = file ?? found?.file ?? process.argv[1] ?? 'unknown';
  const at =
    found === undefined
      ? undefined
      : {
          ...(found.file === whole ? {} : { file: relative(found.file) }),
          line: found.line,
          column: found.column,
        };
  return { file: whole, name, at };
}

function relative(file: string): string {
  return path.relative(root, file).replaceAll('\\', '/');
}

function versionOf(name: string): string | undefined {
  if (name === 'node') {
    return process.versions.node;
  }
  try {
    const { version } = createRequire(path.join(root, 'tests.js'))(`${name}/package.json`) as {
      version?: string;
    };
    return version;
  } catch {
    return undefined;
  }
}

/** The version of the package that a file is in. */
function versionAbove(file: string): string | undefined {
  for (let at = path.dirname(file); at !== path.dirname(at); at = path.dirname(at)) {
    const manifest = path.join(at, 'package.json');
    if (fs.existsSync(manifest)) {
      return (JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version?: string }).version;
    }
  }
  return undefined;
}

function isSandbox(value: unknown): value is Sandbox {
  const { Blockchain: chain, Executor: executor } = (value ?? {}) as Partial<Sandbox>;
  return typeof chain?.create === 'function' && typeof executor?.create === 'function';
}

/** In Jest, modules are loaded for each test file, and not by Node.js. */
function patchOfJest(): void {
  const { file } = testPlace(undefined);
  const requireHere = createRequire(path.join(file === undefined ? root : path.dirname(file), 'tests.js'));
  let sandbox: unknown;
  try {
    sandbox = requireHere('@ton/sandbox');
  } catch {
    // A project without it has nothing to record.
    return;
  }
  if (isSandbox(sandbox)) {
    patch(sandbox, requireHere.resolve('@ton/sandbox'));
  }
}

/** Elsewhere Node.js loads it, for `import`, too. */
function patchWhenLoaded(): void {
  const loader = Module as unknown as {
    _load(request: string, parent: NodeJS.Module | undefined, ...more: unknown[]): unknown;
  };
  // oxlint-disable-next-line typescript/unbound-method -- called with the `this` of each call
  const load = loader._load;
  loader._load = function (request, parent, ...more) {
    const loaded = load.call(this, request, parent, ...more);
    if (request.includes('sandbox') && isSandbox(loaded)) {
      patch(loaded, createRequire(parent?.filename ?? path.join(root, 'tests.js')).resolve(request));
    }
    return loaded;
  };
}

if (testPlace(undefined).runner === 'jest') {
  patchOfJest();
} else {
  patchWhenLoaded();
  if (nodeTests !== undefined) {
    hookNodeTests(nodeTests);
  }
}
