import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { junitReport } from '../toolkit/callSheet/junitReport';
import type { JunitSuite } from '../toolkit/callSheet/junitReport';
import { unwritableError, writeWholeFile } from './writeWholeFile';
import { pathHere } from './surroundings';

/**
 * Checks before a run that its report can be written.
 * @throws WorkbenchError `report-unwritable` (input)
 */
export async function checkReportFile(file: string): Promise<void> {
  try {
    await access(path.dirname(pathHere(file)), constants.W_OK);
  } catch (cause) {
    throw unwritableError('report', file, cause);
  }
  const isFolder = await stat(pathHere(file)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) {
    throw unwritableError('report', file, Object.assign(new Error('is a directory'), { code: 'EISDIR' }));
  }
}

/**
 * Writes the report atomically, so that nobody reads half of it.
 * @throws WorkbenchError `report-unwritable` (input)
 */
export async function writeReport(file: string, suites: readonly JunitSuite[]): Promise<void> {
  await writeWholeFile('report', file, junitReport(suites));
}
