import type { Cell } from '@ton/core';
import { getMethodId } from '@ton/core';
import type { ExitSource } from '../exitCodes';
import type { MessageNames } from '../opcodes/decodeBody';
import { withTypeIds } from './abiType';
import { codeMethods, firstHashedId, methodName } from './codeMethods';
import type { ContractGroup, ProjectContract } from './projectContract';
import { contractGroups, contractOfKey } from './projectContract';
import type { GetMethodSignature, SignatureOrigin } from './getMethodSignature';
import { interfacesByMethods, knownInterfaces } from './knownInterfaces';
import { sourceLanguage } from './sourceLanguage';

/** A get-method that a contract has, or very likely has. */
export interface ContractMethod {
  /** Its name, or its decimal id if the name is unknown. */
  name: string;
  signature?: GetMethodSignature;
  /** The source of this information, as text: `Tolk source, contracts/counter.tolk`. */
  origin: string;
}

/** What is known about a contract's get-methods. */
export interface ContractDescription {
  /** Hash of its code cell, lowercase hex; undefined without code. */
  codeHash?: string;
  /** Its name in the project, else the wallet version of its code. */
  name?: string;
  /** The source of the name, as text: `the hash of its code, build/Counter.compiled.json`. */
  nameOrigin?: string;
  /** The user has chosen the name, contrary to the hash of the code or without one. */
  isChosen?: true;
  /**
   * What the hash of its code indicates, if the user has chosen another name: `Vault, contracts/vault.tolk`.
   */
  nameOfCode?: string;
  /** The project's file for it: its source, else its build output. */
  file?: string;
  /**
   * Its source, if that has changed since this code was compiled: exit codes and opcodes have the names they had then,
   * get-methods and layouts are those of the current text.
   */
  changedSource?: string;
  /** The well-known interfaces it implements. */
  interfaces: string[];
  /** The standards whose exit codes its code uses: its wallet version, its interfaces, its language's compiler. */
  standards: readonly string[];
  /** One entry per name, from the most trustworthy source. */
  methods: ContractMethod[];
  /** The methods are all that it has, by its code or its source; otherwise it may have others. */
  hasOnlyMethods: boolean;
  /** Its own exit codes with their names. */
  errors: ReadonlyMap<number, string>;
  /** Names of its own messages in its source. */
  messages: MessageNames;
}

/** On-chain facts about a contract. */
export interface DeployedCode {
  code?: Cell;
  /** Hash of the code cell, lowercase hex. */
  codeHash?: string;
  /** Method ids, if the service read them from the code. */
  methodIds?: readonly number[];
  /** The wallet version of the code, as `wallet v4 r2`. */
  wallet?: string;
}

const trust: readonly SignatureOrigin[] = [
  'compiler ABI',
  'Tolk source',
  'FunC source',
  'Tact source',
  'TypeScript wrapper',
];

/**
 * Collects what is known about a contract's get-methods: from the project (its build output identifies the contract
 * by its code), from the well-known interfaces it implements, and from the ids in its code.
 *
 * @param chosen the user's choice of a project contract; overrides the code's hash while the project has it
 */
