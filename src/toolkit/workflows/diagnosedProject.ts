import type { ProjectContract } from '../contracts/abi/projectContract';
import { plainName } from '../contracts/abi/projectContract';
import type { ProjectFile } from '../contracts/abi/projectFile';
import type { BuiltContract } from '../build/readBuiltContract';
import type { WorkbenchError } from '../base/errors';
import type { SourceMap } from '../sourceMap/sourceMap';

const marks: Readonly<Record<Finding['state'], string>> = { good: '✓', wrong: '✗', open: '·' };

/**
 * The findings as text to read and to copy into a report: the first cause, then all that was looked at.
 * @param facts versions and places, which a report needs
 */
export function diagnosisText(
  findings: readonly Finding[],
  facts: readonly (readonly [name: string, value: string])[],
): string {
  const [first] = findings;
  const isFine = first?.state !== 'wrong';
  return [
    isFine || first === undefined ? 'Nothing is wrong.' : first.text,
    ...(isFine || first?.next === undefined ? [] : [first.next]),
    '',
    ...findings.flatMap(({ subject, state, text, next }) => [
      `${marks[state]} ${subject}: ${text}`,
      ...(next === undefined ? [] : [`    ${next}`]),
    ]),
    '',
    ...facts.map(([name, value]) => `${name}: ${value}`),
  ].join('\n');
}

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

/** What the project's build has written, and whether it is still what the sources give. */
export function artifactFindings(
  { files, contracts, modified, now }: DiagnosedProject,
  codes: ReadonlyMap<string, readonly BuiltContract[]>,
): Finding[] {
  const broken = files.flatMap(({ path, text }) =>
    /\.(?:json|pkg|abi)$/.test(path) && !isJson(text) ? [path] : [],
  );
  const empty = files.flatMap(({ path, text }) =>
    path.endsWith('.compiled.json') && isJson(text) && !contracts.some(({ file }) => file === path)
      ? [path]
      : [],
  );
  const built = contracts.filter(
    ({ file, codeHash }) => codeHash !== undefined && /\.(?:json|pkg)$/.test(file),
  );
  const wrong = built.flatMap((artifact): Finding[] => {
    const [source, current] =
      [...codes]
        .flatMap(([file, list]) => list.map((one) => [file, one] as const))
        .find(([file, one]) =>
          artifact.source === undefined || !codes.has(artifact.source)
            ? plainName(one.name) === plainName(artifact.name)
            : file === artifact.source &&
              (codes.get(file)?.length === 1 || plainName(one.name) === plainName(artifact.name)),
        ) ?? [];
    if (artifact.hasChanged === true && artifact.source !== undefined) {
      return [
        {
          ...{ subject: 'artifacts', state: 'wrong' },
          text: `${artifact.file}${ageOf(modified(artifact.file), now)} is older than its source: ${artifact.source}, or a file that it imports, has changed since.`,
          next: "Run the project's build again; until then, the file is of the older text.",
        },
      ];
    }
    return source === undefined || current?.codeHash === artifact.codeHash
      ? []
      : [
          {
            ...{ subject: 'artifacts', state: 'wrong' },
            text: `${artifact.file}${ageOf(modified(artifact.file), now)} has other code than ${source} compiles to.`,
            next: "Run the project's build again; until then, the file is of older code or of another compiler.",
          },
        ];
  });
  const next = "Run the project's build again.";
  const unreadable = [
    ...broken.map((file) => `${file} is not JSON, so nothing of it is used.`),
    ...empty.map((file) => `${file} has no code that can be read.`),
  ].map((text): Finding => ({ subject: 'artifacts', state: 'wrong', text, next }));
  const good: Finding[] =
    built.length > wrong.length
      ? [
          {
            subject: 'artifacts',
            state: 'good',
            text: `${built.length - wrong.length} files of build output are used.`,
          },
        ]
      : [];
  return [...unreadable, ...wrong, ...good];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function ageOf(written: number | undefined, now: number): string {
  const days = written === undefined ? 0 : Math.floor((now - written) / 86_400_000);
  return days < 1 ? '' : days === 1 ? ' (1 day old)' : ` (${days} days old)`;
}
