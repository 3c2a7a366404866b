import { readdirSync } from 'node:fs';
import { projectFileLimit } from '../contracts/abi/projectFile';
import { WorkbenchError } from '../base/errors';
import { readUserText } from '../base/readUserFile';

/** What a source is compiled with. */
export interface CompileRequest {
  /** Texts to use instead of the files, by path. */
  unsaved?: Readonly<Record<string, string>>;
  /** Whether compilers in the project's own `node_modules` may run. */
  isTrusted: boolean;
  /** The program `acton`, for Tolk of trusted projects that have no compiler of their own. */
  acton?: string | undefined;
}

/** Reads texts as a compilation does: by path; throws if there is none. */
export function requestReader({ unsaved = {} }: CompileRequest): (path: string) => string {
  return (name) => unsaved[name] ?? readText(name);
}

/** What is in a folder, those that are folders with `/` at the end; none if it cannot be read. */
export function listFolder(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  } catch {
    return [];
  }
}

/** Compilers print the error as it is, beside the line that imports the file. */
function readText(path: string): string {
  try {
    return readUserText(path, projectFileLimit(path));
  } catch (cause) {
    if (WorkbenchError.is(cause)) {
      throw cause;
    }
    const { code = '' } = cause as NodeJS.ErrnoException;
    const problem =
      code === 'ENOTFILE' ? `${path} is a device or a pipe, not a file` : `${path} cannot be read (${code})`;
    throw new Error(code === 'ENOENT' ? `there is no file ${path}` : problem, { cause });
  }
}
