import { crc32 } from 'node:zlib';
import type { TypePrefix } from '../abi/abiType';
import type { ContractGroup, ContractRef, ProjectContract } from '../abi/projectContract';
import { contractGroups, plainName } from '../abi/projectContract';
import { readSourceMessages } from '../abi/readSourceMessages';
import type { TlbDeclaration } from '../abi/readTlbComments';
import { funcWords } from '../abi/funcWords';
import { readTlb, readTlbComments } from '../abi/readTlbComments';
import { readTolkTexts } from '../abi/readTolkSource';
import { SourceReadings } from '../abi/sourceLanguage';
import { tokenize } from '../abi/tokenize';
import { groupBy } from '../../base/collections';
import { limits } from '../../base/limits';
import { isJettonMethod } from '../opcodes/countsJettons';
import type { LayoutSet, StorageLayout, StructLayout } from './layoutSet';
import { findStorage, calledName } from './layoutSet';
import { readLayouts } from './readLayouts';
import { readTactSourceLayouts } from './readTactSourceLayouts';
import { loadedStorage } from './loadedStorage';
import { readLoadedSource } from './loadedSource';
import { TlbLayouts, tlbText } from './tlbLayouts';
import { readTolkSourceLayouts } from './tolkLayouts';
import type { Cell } from '@ton/core';
import { contentText } from '../opcodes/bodyLines';
import { decodeByLayout } from './decodeByLayout';
import { layoutOfData } from './initialLayout';

/** A changed file makes the project a new one, whose contracts are new objects. */
const known = new WeakMap<ProjectContract, LayoutSet | undefined>();

/**
 * How the structs of a project's contracts lie in cells, in file order: from the ABIs that compilers wrote,
 * and from the sources of contracts that have none (in FunC, its TL-B comments). A Tact .abi does not say how its contract's
 * data begins, so it is used only if there is neither a package nor a source. Unreadable files are
 * skipped.
 *
 * @param pause lets other work run between two files
 */
export async function projectLayouts(
  contracts: readonly ProjectContract[],
  pause: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
): Promise<LayoutSet[]> {
  const sets: LayoutSet[] = [];
  const codesOf = codeNames(contracts);
  for (const group of contractGroups(contracts)) {
    const { parts } = group;
    const best = Math.min(...parts.map(rankOf));
    const files = [...new Set(parts.map(({ file }) => file))];
    const sources = [...new Set([...files, ...parts.flatMap(({ imports = [] }) => imports)])];
    for (const part of parts.filter((one) => one.layoutTexts !== undefined && rankOf(one) === best)) {
      if (!known.has(part)) {
        await pause();
        known.set(part, await read(part));
      }
      const set = known.get(part);
      if (set !== undefined && set.structs.size > 0) {
        sets.push({ ...set, files, sources, codes: codesOf(group) });
      }
    }
  }
  return sets.sort((a, b) => a.origin.localeCompare(b.origin));
}

/**
 * How texts name the codes of the contracts with a source, by the contract that does not name itself: by the path if
 * others have the name; those in the nearest folders first.
 */
function codeNames(contracts: readonly ProjectContract[]): (own: ContractGroup) => string[] {
  const groups = contractGroups(contracts);
  const named = groupBy(groups, ({ name }) => plainName(name));
  const within = new Map<string, ContractGroup[]>();
  for (const group of groups.filter(({ source }) => source !== undefined)) {
    for (const folder of foldersOf(group)) {
      const known = within.get(folder) ?? [];
      within.set(folder, known);
      if (known.length <= limits.codeNames.most) {
        known.push(group);
      }
    }
  }
  const textOf = ({ name, source = name }: ContractGroup): string =>
    named.get(plainName(name))?.length === 1 ? name : source;
  return (own) => {
    const near = foldersOf(own).flatMap((folder) => within.get(folder) ?? []);
    const others = [...new Set(near)].filter((group) => group !== own);
    return others.slice(0, limits.codeNames.most).map(textOf);
  };
}

/** The folders around a contract's source, from its own to the project's. */
function foldersOf({ source = '' }: ContractGroup): string[] {
  const parts = source.split('/').slice(0, -1);
  return [...parts.map((_, place) => parts.slice(0, parts.length - place).join('/')), ''];
}

function rankOf({ file, origin, hasChanged, layoutTexts }: ProjectContract): number {
  if (layoutTexts === undefined) {
    return Infinity;
  }
  switch (origin) {
    case 'compiler ABI':
      // What is older than the source is used only if that is not there.
      return hasChanged === true || file.endsWith('.abi') ? 2 : 0;
    case 'FunC source':
      // Comments can be older than the code.
      return 3;
    default:
      return 1;
  }
}

