import { posix } from 'node:path';
import { limits } from '../../base/limits';
import type { DescribedContract, ProjectDescription } from '../../project/projectDescription';
import { fileName, visibleText } from '../../base/text';
import type { ProjectFile } from './projectFile';

/** The languages of contract sources. */
export type SourceLanguage = 'tolk' | 'func' | 'tact';

/** A source's language by its path's extension; undefined for others. */
export function sourceLanguage(path: string): SourceLanguage | undefined {
  const ending = /\.(tolk|fc|func|tact)$/i.exec(path)?.[1]?.toLowerCase();
  return ending === 'tolk' || ending === 'tact' ? ending : ending === undefined ? undefined : 'func';
}

/** How a text is parsed: the same text can be a file of two languages, each with its own reader. */
type Way = SourceLanguage | `words of ${SourceLanguage}` | 'bodies of func' | 'types of func';

/** Caches parsed texts: many files of a project import the same ones. */
export class SourceReadings {
  /** The texts themselves are the keys: a derived key would have to be hashed each time, and texts are long. */
  readonly #known = new Map<Way, Map<string, unknown>>();

  has(way: Way, text: string): boolean {
    return this.#known.get(way)?.has(text) === true;
  }

  /** The parsed `text`, produced by `read` on first use. */
  of<T>(way: Way, text: string, read: () => T): T {
    const known = this.#known.get(way) ?? new Map<string, unknown>();
    this.#known.set(way, known);
    if (!known.has(text)) {
      known.set(text, read());
    }
    return known.get(text) as T;
  }
}

/** What only a contract has. In Tolk, a `main` without parameters is a script of Acton. */
const entries: Readonly<Record<SourceLanguage, RegExp>> = {
  tolk: /\bfun\s{1,9}(?:main\s{0,9}\(\s{0,40}\w|(?:onInternalMessage|onExternalMessage)\s{0,9}\()/,
  func: /\b(?:main|recv_internal|recv_external)\s{0,9}\(/,
  tact: /^[ \t]{0,40}contract[ \t]{1,9}\w/m,
};

/**
 * Whether a source is a contract's own, judged by the functions that receive messages.
 * @param text without comments
 */
export function isContractSource(text: string, language: SourceLanguage): boolean {
  return language === 'func' ? definesFunc(text, entries.func) : entries[language].test(text);
}

/**
 * Whether a text without comments has a function of FunC with its body: an include only declares it, and ends that with a
 * semicolon.
 */
export function definesFunc(text: string, head: RegExp): boolean {
  const heads = new RegExp(head, 'g');
  const ends = /[{};]/g;
  for (let found = heads.exec(text); found !== null; found = heads.exec(text)) {
    ends.lastIndex = found.index;
    if (ends.exec(text)?.[0] === '{') {
      return true;
    }
  }
  return false;
}

/** `@contracts/` at the start of an import stands for a folder: the `import-mappings` of Acton.toml. */
export interface ImportMapping {
  /** With or without its `@`. */
  name: string;
  /** Relative to the same folder as the paths of files. */
  folder: string;
  /** The folder of the sources that it is for; default: all. */
  within?: string | undefined;
}

const endingOf = { tolk: '.tolk', tact: '.tact', func: '' } as const satisfies Record<SourceLanguage, string>;

/**
 * The path of the file that an import means, as the compilers resolve it: relative to the importing file, with the
 * language's extension if it has none (FunC adds none). Undefined for the compilers' standard libraries.
 *
 * @param from path of the importing file, with `/` between its parts
 * @returns a path relative to the same folder as `from`; it may begin with `../`
 */
export function importPath(
  from: string,
  target: string,
  mappings: readonly ImportMapping[] = [],
): string | undefined {
  const language = sourceLanguage(from) ?? 'tolk';
  const ending = sourceLanguage(target) === undefined ? endingOf[language] : '';
  const [first = '', ...rest] = target.split('/');
  if (language !== 'func' && first.startsWith('@')) {
    const mapping = mappings.find(
      ({ name, within = '' }) => first.slice(1) === name.replace(/^@/, '') && isWithin(from, within),
    );
    return mapping && posix.join(mapping.folder, ...rest) + ending;
  }
  const path = target.startsWith('/') ? target : posix.join(posix.dirname(from), target);
  return posix.normalize(path) + ending;
}

function isWithin(path: string, folder: string): boolean {
  const start = posix.normalize(folder === '' ? './' : `${folder}/`);
  return start === './' || path.startsWith(start);
}

/** What the files say that describe a project to its tools: `Acton.toml`, and Blueprint's `*.compile.ts`. */
export interface ProjectConfigs {
  /** Those of the deepest folders first. */
  mappings: readonly ImportMapping[];
  /** Contracts, by the paths of what is built of them. */
  byArtifact: ReadonlyMap<string, NamedContract>;
  /** Contracts, by the paths of their own sources. */
  bySource: ReadonlyMap<string, NamedContract>;
}

/** A contract as its project calls it. */
export interface NamedContract {
  name: string;
  /** Path of its own source, or of its code if that is given. */
  source: string;
  /** Path of the source that declares the types of a code. */
  types: string | undefined;
  /** Paths of the other files that its compiler is given, in FunC. */
  combined: readonly string[];
}

/** Reads the files that describe projects, for the sources around them. */
export async function readConfigs(files: readonly ProjectFile[]): Promise<ProjectConfigs> {
  const configs = files
    .filter(
      ({ path, text }) =>
        (fileName(path) === 'Acton.toml' || path.endsWith('.compile.ts')) &&
        text.length <= limits.sourceText.most,
    )
    .sort((a, b) => b.path.length - a.path.length);
  const mappings: ImportMapping[] = [];
  const named: [DescribedContract, NamedContract][] = [];
  for (const { path, text } of configs) {
    // Its paths are absolute: as if the project's folder were the root.
    const read = await description(`/${path}`, text);
    const within = posix.dirname(path);
    mappings.push(
      ...Object.entries(read.mappings).map(([name, folder]) => ({ name, folder: folder.slice(1), within })),
    );
    for (const contract of read.contracts) {
      const { name, targets, types } = contract;
      const [source = '', ...combined] = targets.map((target) => target.slice(1)).reverse();
      named.push([contract, { name, source, types: types?.slice(1), combined: combined.reverse() }]);
    }
  }
  return {
    mappings,
    byArtifact: new Map(
      named.flatMap(([{ artifacts }, one]) => artifacts.map((file) => [file.slice(1), one] as const)),
    ),
    bySource: new Map(named.map(([, one]) => [one.source, one] as const)),
  };
}

async function description(
  path: string,
  text: string,
): Promise<Pick<ProjectDescription, 'contracts' | 'mappings'>> {
  if (fileName(path) === 'Acton.toml') {
    const { readActonConfig } = await import('../../project/readActonConfig');
    return readActonConfig(text, path);
  }
  const { readCompileFile } = await import('../../project/readCompileFile');
  return { mappings: {}, contracts: readCompileFile(text, path, rootOfCompileFile(path)).contracts };
}

/** Blueprint's build files are in `wrappers` or `compilables` of a project, or in folders of these. */
function rootOfCompileFile(path: string): string {
  return /^(.*?)\/(?:wrappers|compilables)\//.exec(path)?.[1] || '/';
}

/** Said wherever names from a source are shown for a code that was compiled from an earlier text of it. */
export function changedSourceText(file: string): string {
  return `${visibleText(file)} has changed since this code was compiled: get-methods and fields are named as in its current text.`;
}
