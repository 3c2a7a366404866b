import { readdirSync } from 'node:fs';
import { projectFileLimit } from '../contracts/abi/projectFile';
import { WorkbenchError } from '../base/errors';
import type { ReadUserFileOptions } from '../base/readUserFile';
import { readProblem, readUserText } from '../base/readUserFile';

/** What a source is compiled with. */
export interface CompileRequest {
  /** Texts to use instead of the files, by path. */
  unsaved?: Readonly<Record<string, string>>;
  /** Whether compilers in the project's own `node_modules` may run. */
  isTrusted: boolean;
  /** The folder that every file that is read must be in, after links are followed; undefined for any. */
  inside?: string | undefined;
  /** The program `acton`, for Tolk of trusted projects that have no compiler of their own. */
  acton?: string | undefined;
}

/** Reads texts as a compilation does: by path; throws if there is none. */
export function requestReader({ unsaved = {}, inside }: CompileRequest): (path: string) => string {
  return (name) => unsaved[name] ?? readText(name, inside === undefined ? {} : { inside });
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
function readText(path: string, options: ReadUserFileOptions): string {
  try {
    return readUserText(path, projectFileLimit(path), options);
  } catch (cause) {
    if (WorkbenchError.is(cause)) {
      throw cause;
    }
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Error(isMissing ? `there is no file ${path}` : `${path} ${readProblem(cause)}`, { cause });
  }
}