async function read(contract: ProjectContract): Promise<LayoutSet | undefined> {
  const set = await readStructs(contract);
  const constants = contract.methods.find((method) => method.constants !== undefined)?.constants;
  const ofJetton = contract.methods.some(({ name }) => isJettonMethod(name));
  return set && { ...set, ...(constants && { constants }), ...(ofJetton && { ofJetton }) };
}

async function readStructs({
  name,
  file,
  origin,
  layoutTexts: [text = '', ...imported] = [],
  schemas,
}: ProjectContract): Promise<LayoutSet | undefined> {
  try {
    switch (origin) {
      case 'Tolk source':
        return withLoaded(readTolkSourceLayouts(file, name, text, imported), 'tolk', [text, ...imported]);
      case 'FunC source':
        return withLoaded(readFuncSourceLayouts(file, name, text, imported, schemas), 'func', [
          text,
          ...imported,
        ]);
      case 'Tact source':
        return readTactSourceLayouts(file, name, text, imported);
      default:
        return await readLayouts(file, text);
    }
  } catch {
    return undefined;
  }
}

/** With the data as the source loads it by hand, if nothing declares it. */
function withLoaded(set: LayoutSet, language: 'func' | 'tolk', texts: readonly string[]): LayoutSet {
  if (set.contract === undefined || [...set.structs.values()].some(({ isStorage }) => isStorage)) {
    return set;
  }
  const readings = new SourceReadings();
  const [own = '', ...imported] = texts;
  const reached =
    language === 'func' ? funcWords(texts, readings) : readTolkTexts(own, imported, readings).uses().words;
  const loaded = loadedStorage(readLoadedSource(texts, language), set.contract, reached);
  return loaded === undefined
    ? set
    : {
        ...set,
        structs: new Map([
          ...set.structs,
          ...loaded.forms.map((form) => [form.name, form] as const),
          ...loaded.inner,
        ]),
      };
}

/**
 * How messages and data of a FunC contract lie in cells, as TL-B comments of its source describe it:
 * `;; transfer#0f8a7ea5 query_id:uint64 amount:Coins = InternalMsgBody;`, `;; storage#_ owner:MsgAddress = Storage;`.
 * A message without a tag has the opcode that the source gives its name, else the one of the two checksums of TEP
 * standards that the source has as an opcode. Comments that are not TL-B are ignored.
 *
 * @param origin the file, as shown to the user
 * @param imported texts whose comments describe messages and types used here
 * @param schemas TL-B files, which may describe other contracts, too
 */
export function readFuncSourceLayouts(
  origin: string,
  contract: string | undefined,
  text: string,
  imported: readonly string[] = [],
  schemas: readonly string[] = [],
): LayoutSet {
  const texts = [text, ...imported];
  const own = texts.map((one) => readTlbComments(one));
  const read = [...own, ...schemas.map((one) => readTlb(one))];
  const opcodes = new Map(texts.flatMap((one) => [...readSourceMessages(one)]));
  const received = new Set(texts.flatMap((one) => comparedOpcodes(one, opcodes)));
  const bodyTypes = new Set(read.flat().flatMap((declaration) => bodyTypesOf(declaration)));
  const isBody = ({ type }: TlbDeclaration): boolean => bodyTypes.has(type);
  const layouts = new TlbLayouts();
  for (const declaration of read.flat()) {
    layouts.add(declaration, prefixOf(declaration, opcodes, bodyTypes.has(declaration.type)));
  }
  const storage = read
    .map((one) => storageOf(one, contract))
    .find((declaration) => declaration !== undefined);
  const messages = read.flat().filter(isBody);
  const codeOf = (declaration: TlbDeclaration): number =>
    Number(prefixOf(declaration, opcodes, isBody(declaration))?.value ?? -1);
  const isAnyReceived = messages.some((declaration) => received.has(codeOf(declaration)));
  const isOwn = new Set(own.flat());
  const structs = new Map<string, StructLayout>();
  for (const { key, layout, declaration } of layouts.all()) {
    const isMessage =
      declaration !== undefined &&
      isBody(declaration) &&
      layout.prefix?.bits === 32 &&
      // A source also describes what it sends; what it receives, it compares.
      (received.has(codeOf(declaration)) || (!isAnyReceived && isOwn.has(declaration)));
    structs.set(key, {
      ...layout,
      isMessage,
      isStorage: declaration !== undefined && declaration === storage,
    });
  }
  return { origin, contract, structs };
}

