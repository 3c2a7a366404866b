import type { ProjectContract } from '../abi/projectContract';
import type { ProjectFile } from '../abi/projectFiles';
import type { BuiltContract } from '../build/readBuiltContract';
import type { WorkbenchError } from '../errors';
import type { SourceMap } from '../sourceMap/sourceMap';

/** What a finding is about, in the order in which one causes the next. */
export const findingSubjects = [
  'project',
  'trust',
  'compiler',
  'source',
  'artifacts',
  'lines',
  'network',
  'port',
] as const;

/** Something that was looked at. */
export interface Finding {
  subject: (typeof findingSubjects)[number];
  /** `wrong` explains why something is not there; `open` is neither good nor wrong. */
  state: 'good' | 'wrong' | 'open';
  /** A sentence. */
  text: string;
  /** What to do, as a sentence; undefined if there is nothing to do. */
  next?: string | undefined;
}

/** What a project consists of, and what may be done with it. */
export interface DiagnosedProject {
  /** Its root, for people. */
  folder: string;
  /** Whether a file marks it as a project; if not, only the usual folders are searched. */
  isProject: boolean;
  /** Sources, build output, and wrappers; paths are relative to the root. */
  files: readonly ProjectFile[];
  contracts: readonly ProjectContract[];
  /** What is wrong with the files that describe it, such as Acton.toml. */
  problems: readonly WorkbenchError[];
  /** The text of another file of the root; undefined if there is none. */
  read: (file: string) => string | undefined;
  /** When a file was written last, in milliseconds; undefined if it is not known. */
  modified: (file: string) => number | undefined;
  /** The version of a package that is installed for a source; undefined if it is not. */
  installed: (file: string, name: string) => string | undefined;
  /** Version of our own Tolk compiler. */
  ownTolk: string;
  /** Whether compilers of the project may run on a source, or why not: the next step. */
  mayRun: (file: string) => true | string;
  compile: (file: string) => Promise<readonly BuiltContract[]>;
  map: (file: string) => Promise<readonly SourceMap[]>;
  /** The folder's local network. */
  network: { url: string; state: 'running' | 'stopped' | 'none' };
  /** Who has the port on which a local network starts. */
  port: { number: number; user: 'nobody' | 'local network' | 'another program' };
  /** Milliseconds. */
  now: number;
}
