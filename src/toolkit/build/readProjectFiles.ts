import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isExcludedFolder, isProjectFile, projectFileLimit } from '../contracts/abi/projectFile';
import type { ProjectFile } from '../contracts/abi/projectFile';
import { WorkbenchError } from '../base/errors';
import { limits, overLimitError } from '../base/limits';
import { readUserFile } from '../base/readUserFile';
import type { ReadUserFileOptions } from '../base/readUserFile';

/** The files that describe the contracts of a folder. */
export interface ProjectFiles {
  files: ProjectFile[];
  /** What was left out because of a limit. */
  problems: WorkbenchError[];
}

/**
 * Reads the files that describe a folder's contracts, those of the nearest folders first, up to the maximum number. What
 * cannot be read is left out.
 *
 * @param only the folders that are searched in the root; default: all
 */
export async function readProjectFiles(root: string, only?: readonly string[]): Promise<ProjectFiles> {
  const files: ProjectFile[] = [];
  const problems: WorkbenchError[] = [];
  let folders = [''];
  while (folders.length > 0) {
    const lists = await Promise.all(folders.map((folder) => list(path.join(root, folder))));
    const next: string[] = [];
    for (const [place, folder] of folders.entries()) {
      for (const entry of lists[place] ?? []) {
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory() && !isExcludedFolder(entry.name)) {
          next.push(...(folder !== '' || only === undefined || only.includes(name) ? [name] : []));
        } else if (entry.isFile() && isProjectFile(name)) {
          if (files.length === limits.projectFiles.most) {
            problems.push(overLimitError('projectFiles', { what: `The project ${root}` }));
            return { files, problems };
          }
          files.push(...readProjectFile(root, name, {}, (error) => problems.push(error)));
        }
      }
    }
    folders = next;
  }
  return { files, problems };
}

/**
 * One file by its name in the root; none if it cannot be read. A BoC is binary: its text is base64.
 * @param onProblem is told of one that is over a limit
 */
export function readProjectFile(
  root: string,
  name: string,
  options: ReadUserFileOptions = {},
  onProblem: (error: WorkbenchError) => void = () => {},
): ProjectFile[] {
  try {
    const bytes = readUserFile(path.join(root, name), projectFileLimit(name), options);
    const isBinary = name.endsWith('.boc') && bytes[0] === 0xb5;
    return [{ path: name, text: bytes.toString(isBinary ? 'base64' : 'utf8') }];
  } catch (error) {
    if (WorkbenchError.is(error)) {
      onProblem(error);
    }
    return [];
  }
}

async function list(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
