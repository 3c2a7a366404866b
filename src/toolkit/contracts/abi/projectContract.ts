import { groupBy } from '../../base/collections';
import type { MessageNames } from '../opcodes/decodeBody';
import type { GetMethodSignature, SignatureOrigin } from './getMethodSignature';
import { sourceLanguage } from './sourceLanguage';

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
function contractGroup(
  project: readonly ProjectContract[],
  { name, file }: ContractRef,
): ContractGroup | undefined {
  const named = contractGroups(project).filter((group) => isNamed(group, name));
  const own = named.filter(({ parts }) => parts.some((part) => part.file === file));
  const [found, another] = own.length > 0 ? own : named;
  return another === undefined ? found : undefined;
}

/** How users call a contract where only its name would leave open which: `Wallet, two/wallet.tolk`. */
function contractKey(project: readonly ProjectContract[], { name, source }: ContractGroup): string {
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
    const [only, another] = sources;
    if (another === undefined) {
      const compiled = new Set(parts.filter(isOfSource).map(({ codeHash }) => codeHash));
      const isOwn = (part: ProjectContract): boolean =>
        only === undefined || compiled.has(part.codeHash) || !isElsewhere(part, only);
      const [own, others] = [parts.filter(isOwn), parts.filter((part) => !isOwn(part))];
      groups.push(
        ...[own, others].flatMap((some, index) =>
          some.length === 0 ? [] : [groupOf(some, index === 0 ? only : undefined)],
        ),
      );
      continue;
    }
    const bySource = groupBy(parts, (part) => (isOfSource(part) ? part.file : ownerOf(part, parts, sources)));
    for (const [source, own] of bySource) {
      groups.push(groupOf(own, source));
    }
  }
  return groups;
}

/** Folders in which a project keeps what it builds from sources in others. */
const buildFolders =
  /^(?:abi|artifacts|build|compiled|dist|gen|generated|out|output|sources|target|wrappers)$/i;

/** Whether build output lies in another part of the project than a source: an equal name says nothing then. */
function isElsewhere(part: ProjectContract, source: string): boolean {
  const folderOf = (file: string): string[] => file.split('/').slice(0, -1);
  const [here, there] = [folderOf(part.file), folderOf(source)];
  const shared = commonFolders(part.file, source);
  return (
    !isOfSource(part) &&
    part.codeHash !== undefined &&
    part.source !== source &&
    !here.some((folder) => buildFolders.test(folder)) &&
    // At the top, folders are the parts of one project.
    shared > 0 &&
    shared < Math.min(here.length, there.length)
  );
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

/** Build output of a source that is not of its current text. */
export interface StaleBuild {
  /** Path of the build output. */
  file: string;
  /** `older`: it records another text of a source. `other code`: the current text compiles to other code here. */
  reason: 'older' | 'other code';
}

/** What a project has built of a source before its current text, or as other code than it compiles to here. */
export function staleBuilds(project: readonly ProjectContract[], source: string): StaleBuild[] {
  const parts = contractGroups(project).flatMap((group) => (group.source === source ? group.parts : []));
  const current = new Set(
    parts.flatMap((part) =>
      isOfSource(part) && part.hasChanged !== true && part.codeHash !== undefined ? part.codeHash : [],
    ),
  );
  return parts.flatMap((part): StaleBuild[] => {
    const { file, codeHash, hasChanged } = part;
    if (isOfSource(part) || codeHash === undefined) {
      return [];
    }
    const isOther = current.size > 0 && !current.has(codeHash);
    return hasChanged === true
      ? [{ file, reason: 'older' }]
      : isOther
        ? [{ file, reason: 'other code' }]
        : [];
  });
}

/** How many folders two paths share from their start. */
export function commonFolders(a: string, b: string): number {
  const [of, to] = [a.split('/').slice(0, -1), b.split('/').slice(0, -1)];
  const differs = of.findIndex((part, place) => part !== to[place]);
  return differs < 0 ? of.length : differs;
}

/** A contract of a project, as an item of a list. */
interface ContractSource {
  /** Name from the most informative file, with its file if others have the name; the key of the saved choice. */
  name: string;
  label: string;
  /** All sources of its get-methods, as text: `Tolk source, contracts/counter.tolk`. */
  detail: string;
}

/** A project's contracts with known get-methods, each listed once, however many files describe it. */
export function contractSources(project: readonly ProjectContract[]): ContractSource[] {
  return contractGroups(project).flatMap((group) => {
    const files = group.parts.filter(({ origin }) => origin !== undefined);
    const [first] = files;
    return first === undefined
      ? []
      : [
          {
            name: contractKey(project, group),
            label: first.name,
            detail: files
              .map(
                ({ origin, file, hasChanged }) =>
                  `${origin}, ${file}${hasChanged === true ? ' (older than its source)' : ''}`,
              )
              .join('; '),
          },
        ];
  });
}

/** What one file of a project says about one contract. */
export interface ProjectContract {
  /** The file's name for it: the contract's name, else the file's. */
  name: string;
  /** Path of the file, as given. */
  file: string;
  /** undefined for build output without an ABI, which only provides a code hash. */
  origin?: SignatureOrigin;
  /** Hash of the code cell, lowercase hex, if the file holds the code. */
  codeHash?: string;
  /** The file, or one that it imports, has changed since this code was compiled; of build output, a file of its source. */
  hasChanged?: boolean;
  /** The source that build output is of, as its project or the build itself says. */
  source?: string;
  /** What the project's own files call the contract of a source. */
  calledBy?: string;
  /** The ids that this code has for types in unions, by the types' texts. */
  typeIds?: Readonly<Record<string, number>>;
  methods: readonly GetMethodSignature[];
  /** The contract's own exit codes with their names. */
  errors: ReadonlyMap<number, string>;
  /** Names of messages in its source. */
  messages?: MessageNames;
  /**
   * The texts that describe the layout of its structs in cells: the ABI, or the source and its imports. FunC
   * describes them only in TL-B comments; undefined if there are none.
   */
  layoutTexts?: readonly string[];
  /** The sources that it imports, directly or not. */
  imports?: readonly string[];
  /** The project's files of TL-B for it; only of FunC. */
  schemas?: readonly string[];
}

/** A contract of which the code's hash is known, from build output or a compiled source, if it has code. */
export function builtContract(name: string, file: string, codeHash: string | undefined): ProjectContract {
  return { name, file, ...(codeHash === undefined ? {} : { codeHash }), methods: [], errors: new Map() };
}

/** Letters and digits only, so that `counter.tolk`, `Counter.compiled.json`, and `JettonMinterContract` match. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/(contract|wrapper)$/, '');
}

/**
 * The file of a project from which a contract can be deployed: what its build has written, that of the current text first,
 * else its source if that is compiled here; undefined if there is neither.
 */
export function builtFile(project: readonly ProjectContract[], contract: ContractRef): string | undefined {
  const { parts = [], source } = contractGroup(project, contract) ?? {};
  const built = parts.filter(
    ({ file, codeHash }) => codeHash !== undefined && sourceLanguage(file) === undefined,
  );
  const current = built.find(({ hasChanged }) => hasChanged !== true) ?? built[0];
  return current?.file ?? (source?.endsWith('.tolk') === true ? source : undefined);
}
