import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import path from 'node:path';
import type { TestRecording } from '../toolkit/testRuns/testRecording';
import type { ExplainedTest } from './explainTest';
import type { gasChanges as GasChanges } from './gasSnapshot';
import { addJsonOptions } from './networkHere';
import { writeJsonLine, writeNote, writeText } from './output';
import type { TestsRun } from '../toolkit/testRuns/runProjectTests';
import type { GasUse } from './testGas';
import type { runTests as RunTests } from './runTests';
import { endWith, pathHere, surroundings } from './surroundings';

interface TestOptions {
  json?: true;
  junit?: string;
  lcov?: string;
  gas?: true;
  gasSnapshot?: string;
  gasDiff?: string;
  replays?: string;
  share: boolean;
  mutate?: true;
  progress?: true;
  only?: string;
  since: string;
  mutants: number;
  minutes: number;
  minScore?: number;
}

/** `test [PATTERN]`: runs a project's tests, and says which line of a contract the failed ones are about. */
export function registerTestCommand(program: Command): void {
  const command = program
    .command('test')
    .summary("run a project's tests, and show the line of the contract for each that fails")
    .description(
      "Runs the project's own tests (Jest, Vitest, Mocha, or node --test, with @ton/sandbox) and records what they run, into " +
        '.ton/tests. For each failed test it names the transaction or get-method that it was about, with the source ' +
        "line and its values. Nothing in the project is changed. The exit status is the runner's, but never 0 if a test failed.",
    )
    .argument(
      '[patterns...]',
      'test files, as the runner takes them; for names, give the option of the runner after --',
    )
    .option('--junit <file>', 'write a report for CI')
    .option('--lcov <file>', 'count which lines of the contracts all tests ran, in the format of lcov')
    .option('--gas', 'show the gas of each message and get-method over all tests')
    .option('--gas-snapshot <file>', "write that gas in the format of Blueprint's snapshots")
    .option('--gas-diff <file>', 'show what takes other gas than in such a snapshot')
    .option('--replays <folder>', 'save what the failed tests were about as *.tonreplay, for a bug report')
    .option(
      '--mutate',
      'change the contracts in small ways, in a copy, and show which changes no test notices',
    )
    .option('--since <commit>', 'with --mutate: lines changed since then come first', 'HEAD')
    .option('--only <file>', 'with --mutate: change only this source')
    .option('--progress', 'with --mutate and --json: print a line for each mutant, too')
    .option('--mutants <n>', 'with --mutate: at most so many', parseMost, 100)
    .option('--minutes <n>', 'with --mutate: for at most so long', parseMost, 10)
    .option('--min-score <percent>', 'with --mutate: fail if tests notice fewer', parseMost)
    .option('--no-share', 'give each Blockchain an engine of its own, which is slower');
  addJsonOptions(
    command,
    'print the results as one JSON line; what the runner prints goes to stderr',
    async () => {
      const [{ testAnswerSchema }, { mutationAnswerSchema, mutationProgressSchema }, { union }] =
        await Promise.all([
          import('./testAnswer'),
          import('../toolkit/testRuns/mutationAnswer'),
          import('zod'),
        ]);
      return union([testAnswerSchema, mutationAnswerSchema, mutationProgressSchema]);
    },
  ).action(async (patterns: string[], options: TestOptions) => {
    await test(patterns, options);
  });
}

async function test(patterns: readonly string[], options: TestOptions): Promise<void> {
  for (const file of [options.junit, options.lcov, options.gasSnapshot]) {
    if (file !== undefined) {
      await (await import('./writeReport')).checkReportFile(file);
    }
  }
  if (options.replays !== undefined) {
    await makeFolder(options.replays);
  }
  const { output, errors, clock } = surroundings();
  const began = clock.now();
  const to = options.json === true ? errors : output;
  const print = (text: string): unknown => to.write(text);
  if (options.mutate === true) {
    const { mutateHere } = await import('./mutateHere');
    await mutateHere({ ...options, patterns, ownEngines: !options.share, print });
    return;
  }
  // What cannot be read is told before the tests run.
  const before =
    options.gasDiff === undefined
      ? undefined
      : await (await import('./gasSnapshot')).readGasSnapshot(options.gasDiff);
  const { run, explained, recordings } = await explainTests({ patterns, ownEngines: !options.share, print });
  await tell(run, explained, recordings, options, before);
  if (options.junit !== undefined) {
    await writeJunit(options.junit, run, explained, new Date(began));
  }
  if (options.lcov !== undefined) {
    await (await import('./coverTests')).writeTestsCoverage(recordings, options.lcov);
  }
  if (options.replays !== undefined) {
    await saveReplays(options.replays, explained);
  }
  // A test that ends the process can take the failures of others with it.
  endWith(run.status === 0 && explained.length > 0 ? 1 : run.status);
}

