import type { ProjectContract } from '../toolkit/contracts/abi/projectContract';
import type { ThrownAt } from '../toolkit/sourceMap/thrownAt';
import type { TestRecord, TestRecording } from '../toolkit/testRuns/testRecording';
import type { TestResult } from '../toolkit/testRuns/readTestResults';

/** A failed test, and what it was about. */
export interface ExplainedTest {
  result: TestResult;
  /** Relative to the working folder. */
  file: string;
  /** Line of the test file in which it failed, if the runner's message names one. */
  line: number | undefined;
  /** Undefined if the test ran no code. */
  about: ExplainedRecord | undefined;
}

/** What a failed test was about. */
interface ExplainedRecord {
  record: TestRecord;
  recording: TestRecording;
  /** The record as the commands take it: `FILE.tontests#12`. */
  name: string;
  /** `get-method total` */
  words: string;
  exitCode: number | undefined;
  /** `exit code 402 (ERR_OVER_LIMIT)`; for a failed action its result code. */
  exit: string;
  gasUsed: number | undefined;
  thrown: ThrownAt | undefined;
  isExact: boolean;
  doubts: readonly string[];
  /** The source to name for lines, if its compiler does not run by itself. */
  source: string | undefined;
}

/**
 * Finds what a failed test was about, and runs it again.
 *
 * @param recordings of the run, by the path that the user would write
 * @param root the folder in which the tests ran
 */
export async function explainTest(
  result: TestResult,
  recordings: ReadonlyMap<string, TestRecording>,
  root: string,
): Promise<ExplainedTest> {
  const [{ aboutRecord }, { failedLine }, { shownFile }, { default: path }] = await Promise.all([
    import('../toolkit/testRuns/findRecord'),
    import('../toolkit/testRuns/readTestResults'),
    import('./linesHere'),
    import('node:path'),
  ]);
  const relative = path.relative(root, result.file).replaceAll('\\', '/');
  const [found] = [...recordings].filter(([, { header }]) => header.file === relative);
  const records = (found?.[1].records ?? []).filter(({ test }) => test !== undefined && test === result.name);
  const record = aboutRecord(records);
  return {
    result,
    file: shownFile(result.file),
    // Mocha shortens the files of its frames.
    line: failedLine(result.message ?? '', [result.file, relative]),
    about: record && found && (await explainRecord(found[0], found[1], record)),
  };
}

async function explainRecord(
  file: string,
  recording: TestRecording,
  record: TestRecord,
): Promise<ExplainedRecord> {
  const [
    { runOpened, engineCommit },
    { linesHere, shownFile },
    { describeContract },
    { plainName },
    { projectPlace, projectWith },
    { surroundings },
    { default: path },
    { exitText, failedActionsText },
    { recordDoubts, recordWords },
    { failureAt },
  ] = await Promise.all([
    import('./openRecord'),
    import('./linesHere'),
    import('../toolkit/contracts/abi/contractDescription'),
    import('../toolkit/contracts/abi/projectContract'),
    import('./projectWith'),
    import('./surroundings'),
    import('node:path'),
    import('../toolkit/replay/replayReport'),
    import('../toolkit/testRuns/describeRecord'),
    import('../toolkit/replay/failureAt'),
  ]);
  const {
    deployed,
    recording: steps,
    exitCode,
    gasUsed,
    isExact,
    transaction,
  } = await runOpened({ recording, record });
  const lines = steps === undefined ? undefined : await linesHere(steps, deployed, undefined, true);
  const map = lines?.steps?.map;
  const { folder } = surroundings();
  const contracts = await projectWith(folder, deployed);
  const place = await projectPlace(folder);
  // What only the project's own compiler could tell: which source has the code.
  const isItsSource = ({ file, name: called }: ProjectContract): boolean =>
    path.join(place, file) === lines?.named && plainName(called) === plainName(map?.name ?? '');
  const description = describeContract(
    deployed,
    contracts.map((one) => (isItsSource(one) ? { ...one, codeHash: deployed.codeHash } : one)),
  );
  const name = description.name ?? map?.name;
  const failed = transaction === undefined ? '' : failedActionsText(transaction.replay.replayed);
  return {
    ...{ record, recording, exitCode, gasUsed, isExact },
    name: `${file}#${record.n}`,
    words: `${recordWords(record, description, map)}${name === undefined ? '' : ` on ${name}`}`,
    exit:
      exitCode === undefined
        ? 'no code ran'
        : failed === ''
          ? `exit code ${exitText(exitCode, description)}`
          : `exit code ${exitCode}${failed}`,
    thrown: lines?.steps && failureAt(lines.steps, transaction?.replay.replayed),
    doubts: isExact ? [] : recordDoubts(recording, record, await engineCommit()),
    source: lines?.named && shownFile(lines.named),
  };
}
