import * as fs from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder of the user's own, with its parents. By hand: Node's own `recursive` never ends where a file system allows
 * no folders, as in /proc.
 * @throws the file system's errors
 */
export function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(folder);
    if (code === 'ENOENT' && parent !== folder && !fs.existsSync(parent)) {
      makeFolder(parent);
      fs.mkdirSync(folder, { mode: 0o700 });
    } else if (code !== 'EEXIST' || !fs.statSync(folder).isDirectory()) {
      throw error;
    }
  }
}