/** A run of the project's tests, with what each failed one was about. */
export interface ExplainedRun {
  run: TestsRun;
  explained: ExplainedTest[];
  /** By the path that the user would write. */
  recordings: ReadonlyMap<string, TestRecording>;
}

/**
 * Runs the tests, and explains those that fail.
 * @throws WorkbenchError as {@link runTests}
 */
export async function explainTests(options: Parameters<typeof RunTests>[0]): Promise<ExplainedRun> {
  const [{ runTests, stopSignalInUse }, { abortedError }, { explainTest }, { openRecording }] =
    await Promise.all([
      import('./runTests'),
      import('../toolkit/base/errors'),
      import('./explainTest'),
      import('./openRecord'),
    ]);
  const run = await runTests(options);
  const recordings = new Map<string, TestRecording>();
  for (const name of run.recordings) {
    const file = path.relative(surroundings().folder, path.join(run.folder, name)).replaceAll('\\', '/');
    recordings.set(file, await openRecording(file));
  }
  const explained: ExplainedTest[] = [];
  for (const result of run.results.filter(({ state }) => state === 'failed')) {
    if (stopSignalInUse()?.aborted === true) {
      throw abortedError();
    }
    explained.push(await explainTest(result, recordings, run.root));
  }
  return { run, explained, recordings };
}

async function tell(
  run: TestsRun,
  explained: readonly ExplainedTest[],
  recordings: ReadonlyMap<string, TestRecording>,
  { json, gas, gasSnapshot: snapshot }: TestOptions,
  before: Parameters<typeof GasChanges>[0] | undefined,
): Promise<void> {
  const all = [...recordings.values()];
  const records = all.reduce((sum, one) => sum + one.records.length, 0);
  const leftOut = all.reduce((sum, { cut }) => sum + (cut?.left ?? 0), 0);
  if (leftOut > 0) {
    writeNote(`The recordings are full: ${leftOut} records are left out.`);
  }
  if (records === 0) {
    writeNote(
      run.results.some(({ state }) => state !== 'skipped')
        ? 'Nothing was recorded: no test made a Blockchain of the @ton/sandbox that the test files import.'
        : 'No test ran.',
    );
  }
  if (run.status === 0 && explained.length > 0) {
    writeNote(
      `The runner ended with status 0, but ${explained.length === 1 ? 'a test' : `${explained.length} tests`} failed.`,
    );
  }
  const lost = all.reduce((sum, one) => sum + one.lost.length, 0);
  if (lost > 0) {
    writeNote(`${lost} runs in the sandbox's own debugger are not recorded.`);
  }
  const uses =
    gas === true || snapshot !== undefined || before !== undefined
      ? await (await import('./testGas')).gasUses(all)
      : [];
  const rows = gas === true ? (await import('./testGas')).gasRows(uses) : undefined;
  const compared = await compareGas(uses, snapshot, before);
  if (json === true) {
    const { testAnswer } = await import('./testAnswer');
    const facts = { recordings: [...recordings.keys()], records, leftOut };
    writeJsonLine(testAnswer(run, explained, facts, { rows, changes: compared?.changes }));
    return;
  }
  for (const one of explained) {
    writeText(`\n${(await explainedText(one)).join('\n')}`);
  }
  if (rows !== undefined) {
    const { formatTable } = await import('../toolkit/base/formatTable');
    const cells = rows.map(({ contract, ran, runs, least, mean, most }) =>
      [contract, ran, runs, least, mean, most].map(String),
    );
    const heading = ['contract', 'message or get-method', 'runs', 'least gas', 'mean', 'most'];
    const sides = ['left', 'left', 'right', 'right', 'right', 'right'] as const;
    writeText(['', ...formatTable([heading, ...cells], [...sides])].join('\n'));
  }
  if (compared !== undefined) {
    const [{ formatTable }, { gasChangeCells, gasChangeHeading }] = await Promise.all([
      import('../toolkit/base/formatTable'),
      import('./gasSnapshot'),
    ]);
    const rowsOfChanges = [gasChangeHeading, ...compared.changes.map(gasChangeCells)];
    const table = formatTable(rowsOfChanges, ['left', 'left', 'right', 'right', 'right']);
    const same = `${compared.same} with the same gas.`;
    writeText(['', ...(compared.changes.length === 0 ? ['No gas changed.'] : table), same].join('\n'));
  }
}

