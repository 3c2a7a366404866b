import * as fs from 'node:fs';
import path from 'node:path';

/** The folder in a project for what programs tell each other about it: where its network is, what was compiled. */
export const tonFolder = '.ton';

/**
 * Writes a file into a project's `.ton` folder, in one step for every reader, and a `.gitignore` that excludes
 * the folder from git. A `.ton` that is a link to another location is left alone.
 * @param options `isNew`: fail with `EEXIST` if the file is there, whoever made it in the meantime
 * @throws the file system's errors, for example if the project is read-only
 */
export function writeTonFile(
  project: string,
  name: string,
  content: string,
  { isNew = false }: { isNew?: boolean } = {},
): void {
  const folder = path.join(project, tonFolder);
  fs.mkdirSync(folder, { recursive: true });
  if (!fs.lstatSync(folder).isDirectory()) {
    throw new Error(`${folder} is a link`);
  }
  try {
    fs.writeFileSync(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
  const fresh = path.join(folder, `${name}.${process.pid}.tmp`);
  fs.rmSync(fresh, { force: true });
  fs.writeFileSync(fresh, content, { flag: 'wx' });
  if (!isNew) {
    fs.renameSync(fresh, path.join(folder, name));
    return;
  }
  try {
    fs.linkSync(fresh, path.join(folder, name));
  } finally {
    fs.rmSync(fresh, { force: true });
  }
}

/** Names of the files in a project's `.ton` folder; none if there is no such folder. */
export function listTonFiles(project: string): string[] {
  try {
    return fs.readdirSync(path.join(project, tonFolder));
  } catch {
    return [];
  }
}

/** Removes a file from a project's `.ton` folder; one that is not there is no problem. */
export function removeTonFile(project: string, name: string): void {
  fs.rmSync(path.join(project, tonFolder, name), { force: true });
}
