import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The program `acton`, which compiles Tolk where a project has no compiler of its own.
 * @param searchPath the variable PATH; folders that are not absolute are left out, for they may be a project's
 */
export function findActon(searchPath: string | undefined): string | undefined {
  const names = process.platform === 'win32' ? ['acton.exe'] : ['acton'];
  const folders = (searchPath ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
