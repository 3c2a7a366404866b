import { coverAll, leftOutNotes } from '../toolkit/replay/coverAll';
import type { SourceCoverage } from '../toolkit/sourceMap/coverageBook';
import { CoverageBook } from '../toolkit/sourceMap/coverageBook';
import { lcovText } from '../toolkit/sourceMap/lcovText';
import { coverRecord } from '../toolkit/testRuns/coverRecord';
import { treasuryCode } from '../toolkit/testRuns/describeRecord';
import type { TestRecording } from '../toolkit/testRuns/testRecording';
import { shownFile, sourceMapHere } from './linesHere';
import { engineFor, recordsAtOnce, runOpened } from './openRecord';
import { writeNote } from './output';
import { writeWholeFile } from './writeWholeFile';

/** What all tests ran of the sources. */
export interface TestsCoverage {
  files: readonly SourceCoverage[];
  /** Sentences about what is not counted. */
  notes: readonly string[];
}

/**
 * Runs everything again that tests ran, and counts which lines that is.
 *
 * @param recordings by the names of their files
 */
export async function coverTests(recordings: ReadonlyMap<string, TestRecording>): Promise<TestsCoverage> {
  const book = new CoverageBook();
  const runs = [...recordings.values()].flatMap((recording) =>
    recording.records.map((record) => ({ recording, record })),
  );
  let wallets = 0;
  const emulator = await engineFor(runs.length);
  const tally = await coverAll(
    runs,
    async (run) =>
      coverRecord(await runOpened(run, emulator), async (deployed) => {
        if (deployed.codeHash === treasuryCode) {
          wallets += 1;
          return undefined;
        }
        const { map } = await sourceMapHere(deployed, undefined, true);
        if (map !== undefined) {
          book.addMap(map);
        }
        return map;
      }),
    book,
    { atOnce: recordsAtOnce },
  );
  const own = `${tally.covered} of ${tally.asked - wallets} records of the project ran code with source lines.`;
  const others = { ...tally, noLines: tally.noLines - wallets };
  return { files: book.files(), notes: [...leftOutNotes(others, 'record'), own] };
}

/**
 * Writes which lines all tests ran, in the format of lcov.
 *
 * @throws WorkbenchError `report-unwritable` (input)
 */
export async function writeTestsCoverage(
  recordings: ReadonlyMap<string, TestRecording>,
  lcov: string,
): Promise<void> {
  const { files, notes } = await coverTests(recordings);
  await writeWholeFile('coverage', lcov, lcovText(files, shownFile));
  notes.forEach(writeNote);
}
