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
  const whole = pathHere(file);
  const found = await stat(whole).catch(() => undefined);
  try {
    await access(found === undefined ? path.dirname(whole) : whole, constants.W_OK);
  } catch (cause) {
    throw unwritableError('report', file, cause);
  }
  if (found?.isDirectory() === true) {
    throw unwritableError('report', file, Object.assign(new Error('is a directory'), { code: 'EISDIR' }));
  }
}

/**
 * Writes the report.
 * @throws WorkbenchError `report-unwritable` (input)
 */
export async function writeReport(file: string, suites: readonly JunitSuite[], of?: string): Promise<void> {
  await writeWholeFile('report', file, junitReport(suites, of));
}
