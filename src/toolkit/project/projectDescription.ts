import { posix } from 'node:path';
import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import { fileName } from '../base/text';

/** What a source's compiler is given, as its project builds it. */
export interface Compilation {
  /** Files, the entry last; FunC files may be combined. */
  targets: readonly string[];
  options: BuildOptions;
  /** Folders of Tolk imports such as `@core/math`, by `@core`. */
  mappings: Readonly<Record<string, string>>;
  /** How the project builds it: `as pool of tact.config.json`; undefined if its files do not say. */
  as?: string;
  /** What is not as the project builds it, as sentences. */
  notes: readonly string[];
}

/** A source by itself, as where no project says how. */
export function compiledAlone(path: string): Compilation {
  return { targets: [path], options: path.endsWith('.tact') ? { tact: {} } : {}, mappings: {}, notes: [] };
}

/**
 * How a project compiles a source: as the contract whose entry it is, else as the one that includes it: combined with it in
 * FunC, imported by it in Tact. Nothing but its own text if the project does not say.
 *
 * @param path of the source, absolute, with forward slashes
 */
export function compilationOf(
  path: string,
  { contracts, mappings }: ProjectDescription,
  read: ProjectFolder['read'],
): Compilation {
  const own = contracts.filter(({ targets }) => targets.at(-1) === path);
  const around = own.length > 0 ? own : including(path, contracts, read);
  const [contract, ...others] = around;
  if (contract === undefined) {
    return { ...compiledAlone(path), mappings };
  }
  const { targets, options, describedIn, name } = contract;
  const differing = others.filter((one) => JSON.stringify(one.options) !== JSON.stringify(options));
  const names = differing.map((one) => one.name).join(', ');
  return {
    ...{ targets, options, mappings },
    as: `as ${name} in ${fileName(describedIn)}`,
    notes: [
      ...contract.notes,
      ...(names === ''
        ? []
        : [`${fileName(path)} is also built with other options, as ${names}; here it is built as ${name}.`]),
    ],
  };
}

function including(
  path: string,
  contracts: readonly DescribedContract[],
  read: ProjectFolder['read'],
): DescribedContract[] {
  const combined = contracts.filter(({ targets }) => targets.includes(path));
  if (combined.length > 0) {
    // A file that several contracts share, and one that receives no messages, is none of them.
    return combined.length === 1 && /\brecv_internal\b/.test(textOf(path, read)) ? combined : [];
  }
  return path.endsWith('.tact')
    ? contracts.filter(({ targets: [entry] }) => entry !== undefined && tactImports(entry, read).has(path))
    : [];
}

/** The files that a Tact source imports, itself included. */
export function tactImports(entry: string, read: ProjectFolder['read']): ReadonlySet<string> {
  const files = new Set([entry]);
  for (const file of files) {
    for (const [, target = ''] of textOf(file, read).matchAll(
      /^[ \t]*import[ \t]+"([^"\n]{1,1000})"[ \t]*;/gm,
    )) {
      if (files.size < limits.importedFiles.most && /^\.{1,2}\//.test(target)) {
        const named = posix.join(posix.dirname(file), target);
        files.add(/\.(?:tact|fc|func)$/.test(named) ? named : `${named}.tact`);
      }
    }
  }
  return files;
}

function textOf(path: string, read: ProjectFolder['read']): string {
  try {
    return read(path);
  } catch {
    return '';
  }
}

/** How a project's files are read: paths have forward slashes. */
export interface ProjectFolder {
  /** Returns a file's text by path, or throws. */
  read: (path: string) => string;
  /** The names of what is in a folder, those of folders with `/` at the end; none if there is no such folder. */
  list: (folder: string) => readonly string[];
}

/** What a project's own files say about it. All paths are absolute, with forward slashes. */
export interface ProjectDescription {
  root: string;
  /** By the tool that builds it; a plain project has none that is known. */
  kind: 'Acton' | 'Blueprint' | 'Tact' | 'plain';
  contracts: readonly DescribedContract[];
  /** Folders of Tolk imports such as `@core/math`, by `@core`. */
  mappings: Readonly<Record<string, string>>;
  /** What is wrong with its files. Each costs only what it is about. */
  problems: readonly ProjectProblem[];
}

/** A contract as its project describes it. */
export interface DescribedContract {
  name: string;
  /** Name for people; the same as `name` where none is given. */
  title: string;
  /** What the compiler is given, the contract's own file last; FunC files may be combined. */
  targets: readonly string[];
  /** The source that declares the types of a contract whose code is given. */
  types?: string;
  options: BuildOptions;
  /** The names of the contracts that must be built before. */
  depends: readonly string[];
  /** Where its build is written, most telling first; the files need not exist. */
  artifacts: readonly string[];
  /** The file that describes it. */
  describedIn: string;
  /** What that file says that is not followed here, as sentences. */
  notes: readonly string[];
}

/** The options that a project's own build gives the compiler; what is absent is left to the compiler. */
interface BuildOptions {
  /** Of Tolk and FunC. */
  optimizationLevel?: number;
  /** Of Tolk. */
  experimentalOptions?: string;
  /** Of Tact: absent is not the same as empty. */
  tact?: object;
}

/** A mistake in a project's file. */
export interface ProjectProblem {
  path: string;
  /** From 1. */
  line: number;
  error: WorkbenchError;
}

/** A mistake at a line of a project's file. */
export function projectProblem(
  path: string,
  line: number,
  { code, message, hint, cause }: ProblemWords,
): ProjectProblem {
  return {
    path,
    line,
    error: new WorkbenchError({
      code,
      kind: 'input',
      message: `${fileName(path)}, line ${line}: ${message}.`,
      hint,
      details: { path, line },
      cause,
    }),
  };
}

interface ProblemWords {
  code: 'project-file-invalid' | 'project-mapping-outside' | 'project-cycle';
  message: string;
  hint?: string;
  cause?: unknown;
}

/** The line of an offset in a text, from 1. */
export function lineOfOffset(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
