import type * as vscode from 'vscode';
import { abortedError } from '../../toolkit/base/errors';
import { coverAll, leftOutNotes } from '../../toolkit/replay/coverAll';
import { CoverageBook } from '../../toolkit/sourceMap/coverageBook';
import type { SourceMap } from '../../toolkit/sourceMap/sourceMap';
import { isOwnFile } from '../../toolkit/sourceMap/sourceMap';
import { treasuryCode } from '../../toolkit/testRuns/describeRecord';
import { coverRecord } from '../../toolkit/testRuns/coverRecord';
import { fileCoverage } from '../coverage/coverageRuns';
import type { ReplayServices } from '../replay/replays';
import type { FinishedTests } from './testExplorer';
import type { TestRecordings } from './testRecordings';

/**
 * Runs again what tests ran, get-methods included, and shows in the editor's coverage view which lines and branches of
 * Tolk, FunC, and Tact that was.
 *
 * @throws WorkbenchError `aborted`
 */
export async function coverTestRuns(
  { replays, project }: ReplayServices,
  known: TestRecordings,
  run: vscode.TestRun,
  { runs, signal }: FinishedTests,
): Promise<void> {
  const book = new CoverageBook();
  const maps = new Map<string, Promise<SourceMap | undefined>>();
  const found = await Promise.all(
    runs.flatMap(({ recordings, folder }) =>
      recordings.map((name) =>
        known.find({ recording: `${folder}/${name}`, record: 1 }).catch(() => undefined),
      ),
    ),
  );
  const records = found.flatMap((one) =>
    (one?.open.recording.records ?? []).map((record) => ({ recording: one!.open.recording, record })),
  );
  let wallets = 0;
  const { runRecord } = await import('../../toolkit/testRuns/runRecord');
  const tally = await replays.withEmulator(signal, async (emulator) =>
    coverAll(
      records,
      async ({ recording, record }) => {
        if (signal.aborted) {
          throw abortedError(signal.reason);
        }
        return coverRecord(await runRecord(recording, record, emulator), async (deployed) => {
          const { codeHash } = deployed;
          wallets += codeHash === treasuryCode ? 1 : 0;
          if (codeHash === undefined || codeHash === treasuryCode) {
            return undefined;
          }
          const map =
            maps.get(codeHash) ?? project.findSource(deployed).then(async () => project.lines(codeHash));
          maps.set(codeHash, map);
          const lines = await map;
          if (lines !== undefined) {
            book.addMap(lines);
          }
          return lines;
        });
      },
      book,
    ),
  );
  const files = book.files().filter(({ file }) => isOwnFile(file));
  (await Promise.all(files.map(fileCoverage))).forEach((file) => run.addCoverage(file));
  const notes = [
    `Coverage of contracts: ${tally.covered} of ${tally.asked - wallets} transactions and get-methods of the project ran code with source lines.`,
    ...leftOutNotes({ ...tally, noLines: tally.noLines - wallets }, 'record'),
  ];
  run.appendOutput(notes.map((note) => `${note}\r\n`).join(''));
}