/** Writes a snapshot of gas, and compares with one, as asked for. */
async function compareGas(
  uses: readonly GasUse[],
  file: string | undefined,
  before: Parameters<typeof GasChanges>[0] | undefined,
): Promise<ReturnType<typeof GasChanges> | undefined> {
  if (file === undefined && before === undefined) {
    return undefined;
  }
  const [{ gasChanges, gasSnapshot }, { writeWholeFile }] = await Promise.all([
    import('./gasSnapshot'),
    import('./writeWholeFile'),
  ]);
  const now = gasSnapshot(uses, 'ton-workbench', surroundings().clock.now());
  if (file !== undefined) {
    await writeWholeFile('snapshot of gas', file, `${JSON.stringify(now, undefined, 2)}\n`);
  }
  return before && gasChanges(before, now);
}

/** Two steps lead to the line: this text, and its last line. */
async function explainedText({ result, file, line, about }: ExplainedTest): Promise<string[]> {
  const [{ thrownText }, { shownFile }, { visibleText, shellWord }, { recordPlace }] = await Promise.all([
    import('../toolkit/sourceMap/thrownAt'),
    import('./linesHere'),
    import('../toolkit/base/text'),
    import('../toolkit/testRuns/describeRecord'),
  ]);
  const head = `✗ ${visibleText(result.name ?? 'the file itself')}  ${file}${line === undefined ? '' : `:${line}`}`;
  if (about === undefined) {
    return [head, '  It ran no transaction and no get-method.'];
  }
  const { recording, record, words, exit, thrown, isExact, doubts, name, source } = about;
  const lines = source === undefined ? '' : ` --source ${shellWord(source)}`;
  return [
    head,
    `  ${visibleText(words)}, called at ${visibleText(recordPlace(recording, record))}: ${exit}`,
    ...(thrown === undefined ? [] : thrownText(thrown, shownFile).map((one) => `  ${one}`)),
    ...(isExact
      ? []
      : [
          `  It runs otherwise here${doubts.length === 0 ? '' : `, maybe because of: ${doubts.join(', ')}`}.`,
        ]),
    ...(thrown === undefined ? [] : [`  ton-workbench debug ${shellWord(name)} --why${lines}`]),
    `  ton-workbench debug ${shellWord(name)} --dap 0${lines}`,
  ];
}

async function writeJunit(
  file: string,
  { results }: TestsRun,
  explained: readonly ExplainedTest[],
  at: Date,
): Promise<void> {
  const [{ writeReport }, { shownFile }] = await Promise.all([
    import('./writeReport'),
    import('./linesHere'),
  ]);
  const texts = new Map(
    await Promise.all(
      explained.map(async (one) => [one.result, (await explainedText(one)).slice(1).join('\n')] as const),
    ),
  );
  const files = [...new Set(results.map((one) => one.file))];
  const suites = files.map((one) => ({
    name: shownFile(one),
    at,
    cases: results
      .filter((result) => result.file === one)
      .map((result) => ({
        name: result.name ?? shownFile(one),
        elapsedMs: result.elapsedMs,
        failures: result.state === 'failed' ? [result.message ?? 'failed', texts.get(result) ?? ''] : [],
        isSkipped: result.state === 'skipped',
      })),
  }));
  await writeReport(file, suites, 'tests');
}

/** @throws WorkbenchError `report-unwritable` (input) */
async function makeFolder(folder: string): Promise<void> {
  const { mkdir } = await import('node:fs/promises');
  await mkdir(pathHere(folder), { recursive: true }).catch(async (cause: unknown) => {
    throw (await import('./writeWholeFile')).unwritableError('folder', folder, cause);
  });
}

async function saveReplays(folder: string, explained: readonly ExplainedTest[]): Promise<void> {
  const [{ recordInputs }, { replayFileText }, { writeWholeFile }] = await Promise.all([
    import('../toolkit/testRuns/recordInputs'),
    import('../toolkit/replay/replayFile'),
    import('./writeWholeFile'),
  ]);
  let others = 0;
  for (const { about } of explained) {
    if (about === undefined) {
      continue;
    }
    if (about.record.kind === 'get' || about.record.transaction === undefined) {
      others += 1;
    } else {
      const name = `${path.posix.basename(about.name).replace('.tontests#', '-')}.tonreplay`;
      await writeWholeFile(
        'replay',
        path.join(folder, name),
        replayFileText(recordInputs(about.recording, about.record)),
      );
    }
  }
  if (others > 0) {
    writeNote(
      `A replay holds a transaction, so ${others} of the causes ${others === 1 ? 'is' : 'are'} not saved: get-methods, and messages that were not accepted.`,
    );
  }
}

function parseMost(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < 1) {
    throw new InvalidArgumentError('This is a whole number from 1.');
  }
  return Number(text);
}
