import { groupBy } from '../groupBy';
import { commonFolders } from './commonFolders';
import { plainName } from './projectContract';
import type { ProjectContract } from './projectContract';
import { sourceLanguage } from './sourceReadings';

/** A contract of a project: what its files say about it, in the order of the files. */
export interface ContractGroup {
  /** The name in the most informative file. */
  name: string;
  /** Its source; undefined if there is only build output of it. */
  source: string | undefined;
  parts: readonly ProjectContract[];
}

/** Which contract is meant: by its name, and by one of its files if the project has several of that name. */
export interface ContractRef {
  name: string;
  file?: string | undefined;
}

const known = new WeakMap<readonly ProjectContract[], readonly ContractGroup[]>();

/**
 * The contracts of a project. Files that name the same contract describe the same one, unless several sources declare
 * one of that name: then each source is a contract of its own, and build output belongs to the source that compiled to
 * its code, else to the one in the nearest folder, and to none if several are as near.
 */
export function contractGroups(project: readonly ProjectContract[]): readonly ContractGroup[] {
  const groups = known.get(project) ?? makeGroups(project);
  known.set(project, groups);
  return groups;
}

/** The group of the contract; undefined if there is none, or if the name alone does not say which. */
export function contractGroup(
  project: readonly ProjectContract[],
  { name, file }: ContractRef,
): ContractGroup | undefined {
  const named = contractGroups(project).filter((group) => isNamed(group, name));
  const own = named.filter(({ parts }) => parts.some((part) => part.file === file));
  const [found, another] = own.length > 0 ? own : named;
  return another === undefined ? found : undefined;
}

/** How users call a contract where only its name would leave open which: `Wallet, two/wallet.tolk`. */
export function contractKey(project: readonly ProjectContract[], { name, source }: ContractGroup): string {
  const isAlone = contractGroups(project).filter((group) => isNamed(group, name)).length === 1;
  return isAlone || source === undefined ? name : `${name}, ${source}`;
}

/** The contract that a {@link contractKey} means. */
export function contractOfKey(project: readonly ProjectContract[], key: string): ContractGroup | undefined {
  const comma = key.indexOf(', ');
  return contractGroup(
    project,
    comma < 0 ? { name: key } : { name: key.slice(0, comma), file: key.slice(comma + 2) },
  );
}

/**
 * Whether a code is known to be a contract's, so that no source need be compiled to find out: from build output, unless
 * several sources have its name, or from a source that is still there.
 *
 * @param exists whether the project has a file
 */
export function isIdentified(
  project: readonly ProjectContract[],
  codeHash: string,
  exists: (file: string) => boolean,
): boolean {
  const groups = contractGroups(project);
  const isOne = (group: ContractGroup): boolean =>
    group.source !== undefined ||
    !groups.some((other) => other.source !== undefined && isNamed(other, group.name));
  return groups.some((group) =>
    group.parts.some(
      (part) => part.codeHash === codeHash && (isOfSource(part) ? exists(part.file) : isOne(group)),
    ),
  );
}

function isNamed({ parts }: ContractGroup, name: string): boolean {
  const plain = plainName(name);
  return parts.some(
    ({ name: own, calledBy = own }) => plainName(own) === plain || plainName(calledBy) === plain,
  );
}

/**
 * By which names parts belong together: one that has the name that the project's files give a source, or is built from it,
 * belongs to that source, whatever it is called itself.
 */
function keysOf(project: readonly ProjectContract[]): (part: ProjectContract) => string {
  const sources = project.filter((part) => isOfSource(part) && part.origin !== undefined);
  const own = new Set(sources.map(({ name }) => plainName(name)));
  const bySource = groupBy(sources, ({ file }) => file);
  const called = new Map(
    sources.flatMap(({ name, calledBy }) =>
      calledBy === undefined || own.has(plainName(calledBy))
        ? []
        : [[plainName(calledBy), plainName(name)] as const],
    ),
  );
  return ({ name, source }) => {
    const plain = plainName(name);
    const from = source === undefined ? [] : (bySource.get(source) ?? []);
    const isNamedThere = from.length === 0 || from.some((one) => plainName(one.name) === plain);
    return isNamedThere ? (called.get(plain) ?? plain) : plainName(from[0]?.name ?? name);
  };
}

function makeGroups(project: readonly ProjectContract[]): ContractGroup[] {
  const groups: ContractGroup[] = [];
  for (const parts of groupBy(project, keysOf(project)).values()) {
    const sources = [
      ...new Set(
        parts.filter((part) => isOfSource(part) && part.origin !== undefined).map(({ file }) => file),
      ),
    ];
    if (sources.length < 2) {
      groups.push(groupOf(parts, sources[0]));
      continue;
    }
    const bySource = groupBy(parts, (part) => (isOfSource(part) ? part.file : ownerOf(part, parts, sources)));
    for (const [source, own] of bySource) {
      groups.push(groupOf(own, source));
    }
  }
  return groups;
}

function groupOf(parts: readonly ProjectContract[], source: string | undefined): ContractGroup {
  const named = parts.find(({ origin }) => origin !== undefined) ?? parts[0];
  return { name: named?.name ?? '', source, parts };
}

/** A source, or the code that one was compiled to here. */
function isOfSource({ file }: ProjectContract): boolean {
  return sourceLanguage(file) !== undefined;
}

function ownerOf(
  built: ProjectContract,
  parts: readonly ProjectContract[],
  sources: readonly string[],
): string | undefined {
  if (built.source !== undefined && sources.includes(built.source)) {
    return built.source;
  }
  const compiled = parts.find(
    (part) => isOfSource(part) && part.codeHash !== undefined && part.codeHash === built.codeHash,
  );
  if (compiled !== undefined) {
    return compiled.file;
  }
  const nearness = sources.map((source) => commonFolders(source, built.file));
  const most = Math.max(...nearness);
  return nearness.filter((one) => one === most).length === 1 ? sources[nearness.indexOf(most)] : undefined;
}
