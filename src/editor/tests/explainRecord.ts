import * as vscode from 'vscode';
import { exitWords } from '../../toolkit/contracts/exitCodes';
import { failureAt } from '../../toolkit/replay/failureAt';
import { exitText } from '../../toolkit/replay/replayReport';
import type { ThrownAt, ThrownLine } from '../../toolkit/sourceMap/thrownAt';
import { thrownLine } from '../../toolkit/sourceMap/thrownAt';
import { recordDoubts, recordWords } from '../../toolkit/testRuns/describeRecord';
import type { TestRecord } from '../../toolkit/testRuns/testRecording';
import { fileName } from '../../toolkit/base/text';
import { accountName } from '../project/accountName';
import { keepThrown } from '../replay/nameThrow';
import type { ReplayServices } from '../replay/replays';
import { describeDeployed } from '../project/methodsOf';
import { runRecordWithLines } from './testPrograms';
import type { OpenRecording } from './testRecordings';
import { actionPhaseOf } from '../../toolkit/replay/replayErrors';

/** What a record was, how it ended, and at which line. */
export interface ExplainedRecord {
  /** `a message on Till: exit code 402 (ERR_OVER_LIMIT)` */
  verdict: string;
  /** `exit code 402 (ERR_OVER_LIMIT)` */
  exit: string;
  thrown: ThrownAt | undefined;
  /** The line with its values. */
  line: ThrownLine | undefined;
  /** Why it may not be what the test saw; empty if it ran the same. */
  doubts: readonly string[];
}

/** What is known of records already: the report of a run and the marks in its file ask for the same ones. */
const explained = new WeakMap<TestRecord, Promise<ExplainedRecord>>();

/**
 * Runs a record again, once, and finds its line.
 *
 * @throws WorkbenchError as `runRecord`
 */
export async function explainRecord(
  services: ReplayServices,
  open: OpenRecording,
  record: TestRecord,
  signal = new AbortController().signal,
): Promise<ExplainedRecord> {
  // One that failed may have been canceled by another caller.
  const known = await explained.get(record)?.catch(() => undefined);
  if (known !== undefined) {
    return known;
  }
  const found = explain(services, open, record, signal);
  explained.set(record, found);
  return found;
}

async function explain(
  services: ReplayServices,
  { recording }: OpenRecording,
  record: TestRecord,
  signal: AbortSignal,
): Promise<ExplainedRecord> {
  const { ran, lines } = await runRecordWithLines(services, recording, record, signal);
  const { deployed, exitCode, isExact, transaction } = ran;
  const description = await describeDeployed(services.project, deployed);
  const thrown = lines && failureAt(lines, transaction?.replay.replayed);
  if (transaction !== undefined && thrown !== undefined && thrown.isAction !== true) {
    // Its trace names the line from the beginning.
    keepThrown(services, { ...transaction, edits: [] }, thrown);
  }
  const name = description.name ?? lines?.map.name;
  const action = transaction && actionPhaseOf(transaction.replay.replayed);
  const exit =
    exitCode === undefined
      ? 'no code ran'
      : action?.success === false
        ? `actions failed with ${action.resultCode} (${exitWords(action.resultCode, 'action')})`
        : `exit code ${exitText(exitCode, description)}`;
  const { version } = await services.replays.withEmulator(signal, (emulator) => Promise.resolve(emulator));
  return {
    exit,
    verdict: `${recordWords(record, description, lines?.map)}${name === undefined ? '' : ` on ${name}`}: ${exit}`,
    thrown,
    line: thrown && thrownLine(thrown, fileName, accountName(services)),
    doubts: isExact ? [] : ['it runs otherwise here', ...recordDoubts(recording, record, version.commit)],
  };
}

/** The place of a line that threw. */
export function thrownPlace({ place }: ThrownAt): vscode.Location {
  return new vscode.Location(vscode.Uri.file(place.file), new vscode.Position(place.line - 1, 0));
}