/** The type if it is that of bodies of internal messages by its name, with what it wraps: `_ _:WalletMsg = MsgBody`. */
function bodyTypesOf({ name, type, fields }: TlbDeclaration): string[] {
  if (!/(?:msg|message)s?(?:body)?$|body$/i.test(type) || /^ext/i.test(type)) {
    return [];
  }
  const [only] = fields;
  const isWrapper = name === '_' && fields.length === 1 && only?.name === undefined;
  return isWrapper && only?.type.kind === 'named' ? [type, only.type.name] : [type];
}

/** The data of the contract: a type or constructor that says so; if there are several, the one named after the contract. */
function storageOf(
  declarations: readonly TlbDeclaration[],
  contract: string | undefined,
): TlbDeclaration | undefined {
  const found = declarations.filter(
    ({ name, type }) => /(?:storage|contract_?data|contract_?state)$/i.test(type) || name === 'storage',
  );
  const own = found.filter(
    ({ type }) => contract !== undefined && plainName(type).startsWith(plainName(contract)),
  );
  return found.length === 1 ? found[0] : own.length === 1 ? own[0] : undefined;
}

function prefixOf(
  declaration: TlbDeclaration,
  opcodes: ReadonlyMap<number, string>,
  isMessage: boolean,
): TypePrefix | undefined {
  const { tag } = declaration;
  if (tag === undefined) {
    const code = isMessage ? untaggedOpcode(declaration, opcodes) : undefined;
    return code === undefined ? undefined : { value: BigInt(code), bits: 32 };
  }
  const digits = tag.slice(1).replace('_', '');
  if (digits === '') {
    return undefined;
  }
  const isHex = tag.startsWith('#');
  const binary = [...digits]
    .map((digit) => (isHex ? parseInt(digit, 16).toString(2).padStart(4, '0') : digit))
    .join('');
  if (tag.endsWith('_')) {
    // A completion tag: the last 1 and the zeros after it do not count.
    const end = binary.lastIndexOf('1');
    return end <= 0 ? undefined : { value: BigInt(`0b${binary.slice(0, end)}`), bits: end };
  }
  // Opcodes have 32 bits, also those that are written without their leading zeros.
  const bits = isMessage && isHex && binary.length <= 32 ? 32 : binary.length;
  return { value: BigInt(`0b${binary}`), bits };
}

function untaggedOpcode(
  declaration: TlbDeclaration,
  opcodes: ReadonlyMap<number, string>,
): number | undefined {
  const named = [...opcodes].find(([, name]) => plainName(name) === plainName(declaration.name));
  if (named !== undefined) {
    return named[0];
  }
  const sum = crc32(tlbText(declaration));
  return [(sum & 0x7fff_ffff) >>> 0, (sum | 0x8000_0000) >>> 0].find((code) => opcodes.has(code));
}

/** The opcodes that a text compares with something: `op == op::transfer()`, `op == 0x0f8a7ea5`. */
function comparedOpcodes(text: string, opcodes: ReadonlyMap<number, string>): number[] {
  const byName = new Map([...opcodes].map(([code, name]) => [name, code]));
  const tokens = tokenize(text, 'func');
  const codeAt = (place: number): number[] => {
    const word = tokens[place]?.text ?? '';
    const code = /^(?:0x[0-9a-f]{1,8}|\d{1,10})$/i.test(word)
      ? Number(word)
      : byName.get(word.replace(/^op(?:::|_)/i, ''));
    return code === undefined ? [] : [code];
  };
  return tokens.flatMap(({ text: word }, place) => {
    if (word !== '==' && word !== '!=') {
      return [];
    }
    const isCall = tokens[place - 1]?.text === ')' && tokens[place - 2]?.text === '(';
    return [...codeAt(place - (isCall ? 3 : 1)), ...codeAt(place + 1)];
  });
}

/** The struct of the data of a project's contract; undefined without a name, or if nothing declares it. */
export async function projectStorage(
  contracts: readonly ProjectContract[],
  { name, file }: Partial<ContractRef>,
): Promise<StorageLayout | undefined> {
  return name === undefined ? undefined : findStorage(await projectLayouts(contracts), { name, file });
}

/**
 * Why data does not match a contract's storage, as a sentence; undefined if it matches to the last bit. Data
 * of a different struct of the same size matches, too, because cells do not contain field names.
 */
export function storageMismatch(data: Cell, storage: StorageLayout): string | undefined {
  const { layout, set } = layoutOfData(storage, data);
  const { broken, left, mismatch } = decodeByLayout(data, layout, set);
  const name = calledName(layout.name);
  if (broken) {
    return mismatch === undefined
      ? `Its data does not fit ${name}.`
      : `Its data does not fit ${name}: ${contentText(mismatch)} left for the field ${mismatch.field}.`;
  }
  return left.bits + left.refs === 0
    ? undefined
    : `Its data is longer than ${name}: ${contentText(left)} left over.`;
}
