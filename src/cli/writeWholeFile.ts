import { access } from 'node:fs/promises';
import { WorkbenchError } from '../toolkit/base/errors';
import { writeUserFile } from '../toolkit/base/writeUserFile';
import { writeProblem } from './fileError';
import { pathHere } from './surroundings';

/**
 * Writes a file of the user's, as {@link writeUserFile}.
 * @param what its role, for the error: `report`
 * @throws WorkbenchError `report-unwritable` (input)
 */
export async function writeWholeFile(what: string, file: string, text: string): Promise<void> {
  try {
    await writeUserFile(pathHere(file), text);
  } catch (cause) {
    throw unwritableError(what, file, cause);
  }
}

/** `report-unwritable` (input), with the reason. */
export function unwritableError(what: string, file: string, cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'report-unwritable',
    kind: 'input',
    message: `The ${what} ${JSON.stringify(file)} cannot be written: ${writeProblem(cause)}.`,
    hint: 'Give a file in a folder that exists and may be written to.',
    cause,
  });
}

/** Whether there is a file or folder. */
export function pathExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * The number of --limit.
 * @throws WorkbenchError `usage` (input) if it is not one from 1 to 1000
 */
export async function limitOption(text: string): Promise<number> {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 1000) {
    return count;
  }
  const { WorkbenchError } = await import('../toolkit/base/errors');
  throw new WorkbenchError({
    code: 'usage',
    kind: 'input',
    message: `--limit ${JSON.stringify(text)} is not a number from 1 to 1000.`,
  });
}
