import type { Dirent } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProjectContract } from '../toolkit/abi/projectContract';
import { isExcludedFolder, isProjectFile } from '../toolkit/abi/projectFiles';
import type { ProjectFile } from '../toolkit/abi/readProject';
import { limits } from '../toolkit/limits';

/** What the root of a project holds. */
const rootFiles = ['package.json', '.git', 'Acton.toml', 'tact.config.json', 'blueprint.config.ts'];

/** Of a folder in no project, so many levels below it are read: it may be anything, a home for example. */
const levelsOutside = 2;

/**
 * The contracts of the project that a file belongs to: of the nearest folder above it that looks like the root of one, else
 * of the file's own folder. What the editor knows from its workspace, so that a sheet reads the same in both.
 */
export function readProjectOf(file: string): Promise<ProjectContract[]> {
  return projectAround(path.dirname(path.resolve(file)))();
}

/** The contracts of the project around a folder, read when first asked for; in no project, those of the folder itself. */
export function projectAround(folder: string): () => Promise<ProjectContract[]> {
  let contracts: Promise<ProjectContract[]> | undefined;
  const read = async (): Promise<ProjectContract[]> => {
    const resolved = path.resolve(folder);
    const root = await rootOf(resolved);
    const { readProject } = await import('../toolkit/abi/readProject');
    return readProject(await (root === undefined ? readFiles(resolved, levelsOutside) : readFiles(root)));
  };
  return () => (contracts ??= read());
}

async function rootOf(folder: string): Promise<string | undefined> {
  for (let one = folder; ; one = path.dirname(one)) {
    if ((await Promise.all(rootFiles.map((name) => exists(path.join(one, name))))).includes(true)) {
      return one;
    }
    if (path.dirname(one) === one) {
      return undefined;
    }
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Folder by folder, the nearest first, until there are as many as one project has at most. */
async function readFiles(root: string, levels = Infinity): Promise<ProjectFile[]> {
  const files: ProjectFile[] = [];
  const folders = [''];
  for (const folder of folders) {
    const depth = folder === '' ? 0 : folder.split('/').length;
    for (const entry of await list(path.join(root, folder))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !isExcludedFolder(entry.name)) {
        folders.push(...(depth < levels ? [name] : []));
      } else if (entry.isFile() && isProjectFile(name) && files.length < limits.projectFiles.most) {
        files.push(...(await readOne(root, name)));
      }
    }
    if (files.length >= limits.projectFiles.most) {
      break;
    }
  }
  return files;
}

/** What cannot be read tells nothing; the call is made all the same. */
async function list(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readOne(root: string, name: string): Promise<ProjectFile[]> {
  const file = path.join(root, name);
  try {
    return (await stat(file)).size > limits.projectFileBytes.most
      ? []
      : [{ path: name, text: await readFile(file, 'utf8') }];
  } catch {
    return [];
  }
}
