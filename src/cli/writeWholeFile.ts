import { WorkbenchError } from '../toolkit/errors';
import { pathHere } from './surroundings';
import { writeUserFile } from '../toolkit/writeUserFile';
import { writeProblem } from './fileError';

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
