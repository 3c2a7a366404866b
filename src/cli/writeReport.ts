import { randomUUID } from 'node:crypto';
import { access, constants, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { junitReport } from '../toolkit/callSheet/junitReport';
import type { JunitSuite } from '../toolkit/callSheet/junitReport';
import { WorkbenchError } from '../toolkit/errors';
import { fileProblem } from './fileError';

/**
 * Checks before a run that its report can be written.
 * @throws WorkbenchError `report-unwritable` (input)
 */
export async function checkReportFile(file: string): Promise<void> {
  try {
    await access(path.dirname(path.resolve(file)), constants.W_OK);
  } catch (cause) {
    throw unwritable(file, cause);
  }
  const isFolder = await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) {
    throw unwritable(file, Object.assign(new Error('is a directory'), { code: 'EISDIR' }));
  }
}

/**
 * Writes the report atomically, so that nobody reads half of it.
 * @throws WorkbenchError `report-unwritable` (input)
 */
export async function writeReport(file: string, suites: readonly JunitSuite[]): Promise<void> {
  const fresh = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(fresh, junitReport(suites));
    await rename(fresh, file);
  } catch (cause) {
    await rm(fresh, { force: true });
    throw unwritable(file, cause);
  }
}

function unwritable(file: string, cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'report-unwritable',
    kind: 'input',
    message: `The report ${JSON.stringify(file)} cannot be written: it ${fileProblem(cause)}.`,
    hint: 'Give a file in a folder that exists and may be written to.',
    cause,
  });
}
