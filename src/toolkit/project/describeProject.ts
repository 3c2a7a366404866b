import { posix } from 'node:path';
import { toWorkbenchError, WorkbenchError } from '../errors';
import type {
  DescribedContract,
  ProjectDescription,
  ProjectFolder,
  ProjectProblem,
} from './projectDescription';
import { readActonConfig } from './readActonConfig';
import { compileFileEnding, readCompileFile } from './readCompileFile';
import { readTactConfig } from './readTactConfig';

/** Where Blueprint looks for its build files. */
const compileFolders = ['wrappers', 'compilables'];
/** With `recursiveWrappers`, it looks into their folders, too. */
const mostCompileFolders = 200;

/**
 * What the files of the project around a source say: of the nearest folder that `Acton.toml`, `tact.config.json`, or
 * Blueprint's build files describe. Files are read, none is run, and a broken one costs only what it says.
 *
 * @param path of a source, absolute, with forward slashes
 * @returns a plain project if nothing describes it: of the nearest package, else of the source's folder
 */
export function describeProject(path: string, folder: ProjectFolder): ProjectDescription {
  let nearest: string | undefined;
  for (let root = posix.dirname(path); ; root = posix.dirname(root)) {
    const found = describeFolder(root, folder);
    if (found !== undefined) {
      return found;
    }
    nearest ??= textOf(posix.join(root, 'package.json'), folder.read, []) === undefined ? undefined : root;
    if (root === posix.dirname(root)) {
      return {
        ...{ root: nearest ?? posix.dirname(path), kind: 'plain' },
        ...{ contracts: [], mappings: {}, problems: [] },
      };
    }
  }
}

/** What the files in a folder say about the project there; undefined if nothing describes one. */
function describeFolder(root: string, { read, list }: ProjectFolder): ProjectDescription | undefined {
  const problems: ProjectProblem[] = [];
  const inFile = <Found extends { problems: readonly ProjectProblem[] }>(
    file: string,
    understand: (text: string, path: string) => Found,
  ): Found | undefined => {
    const text = textOf(file, read, problems);
    const found = text === undefined ? undefined : understand(text, file);
    problems.push(...(found?.problems ?? []));
    return found;
  };
  const acton = inFile(posix.join(root, 'Acton.toml'), readActonConfig);
  const tact = inFile(posix.join(root, 'tact.config.json'), readTactConfig);
  const blueprint = compileFiles(root, list).flatMap(
    (file) => inFile(file, (text, path) => readCompileFile(text, path, root))?.contracts ?? [],
  );
  const kind =
    acton !== undefined
      ? 'Acton'
      : blueprint.length > 0
        ? 'Blueprint'
        : tact !== undefined
          ? 'Tact'
          : undefined;
  if (kind === undefined && problems.length === 0) {
    return undefined;
  }
  return {
    ...{ root, kind: kind ?? 'plain', problems },
    contracts: [
      ...(acton?.contracts ?? []),
      ...(tact?.contracts ?? []),
      ...withTact(blueprint, tact?.contracts ?? []),
    ],
    mappings: acton?.mappings ?? {},
  };
}

function compileFiles(root: string, list: ProjectFolder['list']): string[] {
  const folders = compileFolders.map((one) => posix.join(root, one));
  const found: string[] = [];
  for (const folder of folders) {
    for (const name of list(folder)) {
      const at = posix.join(folder, name.replace(/\/$/, ''));
      if (name.endsWith('/') && folders.length < mostCompileFolders) {
        folders.push(at);
      } else if (name.endsWith(compileFileEnding)) {
        found.push(at);
      }
    }
  }
  return found;
}

/** For Blueprint, the entry of a name in `tact.config.json` takes precedence over the name's own file. */
function withTact(
  blueprint: readonly DescribedContract[],
  tact: readonly DescribedContract[],
): DescribedContract[] {
  return blueprint.filter(({ name }) => !tact.some((one) => one.name === name));
}

/** undefined if there is no such file; one that cannot be read is a problem. */
function textOf(path: string, read: ProjectFolder['read'], problems: ProjectProblem[]): string | undefined {
  try {
    return read(path);
  } catch (error) {
    if (WorkbenchError.is(error, 'over-limit')) {
      problems.push({ path, line: 1, error: toWorkbenchError(error) });
    }
    return undefined;
  }
}
