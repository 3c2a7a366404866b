import { availableParallelism } from 'node:os';
import type { DeployedCode } from '../toolkit/contracts/abi/contractDescription';
import type { Emulator } from '../toolkit/execution/emulator/emulator';
import type { WorkerEmulator } from '../toolkit/execution/emulator/workerEmulator';
import type { CoveredRun } from '../toolkit/replay/coveredRun';
import type { SourceMap } from '../toolkit/sourceMap/sourceMap';
import type { RanRecord, RecordEmulator } from '../toolkit/testRuns/runRecord';
import type { ExecutionLine } from '../toolkit/testRuns/recordLines';
import type { TestRecord, TestRecording } from '../toolkit/testRuns/testRecording';
import { perRun } from './surroundings';

/** A record of a test that the user named. */
export interface OpenedRecord {
  recording: TestRecording;
  record: TestRecord;
  /** Its file, as the user named it. */
  file: string;
  /** @throws WorkbenchError `replay-impossible` (failed) for a get-method, which has no transaction */
  execution(): ExecutionLine;
}

/** `FILE.tontests#12`, `FILE.tontests#NAME`, `FILE.tontests#NAME:2` */
const pattern = /^(.*\.tontests)(?:#(.*))?$/s;

/** Whether a text names a recording, or a record in one. */
export function isRecordingName(what: string): boolean {
  return pattern.test(what);
}

/**
 * The record that a text names; undefined if it does not name one.
 *
 * @throws WorkbenchError `test-recording-invalid`, `test-record-unknown`, `file-unreadable` (input), `over-limit`
 */
export async function openRecord(what: string): Promise<OpenedRecord | undefined> {
  const [, file, name] = pattern.exec(what) ?? [];
  if (file === undefined) {
    return undefined;
  }
  const [recording, { findRecord }, { replayImpossibleError }] = await Promise.all([
    openRecording(file),
    import('../toolkit/testRuns/findRecord'),
    import('../toolkit/replay/replayErrors'),
  ]);
  const record = findRecord(recording, name ?? '');
  return {
    recording,
    record,
    file,
    execution: () => {
      if (record.kind === 'get') {
        throw replayImpossibleError('A get-method is no transaction.', 'Name the number of a transaction.');
      }
      return record;
    },
  };
}

/** A file is read once. */
const recordings = perRun(() => new Map<string, Promise<TestRecording>>());

/** @throws WorkbenchError `test-recording-invalid`, `file-unreadable` (input), `over-limit` */
export function openRecording(file: string): Promise<TestRecording> {
  const known = recordings().get(file) ?? read(file);
  recordings().set(file, known);
  return known;
}

async function read(file: string): Promise<TestRecording> {
  const [{ readGivenFile }, { readTestRecording }] = await Promise.all([
    import('./readGivenFile'),
    import('../toolkit/testRuns/testRecording'),
  ]);
  return readTestRecording(await readGivenFile({ path: file, code: 'file-unreadable' }, 'testRecording'));
}

/**
 * Runs a record again.
 * @throws WorkbenchError as `runRecord`
 */
export async function runOpened(
  { recording, record }: Pick<OpenedRecord, 'recording' | 'record'>,
  emulator?: RecordEmulator,
): Promise<RanRecord> {
  const { runRecord } = await import('../toolkit/testRuns/runRecord');
  return runRecord(recording, record, emulator ?? (await engineHere()));
}

/** All records of a file, or the one that is named. */
export async function recordsToCover(
  what: string,
): Promise<((linesOf: (deployed: DeployedCode) => Promise<SourceMap | undefined>) => Promise<CoveredRun>)[]> {
  const [, file = '', name] = pattern.exec(what) ?? [];
  const recording = await openRecording(file);
  const [{ coverRecord }, { findRecord }] = await Promise.all([
    import('../toolkit/testRuns/coverRecord'),
    import('../toolkit/testRuns/findRecord'),
  ]);
  const records = name === undefined ? recording.records : [findRecord(recording, name)];
  const emulator = await engineFor(records.length);
  return records.map(
    (record) => async (linesOf) => coverRecord(await runOpened({ recording, record }, emulator), linesOf),
  );
}

/** The commit of the sources that the engine here was built from. */
export async function engineCommit(): Promise<string> {
  return (await engineHere()).version.commit;
}

const engines = perRun<{ engine?: Promise<Emulator>; pool?: Promise<WorkerEmulator> }>(() => ({}));

/** The emulator of the running command. */
export function engineHere(): Promise<Emulator> {
  return (engines().engine ??= import('../toolkit/execution/emulator/createSandboxEmulator').then(
    ({ createSandboxEmulator }) => createSandboxEmulator(),
  ));
}

/** More records than this are worth threads, which take half a second to start. */
const fewRecords = 100;
const mostThreads = 4;

/** How many records to run at the same time: one for each thread, and one that is being prepared. */
export const recordsAtOnce = mostThreads + 1;

/** The emulator for a number of records. */
export async function engineFor(records: number): Promise<RecordEmulator> {
  return records <= fewRecords
    ? engineHere()
    : (engines().pool ??= import('../toolkit/execution/emulator/createEmulatorPool').then(
        ({ createEmulatorPool }) => createEmulatorPool(Math.min(mostThreads, availableParallelism())),
      ));
}
