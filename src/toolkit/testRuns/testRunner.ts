import * as z from 'zod';
import { checkShape } from '../base/checkShape';

/** A program that runs a project's tests; `node`: Node.js itself, by `node --test`. */
export type TestRunner = 'jest' | 'vitest' | 'mocha' | 'node';

/** Those that are packages. */
const packages = ['vitest', 'jest', 'mocha'] as const;

const manifestSchema = z.object({
  scripts: z.record(z.string(), z.unknown()).optional(),
  dependencies: z.record(z.string(), z.unknown()).optional(),
  devDependencies: z.record(z.string(), z.unknown()).optional(),
});

/**
 * The runner of a project's tests: the one that its script `test` names, else the only one that it depends on.
 *
 * @param manifest its package.json, as JSON
 */
export function testRunnerOf(manifest: unknown): TestRunner | undefined {
  const { dependencies, devDependencies } = checkShape(manifestSchema, manifest).data ?? {};
  const words = testScriptOf(manifest)?.split(/[\s;&|/]+/) ?? [];
  const needed = Object.keys({ ...dependencies, ...devDependencies });
  const named = packages.find((name) => words.includes(name));
  if (named !== undefined) {
    return named;
  }
  if (words.includes('node') && words.includes('--test')) {
    return 'node';
  }
  // Blueprint's own script is `blueprint test`, which runs Jest.
  return words.includes('blueprint') ? 'jest' : packages.find((name) => needed.includes(name));
}

/**
 * The script that runs a project's tests.
 *
 * @param manifest its package.json, as JSON
 */
export function testScriptOf(manifest: unknown): string | undefined {
  const script = checkShape(manifestSchema, manifest).data?.scripts?.['test'];
  return typeof script === 'string' ? script : undefined;
}

/** How the script of a project runs its tests: what is kept of it when they are run and recorded. */
export interface ScriptedRun {
  /** Flags of Node.js, where the script starts the runner with it. */
  nodeFlags: readonly string[];
  /** Options of the runner, without those that choose tests by their names, watch, or say where results go. */
  options: readonly string[];
  /** The test files or names that it runs. */
  patterns: readonly string[];
  /** What it adds to the environment. */
  environment: Readonly<Record<string, string>>;
}

/** What the runner needs to know so that its tests are recorded. */
export interface RecordedRun {
  runner: TestRunner;
  /** The recorder: absolute. */
  recorder: string;
  /** Where the results of the tests are written: absolute. */
  results: string;
  /** What the project's script says of its run. */
  script?: ScriptedRun | undefined;
  /** Of Jest: the set-up files of its configuration, which an option would replace. */
  setupFiles: readonly string[];
  /** Test files or names, as the runner takes them. */
  patterns: readonly string[];
  /** Only these test files, relative to the folder of the run. */
  files?: readonly string[] | undefined;
  /** Only tests whose full names fit: a regular expression. `node` runs whole files: not every version knows full names. */
  names?: string | undefined;
  /** NODE_OPTIONS of the user. */
  nodeOptions: string | undefined;
  /** Each instance of `Blockchain` has an engine of its own. */
  ownEngines: boolean;
}

/** The arguments of the runner and the environment of a recorded run. What is asked for replaces what the script runs. */
export function recordedRun({
  runner,
  recorder,
  results,
  script,
  setupFiles,
  patterns: asked,
  files = [],
  names,
  nodeOptions = '',
  ownEngines,
}: RecordedRun): { args: string[]; environment: Record<string, string> } {
  const options = script?.options ?? [];
  const patterns = asked.length + files.length > 0 ? asked : (script?.patterns ?? []);
  const environment = {
    ...script?.environment,
    TON_WORKBENCH_RESULTS: results,
    ...(ownEngines ? { TON_WORKBENCH_SHARE: '0' } : {}),
  };
  switch (runner) {
    case 'jest':
      return {
        args: [
          ...options,
          // With a space, the option takes the patterns, too.
          ...[...setupFiles, recorder].map((file) => `--setupFilesAfterEnv=${file}`),
          `--testResultsProcessor=${recorder}`,
          ...(names === undefined ? [] : [`--testNamePattern=${names}`]),
          ...(files.length === 0 ? [] : ['--runTestsByPath', ...files]),
          ...patterns,
        ],
        environment,
      };
    case 'vitest':
      return {
        args: [
          ...['run', ...options, '--reporter=default', '--reporter=json', `--outputFile.json=${results}`],
          ...(names === undefined ? [] : [`--testNamePattern=${names}`]),
          ...files,
          ...patterns,
        ],
        // Its set-up files cannot be named in its options.
        environment: {
          ...environment,
          NODE_OPTIONS: `${nodeOptions} --require ${JSON.stringify(recorder)}`.trim(),
        },
      };
    case 'mocha':
      return {
        args: [
          ...[...options, '--require', recorder],
          ...(names === undefined ? [] : ['--grep', names]),
          ...files,
          ...patterns,
        ],
        environment,
      };
    case 'node':
      return { args: [...options, '--require', recorder, ...files, ...patterns], environment };
  }
}