export function describeContract(
  deployed: DeployedCode,
  project: readonly ProjectContract[],
  chosen?: string,
): ContractDescription {
  const choice = chosen === undefined ? undefined : chosenGroup(project, chosen);
  const isChosen = choice !== undefined;
  const parts = partsOf(deployed, project, choice);
  const inCode = idsInCode(deployed);
  const methods = new Map<string, ContractMethod>();
  const add = (method: ContractMethod): void => {
    methods.set(method.name, methods.get(method.name) ?? method);
  };
  const named = nameOf(deployed, project, choice);
  const changedSource = named.isChosen ? undefined : changedSourceOf(deployed, project);
  const typeIds = project.find((one) => one.typeIds && one.codeHash === deployed.codeHash)?.typeIds;
  for (const { origin, file, hasChanged, methods: own } of parts) {
    const since =
      changedSource !== undefined && sourceLanguage(file) !== undefined
        ? ' (changed since)'
        : hasChanged === true
          ? ' (older than its source)'
          : '';
    // A method that the code lacks is another version's, or that of a wrapper for more than one contract. A choice counts
    // as it is, because it can be made to see just that.
    const has = ({ name, methodId = getMethodId(name) }: GetMethodSignature): boolean =>
      isChosen || inCode.size === 0 || methodId < firstHashedId || inCode.has(methodId);
    own.filter(has).forEach((signature) =>
      add({
        ...{ name: signature.name, origin: `${origin}, ${file}${since}` },
        signature: typeIds === undefined ? signature : signatureWithIds(signature, typeIds),
      }),
    );
  }
  const { wallet } = deployed;
  const interfaces = wallet === undefined ? interfacesByMethods(namesOf(inCode)) : walletInterfaces(wallet);
  for (const { name, methods: own } of knownInterfaces.filter((one) => interfaces.includes(one.name))) {
    own
      .filter((method) =>
        wallet === undefined ? inCode.has(getMethodId(method.name)) : hasWallet(wallet, method),
      )
      .forEach((signature) => add({ name: signature.name, signature, origin: `known interface, ${name}` }));
  }
  const told = new Set(
    [...methods.values()].map(({ name, signature }) => signature?.methodId ?? getMethodId(name)),
  );
  const isFromSource = parts.some(({ file }) => sourceLanguage(file) !== undefined);
  for (const [id, name] of inCode) {
    // The compilers number other functions, too. Without a source, nobody knows what a small number is.
    const isFunction = isFromSource && name === undefined && id < firstHashedId;
    if (!told.has(id) && !isFunction) {
      add({ name: name ?? String(id), origin: 'method ids in the code' });
    }
  }
  const file = (parts.find((part) => sourceLanguage(part.file) !== undefined) ?? parts[0])?.file;
  const language = languageOf(parts, namesOf(inCode));
  // An edited source may give a number another name: only what the text said when it was compiled is true of the code.
  const numbered =
    changedSource === undefined
      ? parts
      : [
          ...parts.filter((part) => sourceLanguage(part.file) === undefined),
          ...project.filter((one) => one.hasChanged === true && one.codeHash === deployed.codeHash),
        ];
  return {
    ...(deployed.codeHash === undefined ? {} : { codeHash: deployed.codeHash }),
    ...named,
    ...(file === undefined ? {} : { file }),
    ...(changedSource === undefined ? {} : { changedSource }),
    interfaces,
    standards: [
      ...(wallet === undefined ? interfaces : [wallet]),
      ...(language === undefined ? [] : [language]),
    ],
    methods: [...methods.values()],
    hasOnlyMethods: inCode.size > 0 || (parts.length > 0 && !isChosen),
    errors: new Map(numbered.flatMap(({ errors }) => [...errors]).reverse()),
    messages: new Map(numbered.flatMap(({ messages }) => [...(messages ?? [])]).reverse()),
  };
}

/** A get-method with the numbers that its program has for types in unions. */
export function signatureWithIds(
  signature: GetMethodSignature,
  ids: NonNullable<ProjectContract['typeIds']>,
): GetMethodSignature {
  return {
    ...signature,
    parameters: signature.parameters.map((one) => ({ ...one, type: withTypeIds(one.type, ids) })),
    result: withTypeIds(signature.result, ids),
  };
}

/** The language it is written in, judged by its source, its ABI, or two get-methods that only Tact's compiler adds. */
function languageOf(
  parts: readonly ProjectContract[],
  names: ReadonlySet<string>,
): 'Tolk' | 'FunC' | 'Tact' | undefined {
  const origins = new Set(parts.map(({ origin }) => origin));
  const abi = parts.find(({ origin }) => origin === 'compiler ABI');
  if (
    origins.has('Tact source') ||
    (abi !== undefined && !abi.file.endsWith('.json')) ||
    (names.has('get_abi_ipfs') && names.has('lazy_deployment_completed'))
  ) {
    return 'Tact';
  }
  return origins.has('Tolk source') || abi !== undefined
    ? 'Tolk'
    : origins.has('FunC source')
      ? 'FunC'
      : undefined;
}

/** The project files that describe this contract, most trustworthy first. */
function partsOf(
  { codeHash }: DeployedCode,
  project: readonly ProjectContract[],
  choice: ContractGroup | undefined,
): ProjectContract[] {
  const groups =
    choice === undefined
      ? contractGroups(project).filter(({ parts }) =>
          parts.some((one) => codeHash !== undefined && one.codeHash === codeHash),
        )
      : [choice];
  // What is older than the source says less of the code than that.
  const rank = ({ origin, hasChanged }: ProjectContract): number =>
    origin === undefined ? -1 : trust.indexOf(origin) + (hasChanged === true ? trust.length : 0);
  return groups
    .flatMap(({ parts }) => parts.filter(({ origin }) => origin !== undefined))
    .sort((a, b) => rank(a) - rank(b));
}

