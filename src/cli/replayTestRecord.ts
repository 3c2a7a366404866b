import type * as z from 'zod';
import type { ReplayReport } from '../toolkit/replay/replayReport';
import type { RanRecord } from '../toolkit/testRuns/runRecord';
import type { OpenedRecord } from './openRecord';
import type { recordAnswerSchema } from './replayAnswers';

/** A get-method of a test, or a message that was not accepted, that ran again. */
export interface RecordReport extends OpenedRecord {
  ran: RanRecord;
  lines: ReplayReport['lines'];
  /** What it is, and the name of its exit code. */
  words: string;
  exit: string;
  /** Why it may not be exact. */
  doubts: readonly string[];
  /** Sentences about lines. */
  notes: readonly string[];
}

/**
 * Runs a record that is no transaction again, with its lines.
 *
 * @throws WorkbenchError as `runRecord`
 */
export async function reportRecord(opened: OpenedRecord, source: string | undefined): Promise<RecordReport> {
  const [
    { runOpened, engineCommit },
    { linesHere },
    { describeContract },
    { projectWith },
    { surroundings },
    { exitText },
    { recordDoubts, recordWords },
  ] = await Promise.all([
    import('./openRecord'),
    import('./linesHere'),
    import('../toolkit/contracts/abi/contractDescription'),
    import('./projectWith'),
    import('./surroundings'),
    import('../toolkit/replay/replayReport'),
    import('../toolkit/testRuns/describeRecord'),
  ]);
  const ran = await runOpened(opened);
  const { recording, deployed, exitCode } = ran;
  const { steps: lines, notes } =
    recording === undefined ? { notes: [] } : await linesHere(recording, deployed, source);
  const description = describeContract(deployed, await projectWith(surroundings().folder, deployed));
  return {
    ...opened,
    ...{ ran, lines, notes },
    words: recordWords(opened.record, description),
    exit: exitCode === undefined ? 'no code ran' : `exit code ${exitText(exitCode, description)}`,
    doubts: recordDoubts(opened.recording, opened.record, await engineCommit()),
  };
}

/** The report for people. */
export async function recordText(report: RecordReport): Promise<string> {
  const [
    { formatTable },
    { shownFile },
    { thrownAt, thrownText },
    { recordPlace },
    { visibleText },
    { formatInteger },
  ] = await Promise.all([
    import('../toolkit/base/formatTable'),
    import('./linesHere'),
    import('../toolkit/sourceMap/thrownAt'),
    import('../toolkit/testRuns/describeRecord'),
    import('../toolkit/base/text'),
    import('../toolkit/trace/figures'),
  ]);
  const { ran, lines, record, recording, words, exit, doubts } = report;
  const { isExact, differences, recording: steps, gasUsed, account } = ran;
  const [first] = differences;
  const verdict = isExact
    ? 'Exact: everything that the test saw of it came out the same.'
    : `Diverged: ${first?.field} is ${first?.replayed ?? 'none'} instead of ${first?.original ?? 'none'}.`;
  const thrown = lines && thrownAt(lines);
  const facts: [string, string][] = [
    [
      'test',
      `${visibleText(record.test ?? 'outside of a test')}, ${visibleText(recordPlace(recording, record))}`,
    ],
    ['account', account],
    ['ran', words],
    [
      'result',
      [
        exit,
        ...(gasUsed === undefined ? [] : [`${formatInteger(gasUsed)} gas`]),
        ...(steps === undefined ? [] : [`${formatInteger(steps.steps + steps.stepsMissing)} steps`]),
      ].join(', '),
    ],
  ];
  return [
    verdict,
    '',
    ...formatTable(facts, ['left', 'left']),
    ...(thrown === undefined ? [] : ['', ...thrownText(thrown, shownFile)]),
    ...(isExact || doubts.length === 0 ? [] : ['', `It may differ because of: ${doubts.join(', ')}.`]),
  ].join('\n');
}

/** The report for programs. */
export async function recordAnswer(report: RecordReport): Promise<z.infer<typeof recordAnswerSchema>> {
  const [{ thrownAt }, { shownFile }] = await Promise.all([
    import('../toolkit/sourceMap/thrownAt'),
    import('./linesHere'),
  ]);
  const { ran, lines, record, words } = report;
  const { recording: steps, exitCode = null, gasUsed = null, isExact, differences, account } = ran;
  const thrown = lines && thrownAt(lines);
  return {
    verdict: isExact ? 'exact' : 'diverged',
    differences: differences.map(({ field, original = null, replayed = null }) => ({
      field,
      original,
      replayed,
    })),
    record: record.n,
    test: record.test ?? null,
    ran: words,
    account,
    exitCode,
    gasUsed,
    steps: steps === undefined ? null : steps.steps + steps.stepsMissing,
    stepsMissing: steps?.stepsMissing ?? 0,
    ...(thrown === undefined
      ? {}
      : { thrownAt: { ...thrown.place, file: shownFile(thrown.place.file), values: [...thrown.values] } }),
  };
}
