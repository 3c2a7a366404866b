import { Cell } from '@ton/core';
import path from 'node:path';
import { WorkbenchError } from '../toolkit/base/errors';
import { readUserFile, readUserText } from '../toolkit/base/readUserFile';
import { visibleText } from '../toolkit/base/text';
import { sourceLanguage } from '../toolkit/contracts/abi/sourceLanguage';
import { oneContract } from '../toolkit/build/oneContract';
import type { SourceMap } from '../toolkit/sourceMap/sourceMap';
import { isOwnFile } from '../toolkit/sourceMap/sourceMap';
import { changedSourceLines } from '../toolkit/testRuns/changedSourceLines';
import { coverRecord } from '../toolkit/testRuns/coverRecord';
import { treasuryCode } from '../toolkit/testRuns/describeRecord';
import { mutateTests } from '../toolkit/testRuns/mutateTests';
import type {
  JudgedMutant,
  MutableContract,
  MutableFile,
  MutationReport,
  NamedTest,
} from '../toolkit/testRuns/mutateTests';
import { codeOfRecord } from '../toolkit/testRuns/seenByTests';
import type { RecordInTests } from '../toolkit/testRuns/seenByTests';
import { survivorReason } from '../toolkit/testRuns/mutationAnswer';
import type { MutationAnswer, MutationProgress } from '../toolkit/testRuns/mutationAnswer';
import { readTestRecording } from '../toolkit/testRuns/testRecording';
import type { TestRecording } from '../toolkit/testRuns/testRecording';
import { shownFile, sourceMapHere } from './linesHere';
import { engineHere, openRecording, runOpened } from './openRecord';
import { writeJsonLine, writeNote, writeText } from './output';
import { testedHere, runnerOptions } from './runTests';
import type { AskedTests } from './runTests';
import { sourceOfCode } from './sourceOfCode';
import { compileFile, pathHere, surroundings } from './surroundings';

/** What is asked of `test --mutate`. */
export interface MutateTestsOptions extends AskedTests {
  json?: true | undefined;
  /** With `json`: prints how far it is, a line for each mutant. */
  progress?: true | undefined;
  /** The only source to change. */
  only?: string | undefined;
  /** The commit whose lines are not new. */
  since: string;
  mutants: number;
  minutes: number;
  /** In percent; below it, the command fails. */
  minScore?: number | undefined;
}

/**
 * `test --mutate`: changes the contracts that the tests run, and tells what no test notices.
 *
 * @throws WorkbenchError `tests-failed`, `mutants-survived` (failed), as `runTests` and `mutateTests`
 */
export async function mutateHere(options: MutateTestsOptions): Promise<void> {
  const [{ runProjectTests }, tested, given] = await Promise.all([
    import('../toolkit/testRuns/runProjectTests'),
    testedHere(),
    runnerOptions(options),
  ]);
  const { clock, environment } = surroundings();
  const began = clock.monotonic();
  const run = await runProjectTests(tested, given);
  const tookMs = clock.monotonic() - began;
  const failed = run.results.filter(({ state }) => state === 'failed');
  if (failed.length > 0 || run.status !== 0) {
    throw new WorkbenchError({
      code: 'tests-failed',
      kind: 'failed',
      message: `${failed.length} tests fail without any change: ${visibleText(failed[0]?.name ?? 'the runner itself')}.`,
      hint: 'Mend them first. Mutants are judged by tests that pass.',
    });
  }
  const recordings = await Promise.all(
    run.recordings.map((name) => openRecording(path.join(run.folder, name))),
  );
  const changed = await changedSourceLines(tested.root, options.since, environment);
  if (changed === undefined) {
    writeNote(`git does not tell here which lines changed since ${options.since}, so no line comes first.`);
  }
  const only = options.only === undefined ? undefined : pathHere(options.only);
  const all = await contractsOf(recordings, (file) =>
    changed?.get(path.relative(tested.root, file).replaceAll('\\', '/')),
  );
  const contracts = all.map(({ files, ...contract }) => ({
    ...contract,
    files: files.filter((file) => only === undefined || file.path === only),
  }));
  const report = await mutateTests({
    ...{ tested, contracts, recordings, clock, signal: given.signal, emulator: await engineHere() },
    compile: ({ entry }, texts) => compiledCode(entry, texts),
    run: (copy, tests, signal) =>
      runProjectTests(copy, {
        ...given,
        ...{ patterns: [], print: () => undefined, signal },
        files: [...new Set(tests.map(({ file }) => file))],
        names: namesPattern(tests),
      }),
    read: ({ folder, recordings: names }) =>
      Promise.resolve(
        names.map((name) => readTestRecording(readUserFile(path.join(folder, name), 'testRecording'))),
      ),
    onJudged: (progress) => {
      if (options.progress === true && options.json === true) {
        writeJsonLine(progress satisfies MutationProgress);
      }
    },
    most: options.mutants,
    allMs: options.minutes * 60_000,
    // A fault may make tests wait for what never comes.
    runMs: Math.max(20_000, 4 * tookMs),
  });
  tell(report, options);
}

