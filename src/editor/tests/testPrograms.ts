import type { Cell } from '@ton/core';
import * as vscode from 'vscode';
import { shortAddress } from '../../toolkit/address/shortAddress';
import type { DebugRun } from '../../toolkit/debug/debugProgram';
import { loadAnyTransaction } from '../../toolkit/cell/loadFolded';
import { methodRun } from '../../toolkit/debug/debugProgram';
import { replayImpossibleError } from '../../toolkit/replay/replayErrors';
import { refusedInRun } from '../../toolkit/sourceMap/thrownAt';
import type { MappedSteps } from '../../toolkit/sourceMap/mapSteps';
import { mapSteps } from '../../toolkit/sourceMap/mapSteps';
import { recordPlace, recordWords, treasuryCode } from '../../toolkit/testRuns/describeRecord';
import { transactionFinder } from '../../toolkit/testRuns/findRecord';
import { checkedCell, codeBefore, recordInputs, recordedAccount } from '../../toolkit/testRuns/recordInputs';
import type { RanRecord } from '../../toolkit/testRuns/runRecord';
import type { TestRecord } from '../../toolkit/testRuns/testRecording';
import { accountName } from '../project/accountName';
import type { TargetedThread, TitledProgram } from '../debug/debugPrograms';
import { knowledgeOf, programOf, transactionThread } from '../debug/debugPrograms';
import { describeDeployed } from '../project/methodsOf';
import { linesNeedTrust } from '../project/noLinesReason';
import type { ReplayServices } from '../replay/replays';
import type { OpenRecording } from './testRecordings';

/**
 * All that a test ran, one after another; the session begins with the given record.
 *
 * @param records of the session; by default those of the same test
 */
export async function testProgram(
  services: ReplayServices,
  { recording }: OpenRecording,
  record: TestRecord,
  records: readonly TestRecord[] = recording.records.filter(({ test }) => test === record.test),
): Promise<TitledProgram> {
  const names = await recordNames(services, recording, records);
  const known = accountName(services);
  const nameOf = (address: string): string | undefined => names.get(address) ?? known(address);
  const threadOf = (one: TestRecord, order: number): TargetedThread => {
    const account = recordedAccount(one);
    const what = one.kind === 'message' && one.transaction !== undefined ? '' : `: ${recordWords(one)}`;
    const name = `${order + 1} ${nameOf(account) ?? shortAddress(account)}${what}`;
    return one.kind === 'get' || one.transaction === undefined
      ? {
          ...{ name, account },
          again: () => undefined,
          load: (signal) => otherRun(services, recording, one, name, signal),
        }
      : {
          ...transactionThread(services, name, nameOf, () => ({
            inputs: recordInputs(recording, one),
            requests: 0,
          })),
          account,
        };
  };
  const threads = records.map(threadOf);
  const recordOf = transactionFinder(recording, record);
  const first = Math.max(0, records.indexOf(record));
  return {
    title: record.test ?? threads[first]?.name ?? 'test',
    program: {
      ...programOf(threads, first, nameOf),
      // Such as those of a set-up before the test.
      open: (hash) => {
        const found = recordOf(hash);
        return found && threadOf(found, found.n - 1);
      },
      writtenIn: (hash) => {
        const found = recordOf(hash);
        return found && recordPlace(recording, found);
      },
    },
  };
}

/** The names of the accounts of records: those of the test for its wallets, else by their codes as the workspace knows them. */
export async function recordNames(
  { project }: Pick<ReplayServices, 'project'>,
  recording: OpenRecording['recording'],
  records: readonly TestRecord[],
): Promise<Map<string, string>> {
  const codes = new Map<string, Cell>();
  const blobs = new Map<string, Cell>();
  for (const record of records) {
    const code = codeOf(recording, record, blobs);
    if (code !== undefined) {
      codes.set(recordedAccount(record), code);
    }
  }
  const names = new Map(recording.wallets);
  const counts = new Map<string, number>();
  for (const [account, code] of codes) {
    if (names.has(account)) {
      continue;
    }
    const codeHash = code.hash().toString('hex');
    const isTreasury = codeHash === treasuryCode;
    // Without it, a source that nothing has compiled yet gives no name.
    await (isTreasury ? undefined : project.findSource({ codeHash, code }));
    const name = isTreasury ? 'treasury' : (await describeDeployed(project, { codeHash })).name;
    if (name !== undefined) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      names.set(account, count === 1 ? name : `${name} ${count}`);
    }
  }
  return names;
}

/** @param blobs the codes that get-methods name, which are read once */
function codeOf(
  recording: OpenRecording['recording'],
  record: TestRecord,
  blobs: Map<string, Cell>,
): Cell | undefined {
  if (record.kind !== 'get') {
    const { transaction } = record;
    const deployed = (): Cell | null | undefined =>
      transaction === undefined
        ? undefined
        : loadAnyTransaction(checkedCell(transaction)).inMessage?.init?.code;
    return codeBefore(record)?.code ?? deployed() ?? undefined;
  }
  const known = blobs.get(record.code) ?? checkedCell(recording.blob(record.code));
  blobs.set(record.code, known);
  return known;
}

/** A record that ran again, with its lines. */
export interface RanWithLines {
  ran: RanRecord;
  lines: MappedSteps | undefined;
}

/**
 * Runs a record again in the emulator's thread, with the lines of its source.
 *
 * @throws WorkbenchError as `runRecord`
 */
export async function runRecordWithLines(
  { replays, project }: Pick<ReplayServices, 'replays' | 'project'>,
  recording: OpenRecording['recording'],
  record: TestRecord,
  signal: AbortSignal,
): Promise<RanWithLines> {
  const { runRecord } = await import('../../toolkit/testRuns/runRecord');
  const ran = await replays.withEmulator(signal, (emulator) => runRecord(recording, record, emulator));
  const { deployed, recording: steps } = ran;
  await project.findSource(deployed);
  const map = deployed.codeHash === undefined ? undefined : await project.lines(deployed.codeHash);
  return { ran, lines: steps === undefined || map === undefined ? undefined : mapSteps(steps, map) };
}

/** A get-method, or a message that was not accepted, as a debug session shows it. */
async function otherRun(
  services: ReplayServices,
  recording: OpenRecording['recording'],
  record: TestRecord,
  title: string,
  signal: AbortSignal,
): Promise<DebugRun> {
  const { ran, lines } = await runRecordWithLines(services, recording, record, signal);
  const { description, storage } = await knowledgeOf(services, ran.deployed);
  if (ran.recording === undefined) {
    throw replayImpossibleError('No code ran.');
  }
  const words = recordWords(record, description, lines?.map);
  const run = methodRun(
    { recording: ran.recording, lines, inputs: { data: ran.data } },
    { title, exits: description, storage },
  );
  const notes =
    lines !== undefined ? refusedInRun(lines) : vscode.workspace.isTrusted ? [] : [linesNeedTrust];
  const refused = record.kind === 'get' ? undefined : recordPlace(recording, record);
  return { ...run, refused, cause: words, notes: [...new Set([...notes, ...run.notes])] };
}
