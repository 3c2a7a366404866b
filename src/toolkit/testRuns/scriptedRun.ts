import type { ScriptedRun, TestRunner } from './testRunner';

/** Options of a runner, long and short, without their dashes. */
interface RunnerOptions {
  /** Those whose next word is their value. */
  valued: ReadonlySet<string>;
  /** Those that take every word up to the next option. */
  listed: ReadonlySet<string>;
  /** Those that a recorded run does not keep. */
  dropped: ReadonlySet<string>;
}

/** Of Vitest. */
const subcommands = new Set(['run', 'watch', 'dev', 'related', 'bench']);

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const optionsOf: Readonly<Record<TestRunner, RunnerOptions>> = {
  // https://jestjs.io/docs/cli
  jest: {
    valued: words(`
      c config cacheDirectory changedSince coverageDirectory coverageProvider coverageThreshold env filter globalSetup
      globalTeardown globals haste maxConcurrency w maxWorkers moduleNameMapper notifyMode outputFile preset prettierPath
      randomize resolver rootDir runner seed shard snapshotSerializers testEnvironment testEnvironmentOptions t
      testNamePattern testRegex testResultsProcessor testRunner testSequencer testTimeout transform
      workerIdleMemoryLimit`),
    listed: words(`
      collectCoverageFrom coveragePathIgnorePatterns coverageReporters ignoreProjects moduleDirectories
      moduleFileExtensions modulePathIgnorePatterns modulePaths projects reporters roots selectProjects setupFiles
      setupFilesAfterEnv testMatch testPathIgnorePatterns testPathPattern testPathPatterns transformIgnorePatterns
      watchPathIgnorePatterns`),
    dropped: words('testResultsProcessor t testNamePattern watch watchAll'),
  },
  // https://vitest.dev/guide/cli
  vitest: {
    valued: words(`
      attachmentsDir bail c config dir diff environment exclude hookTimeout maxConcurrency maxWorkers minWorkers mode
      outputFile pool project r root reporter retry shard silent slowTestThreshold teardownTimeout t testNamePattern
      testTimeout vmMemoryLimit`),
    listed: new Set(),
    dropped: words('outputFile reporter t testNamePattern ui open w watch run'),
  },
  // https://nodejs.org/api/cli.html
  node: {
    valued: words(`
      r require import loader experimental-loader C conditions env-file test-concurrency test-name-pattern
      test-reporter test-reporter-destination test-shard test-skip-pattern test-timeout`),
    listed: new Set(),
    dropped: words('test-name-pattern test-skip-pattern test-reporter test-reporter-destination watch'),
  },
  // https://mochajs.org/running/cli
  mocha: {
    valued: words(`
      config extension f fgrep file g grep global globals import j jobs n node-option package repeats R reporter O
      reporter-option reporter-options r require retries s slow spec t timeout u ui watch-files watch-ignore`),
    listed: new Set(),
    dropped: words('f fgrep g grep w watch watch-files watch-ignore'),
  },
};

/** Stands for what only a shell knows. */
const unknown = '\0';
const isKnown = (word: string): boolean => !word.includes(unknown);

/** What double quotes keep as it is, once their escapes are read. */
const expanded = (text: string): string =>
  text.replace(/\\(["\\$`])|[$`]/g, (_, escaped?: string) => escaped ?? unknown);

/** A word without its quotes. */
const unquoted = (word: string): string =>
  word.replace(
    /"((?:[^"\\]|\\.?)*)(?:"|$)|'([^']*)(?:'|$)|\\(.?)|[$`]/gs,
    (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? unknown) : expanded(double),
  );

/** The commands of a script, as words without their quotes. */
function commandsOf(script: string): string[][] {
  const commands: string[][] = [[]];
  for (const [part] of script.matchAll(
    /(?:[^\s"'\\;&|]|\\.?|"(?:[^"\\]|\\.?)*(?:"|$)|'[^']*(?:'|$))+|[;&|]+/gs,
  )) {
    if (/^[;&|]/.test(part)) {
      commands.push([]);
    } else {
      commands.at(-1)!.push(unquoted(part));
    }
  }
  return commands;
}

/** The program of a runner, such as `jest`, `node_modules/.bin/mocha`, and `node_modules/mocha/bin/_mocha.js`. */
const program = /(?:^|[\\/])_?(jest|vitest|mocha)(?:\.[cm]?js)?$/;

/** A word such as `NODE_ENV=test`. */
const assignment = /^([A-Za-z_]\w*)=([^]*)$/;

/**
 * What a script such as `NODE_ENV=test mocha -r ts-node/register --timeout 20000 'tests/*.ts'` says of its run. No shell
 * reads it: what has a variable or a command in it is left out.
 */
export function scriptedRun(script: string, runner: TestRunner): ScriptedRun {
  const isRunner = (word: string): boolean =>
    runner === 'node' ? word === '--test' : program.exec(word)?.[1] === runner;
  const command = commandsOf(script).find((one) => one.some(isRunner)) ?? [];
  const start = command.findIndex(isRunner);
  const before = command.slice(0, Math.max(start, 0)).filter(isKnown);
  const node = before.indexOf('node');
  const { valued, listed, dropped } = optionsOf[runner];
  const options: string[] = [];
  const patterns: string[] = [];
  for (let at = start + 1; at < command.length;) {
    const word = command[at]!;
    if (!word.startsWith('-')) {
      patterns.push(word);
      at += 1;
      continue;
    }
    const name = word.replace(/^--?/, '');
    let end = at + (valued.has(name) ? 2 : 1);
    while (listed.has(name) && command[end]?.startsWith('-') === false) {
      end += 1;
    }
    const option = command.slice(at, end);
    if (!dropped.has(name.replace(/=.*$/s, '')) && option.every(isKnown)) {
      options.push(...option);
    }
    at = end;
  }
  return {
    nodeFlags:
      node === -1 ? [] : before.slice(node + 1).filter((word) => runner === 'node' || word.startsWith('-')),
    options,
    patterns: patterns.filter((word) => isKnown(word) && !(runner === 'vitest' && subcommands.has(word))),
    environment: Object.fromEntries(
      before.flatMap((word) => {
        const [, name, value] = assignment.exec(word) ?? [];
        return name === undefined ? [] : [[name, value ?? '']];
      }),
    ),
  };
}
