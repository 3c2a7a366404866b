import { posix } from 'node:path';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import type {
  DescribedContract,
  ProjectDescription,
  ProjectFolder,
  ProjectProblem,
} from './projectDescription';
import { lineOfOffset, projectProblem } from './projectDescription';
import { readActonConfig } from './readActonConfig';
import { compileFileEnding, readCompileFile } from './readCompileFile';

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

interface TactProject {
  name?: unknown;
  path?: unknown;
  output?: unknown;
  options?: unknown;
}

/**
 * Reads `tact.config.json`: its projects with their options. Without options, the compiler gives other code than with empty
 * ones, so what is absent stays absent.
 * @param path of the file
 */
function readTactConfig(text: string, path: string): Pick<ProjectDescription, 'contracts' | 'problems'> {
  const root = posix.dirname(path);
  let projects: unknown;
  try {
    ({ projects } = JSON.parse(text) as { projects?: unknown });
  } catch (cause) {
    return { contracts: [], problems: [invalidJson(text, path, cause)] };
  }
  if (!Array.isArray(projects)) {
    const message = 'the list of projects is missing';
    return { contracts: [], problems: [projectProblem(path, 1, { code: 'project-file-invalid', message })] };
  }
  const contracts = (projects as (TactProject | null)[]).flatMap((one): DescribedContract[] => {
    const { name, path: source, output, options } = one ?? {};
    if (typeof source !== 'string') {
      return [];
    }
    const title = typeof name === 'string' ? name : posix.basename(source, '.tact');
    return [
      {
        ...{ name: title, title, depends: [], describedIn: path, notes: [] },
        targets: [posix.resolve(root, source)],
        options: typeof options === 'object' && options !== null ? { tact: options } : {},
        // Tact names the packages after this and the contracts in the source.
        artifacts: typeof output === 'string' ? [posix.resolve(root, output)] : [],
      },
    ];
  });
  return { contracts, problems: [] };
}

/** The engine names the place in one of two ways. */
function invalidJson(text: string, path: string, cause: unknown): ProjectProblem {
  const said = cause instanceof Error ? cause.message : String(cause);
  const [, offset] = /at position (\d{1,9})/.exec(said) ?? [];
  const isEnd = /end of JSON input/.test(said);
  const line = lineOfOffset(text, isEnd ? text.length : Number(offset ?? 0));
  const message = `it is not JSON: ${said.replace(/ in JSON at position.*| \(line \d+ column \d+\)$/s, '')}`;
  return projectProblem(path, line, { code: 'project-file-invalid', message, cause });
}
