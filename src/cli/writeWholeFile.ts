import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { WorkbenchError } from '../toolkit/errors';
import { fileProblem } from './fileError';
import { pathHere } from './surroundings';

/**
 * Writes a file atomically, so that nobody reads half of it.
 * @param what its role, for the error: `report`
 * @throws WorkbenchError `report-unwritable` (input)
 */
export async function writeWholeFile(what: string, file: string, text: string): Promise<void> {
  const whole = pathHere(file);
  const fresh = `${whole}.${randomUUID()}.tmp`;
  try {
    await writeFile(fresh, text);
    await rename(fresh, whole);
  } catch (cause) {
    await rm(fresh, { force: true });
    throw unwritableError(what, file, cause);
  }
}

/** `report-unwritable` (input), with the reason. */
export function unwritableError(what: string, file: string, cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'report-unwritable',
    kind: 'input',
    message: `The ${what} ${JSON.stringify(file)} cannot be written: it ${fileProblem(cause)}.`,
    hint: 'Give a file in a folder that exists and may be written to.',
    cause,
  });
}
