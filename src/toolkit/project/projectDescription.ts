import type { WorkbenchError } from '../errors';

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
export interface BuildOptions {
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