/** The contract that the user has chosen, if a file of the project describes its get-methods. */
function chosenGroup(project: readonly ProjectContract[], chosen: string): ContractGroup | undefined {
  const group = contractOfKey(project, chosen);
  return group?.parts.some(({ origin }) => origin !== undefined) === true ? group : undefined;
}

type NameFacts = Pick<ContractDescription, 'name' | 'nameOrigin' | 'isChosen' | 'nameOfCode' | 'file'>;

/** A choice that agrees with the hash of the code is not shown as a choice. */
function nameOf(
  deployed: DeployedCode,
  project: readonly ProjectContract[],
  choice: ContractGroup | undefined,
): NameFacts {
  const byCode = nameByCode(deployed, project);
  const isOfCode = choice?.parts.some(
    (one) => deployed.codeHash !== undefined && one.codeHash === deployed.codeHash,
  );
  if (choice === undefined || isOfCode === true) {
    return byCode;
  }
  const { name, file } = byCode;
  const nameOfCode = name === undefined ? {} : { nameOfCode: [name, ...(file ? [file] : [])].join(', ') };
  return { name: choice.name, nameOrigin: 'your choice', isChosen: true, ...nameOfCode };
}

/** The source that a code was compiled from, if it has changed since. */
function changedSourceOf(
  { codeHash }: DeployedCode,
  project: readonly ProjectContract[],
): string | undefined {
  const changed = project.find(
    (one) => one.hasChanged && codeHash !== undefined && one.codeHash === codeHash,
  );
  return changed?.source ?? changed?.file;
}

/** Build output without a source still provides a name. */
function nameByCode(deployed: DeployedCode, project: readonly ProjectContract[]): NameFacts {
  const { codeHash, wallet } = deployed;
  const built = codeHash === undefined ? undefined : project.find((one) => one.codeHash === codeHash);
  if (built !== undefined) {
    const { file, source = file, hasChanged } = built;
    return {
      name: partsOf(deployed, project, undefined)[0]?.name ?? built.name,
      nameOrigin:
        hasChanged === true
          ? `its code, which an earlier version of ${source} compiled to`
          : `the hash of its code, ${file}`,
      file,
    };
  }
  return wallet === undefined ? {} : { name: wallet, nameOrigin: 'the hash of its code' };
}

/** Ids in the code, with their known names. */
function idsInCode({ code, methodIds }: DeployedCode): Map<number, string | undefined> {
  const read = code === undefined ? undefined : codeMethods(code);
  if (read !== undefined) {
    return new Map(read.map(({ id, name }) => [id, name]));
  }
  return new Map((methodIds ?? []).map((id) => [id, methodName(id)]));
}

function namesOf(ids: ReadonlyMap<number, string | undefined>): Set<string> {
  return new Set([...ids.values()].filter((name) => name !== undefined));
}

function walletInterfaces(name: string): string[] {
  const version = /^wallet v(\d)/.exec(name)?.[1];
  return version === '4' || version === '5' ? ['wallet', `wallet v${version}`] : ['wallet'];
}

/** Hand-written wallets do not list their methods: v1 r1 has none, other first revisions only seqno. */
function hasWallet(wallet: string, { name }: GetMethodSignature): boolean {
  const [, version = '', revision = ''] = /^wallet v(\d) r(\d)$/.exec(wallet) ?? [];
  const before = Number(version) * 10 + Number(revision);
  switch (name) {
    case 'seqno':
      return before !== 11;
    case 'get_public_key':
      return ![11, 12, 21, 31].includes(before);
    case 'get_subwallet_id':
      return version === '4' || version === '5' || wallet === 'wallet v5 beta';
    default:
      return true;
  }
}

/**
 * What the project's sources and ABIs say about exit codes, by account, according to the code that runs
 * there.
 *
 * @param codes hash of the code cell by account, lowercase hex
 * @param chosen the user's choice of a project contract for a code
 */
export function exitSources(
  codes: ReadonlyMap<string, string>,
  project: readonly ProjectContract[],
  chosen: (codeHash: string) => string | undefined = () => undefined,
): (account: string) => ExitSource | undefined {
  const known = new Map<string, ExitSource>();
  return (account) => {
    const codeHash = codes.get(account);
    if (codeHash === undefined) {
      return undefined;
    }
    const source = known.get(codeHash) ?? describeContract({ codeHash }, project, chosen(codeHash));
    known.set(codeHash, source);
    return source;
  };
}