/** The contracts that tests ran and whose source and lines are known. */
async function contractsOf(
  recordings: readonly TestRecording[],
  changedLines: (file: string) => ReadonlySet<number> | undefined,
): Promise<MutableContract[]> {
  const runs = recordings.flatMap((recording) => recording.records.map((record) => ({ recording, record })));
  const found = new Map<
    string,
    { map: SourceMap; entry: string; files: Map<string, Map<number, NamedTest[]>> }
  >();
  const unknown = new Set<string>();
  for (const run of runs) {
    const code = codeOfRecord(run);
    const codeHash = code?.hash().toString('hex') ?? treasuryCode;
    if (code === undefined || codeHash === treasuryCode || unknown.has(codeHash)) {
      continue;
    }
    const known = found.get(codeHash);
    const { map } = await sourceMapHere({ code, codeHash }, undefined, true);
    const entry = known?.entry ?? (await sourceOfCode({ code, codeHash }, true));
    if (map === undefined || entry === undefined) {
      unknown.add(codeHash);
      continue;
    }
    const contract = known ?? { map, entry, files: new Map<string, Map<number, NamedTest[]>>() };
    found.set(codeHash, contract);
    const covered = await coverRecord(await runOpened(run), () => Promise.resolve(map));
    if (covered.outcome === 'covered') {
      addLines(contract.files, map, [...covered.counts.places.keys()], testsOfRun(run));
    }
  }
  if (unknown.size > 0) {
    writeNote(
      `${unknown.size} codes that tests ran have no source with lines here, so they are not changed.`,
    );
  }
  return [...found].map(([codeHash, { entry, files }]) => ({
    ...{ codeHash, entry },
    files: [...files].flatMap(([file, ran]): MutableFile[] => {
      const language = sourceLanguage(file);
      return language === undefined
        ? []
        : [
            {
              ...{ path: file, language, ran, changed: changedLines(file) ?? new Set<number>() },
              text: readUserText(file, 'projectFileBytes'),
            },
          ];
    }),
  }));
}

/** The test of a record; of a set-up's, those that go on with its `Blockchain`. */
function testsOfRun({ recording, record }: RecordInTests): NamedTest[] {
  const { file } = recording.header;
  const names =
    record.test === undefined
      ? recording.records.filter(({ chain }) => chain === record.chain).flatMap(({ test }) => test ?? [])
      : [record.test];
  return [...new Set(names)].map((name) => ({ file, name }));
}

function addLines(
  files: Map<string, Map<number, NamedTest[]>>,
  { places }: SourceMap,
  ran: readonly number[],
  tests: readonly NamedTest[],
): void {
  for (const index of ran) {
    const { file, line } = places[index] ?? { file: '', line: 0 };
    if (line === 0 || !isOwnFile(file)) {
      continue;
    }
    const lines = files.get(file) ?? new Map<number, NamedTest[]>();
    files.set(file, lines);
    const known = lines.get(line) ?? [];
    const isNew = ({ file: of, name }: NamedTest): boolean =>
      !known.some((one) => one.file === of && one.name === name);
    lines.set(line, known.concat(tests.filter(isNew)));
  }
}

/** @returns undefined if it does not compile */
async function compiledCode(
  entry: string,
  unsaved: Readonly<Record<string, string>>,
): Promise<Cell | undefined> {
  try {
    const built = await compileFile(entry, { isTrusted: true, unsaved });
    return Cell.fromBase64(oneContract(built, entry).code);
  } catch (error) {
    if (WorkbenchError.is(error, 'compile-failed')) {
      return undefined;
    }
    throw error;
  }
}

function namesPattern(tests: readonly NamedTest[]): string {
  const whole = tests.map(({ name }) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `^(?:${whole.join('|')})$`;
}

function tell(report: MutationReport, { json, minScore }: MutateTestsOptions): void {
  const { judged, stoppedBy, testRuns, allRuns, candidates, none } = report;
  const count = (verdict: JudgedMutant['verdict']): number =>
    judged.filter((one) => one.verdict === verdict).length;
  const survivors = judged.filter(({ verdict }) => verdict === 'survived');
  const score = judged.length === 0 ? null : percent(judged.length - survivors.length, judged.length);
  if (json === true) {
    writeJsonLine({
      ...{ score, killed: count('killed'), timedOut: count('timed-out'), survived: survivors.length },
      ...{ candidates, none, testRuns, allRuns, stoppedBy: stoppedBy ?? null },
      mutants: judged.map(({ verdict, file, mutant, isChanged, isUnseen, test }) => ({
        ...{ verdict, file: shownFile(file), line: mutant.line, column: mutant.column },
        ...{ change: mutant.words, length: mutant.length, replacement: mutant.text },
        ...{ isChangedLine: isChanged, isUnseen, test: { file: test.file, name: test.name } },
      })),
    } satisfies MutationAnswer);
  } else {
    writeText([...survivors.map(survivorText), totals(report, score)].join('\n'));
  }
  if (minScore !== undefined && score !== null && score < minScore) {
    throw new WorkbenchError({
      code: 'mutants-survived',
      kind: 'failed',
      message: `The tests noticed ${score} % of the mutants, less than ${minScore} %.`,
    });
  }
}

function survivorText(survivor: JudgedMutant): string {
  const { file, mutant, test } = survivor;
  return [
    `⚠ ${shownFile(file)}:${mutant.line}  ${visibleText(mutant.words)}`,
    `    should fail: ${visibleText(test.name)}  ${test.file}  (${survivorReason(survivor)})`,
  ].join('\n');
}

function totals(
  { judged, testRuns, allRuns, stoppedBy, candidates, none }: MutationReport,
  score: number | null,
): string {
  const survived = judged.filter(({ verdict }) => verdict === 'survived').length;
  if (score === null) {
    return 'There are no mutants: no test ran a line of a source that is known here.';
  }
  const left = candidates - none - judged.length;
  const bound =
    stoppedBy === undefined
      ? []
      : [
          `Ended at the bound of ${stoppedBy === 'time' ? '--minutes' : '--mutants'}; up to ${left} more are not judged.`,
        ];
  return [
    `${judged.length} mutants: ${judged.length - survived} noticed, ${survived} not. Score ${score} %.`,
    `${testRuns} runs of a test instead of ${allRuns}.`,
    ...bound,
  ].join('\n');
}

/** Rounded down, so that 100 means all. */
function percent(part: number, all: number): number {
  return Math.floor((part / all) * 100);
}
