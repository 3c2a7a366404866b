import type { Dirent } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProjectContract } from '../toolkit/abi/projectContract';
import { isExcludedFolder, isProjectFile } from '../toolkit/abi/projectFiles';
import type { ProjectFile } from '../toolkit/abi/readProject';
import type { LayoutSet } from '../toolkit/layouts/cellLayout';
import { isLayoutFile } from '../toolkit/layouts/layoutFiles';
import { limits } from '../toolkit/limits';

/** What the root of a project holds. */
const rootFiles = ['package.json', '.git', 'Acton.toml', 'tact.config.json', 'blueprint.config.ts'];

/**
 * The contracts of the project that a file belongs to: of the nearest folder above it that looks like the root of one, else
 * of the file's own folder. What the editor knows from its workspace, so that a sheet reads the same in both.
 */
export async function readProjectOf(file: string): Promise<ProjectContract[]> {
  const { readProject } = await import('../toolkit/abi/readProject');
  const folder = path.dirname(path.resolve(file));
  return readProject(await readFiles((await rootOf(folder)) ?? folder, isProjectFile));
}

/** What the project around a folder tells: its contracts, and the layouts of their messages. */
export interface ProjectAround {
  contracts: () => Promise<ProjectContract[]>;
  layouts: () => Promise<LayoutSet[]>;
}

/** The project around a folder, read when it is first asked for; a folder in no project tells nothing. */
export function projectAround(folder: string): ProjectAround {
  const read = async (takes: (name: string) => boolean): Promise<ProjectFile[]> => {
    const root = await rootOf(path.resolve(folder));
    return root === undefined ? [] : readFiles(root, takes);
  };
  let contracts: Promise<ProjectContract[]> | undefined;
  let layouts: Promise<LayoutSet[]> | undefined;
  return {
    contracts: () =>
      (contracts ??= read(isProjectFile).then(async (files) => {
        const { readProject } = await import('../toolkit/abi/readProject');
        return readProject(files);
      })),
    layouts: () => (layouts ??= read(isLayoutFile).then(readAll)),
  };
}

/** A file that cannot be read as one of layouts tells nothing. */
async function readAll(files: readonly ProjectFile[]): Promise<LayoutSet[]> {
  const { readLayouts } = await import('../toolkit/layouts/readLayouts');
  const sets = await Promise.all(
    files.map(async ({ path: name, text }) => {
      try {
        return await readLayouts(name, text);
      } catch {
        return undefined;
      }
    }),
  );
  return sets.filter((set) => set !== undefined).sort((a, b) => a.origin.localeCompare(b.origin));
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
async function readFiles(root: string, takes: (name: string) => boolean): Promise<ProjectFile[]> {
  const files: ProjectFile[] = [];
  const folders = [''];
  for (const folder of folders) {
    for (const entry of await list(path.join(root, folder))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !isExcludedFolder(entry.name)) {
        folders.push(name);
      } else if (entry.isFile() && takes(name) && files.length < limits.projectFiles.most) {
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
