import { coverAll, leftOutNotes } from '../toolkit/replay/coverAll';
import { CoverageBook } from '../toolkit/sourceMap/coverageBook';
import { lcovText } from '../toolkit/sourceMap/lcovText';
import { coverRecord } from '../toolkit/testRuns/coverRecord';
import type { TestRecording } from '../toolkit/testRuns/testRecording';
import { shownFile, sourceMapHere } from './linesHere';
import { runOpened } from './openRecord';
import { writeNote } from './output';
import { writeWholeFile } from './writeWholeFile';

/**
 * Runs everything again that tests ran, and writes which lines that is, in the format of lcov.
 *
 * @param recordings by the names of their files
 * @throws WorkbenchError `report-unwritable` (input)
 */
export async function coverTests(
  recordings: ReadonlyMap<string, TestRecording>,
  lcov: string,
): Promise<void> {
  const book = new CoverageBook();
  const runs = [...recordings.values()].flatMap((recording) =>
    recording.records.map((record) => ({ recording, record })),
  );
  const tally = await coverAll(
    runs,
    async (run) =>
      coverRecord(await runOpened(run), async (deployed) => {
        const { map } = await sourceMapHere(deployed, undefined, true);
        if (map !== undefined) {
          book.addMap(map);
        }
        return map;
      }),
    book,
  );
  await writeWholeFile('coverage', lcov, lcovText(book.files(), shownFile));
  leftOutNotes(tally, 'record').forEach(writeNote);
  writeNote(`${tally.covered} of ${tally.asked} records ran code with source lines.`);
}
