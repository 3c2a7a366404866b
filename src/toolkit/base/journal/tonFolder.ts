import * as fs from 'node:fs';
import path from 'node:path';

/** The folder in a project for what programs tell each other about it: where its network is, what was compiled. */
export const tonFolder = '.ton';

/**
 * Writes a file into a project's `.ton` folder, in one step for every reader, and a `.gitignore` that excludes
 * the folder from git. A `.ton` that is a link to another location is left alone.
 * @throws the file system's errors, for example if the project is read-only
 */
export function writeTonFile(project: string, name: string, content: string): void {
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
  fs.renameSync(fresh, path.join(folder, name));
}
