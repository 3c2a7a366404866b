import type { AbiType, TypePrefix } from '../abi/abiType';
import { sizeByParts, typeText } from '../abi/abiType';
import type { ContractRef } from '../abi/projectContract';
import { plainName } from '../abi/projectContract';
import { isProjectFile } from '../abi/projectFile';
import { sourceLanguage } from '../abi/sourceLanguage';
import { limits } from '../../base/limits';

/** The type in Tolk syntax, for display: `uint64`, `Cell<Limits>`, `map<address, int32>`. */
export function layoutTypeText(type: LayoutType, set: LayoutSet): string {
  const inner = (part: LayoutType): string => layoutTypeText(part, set);
  switch (type.kind) {
    case 'int':
    case 'uint':
    case 'varint':
    case 'varuint':
    case 'coins':
      return typeText(stackTypeOf(type));
    case 'bits':
      return `bits${type.bits}`;
    case 'rest':
      return 'RemainingBitsAndRefs';
    case 'text':
      return 'string';
    case 'none':
      return 'null';
    case 'cell':
      return type.inner === undefined ? 'cell' : `Cell<${inner(type.inner)}>`;
    case 'maybe':
      return `${inner(type.inner)}?`;
    case 'either':
      return `Either<${inner(type.inner)}, Cell<${inner(type.inner)}>>`;
    case 'map':
      return type.key === undefined || type.value === undefined
        ? 'dict'
        : `map<${inner(type.key)}, ${inner(type.value)}>`;
    case 'sequence':
      return `(${type.items.map((item) => inner(item.type)).join(', ')})`;
    case 'struct':
      return set.structs.get(type.key)?.name ?? type.key;
    case 'union':
      return type.variants.map((variant) => inner(variant.type)).join(' | ');
    case 'enum':
      return type.name;
    case 'unknown':
      return 'unknown';
    default:
      return type.kind;
  }
}

/** Fields with their types, for display: `who: address, weight: uint32`. */
export function fieldsText(fields: readonly LayoutField[], set: LayoutSet): string {
  return fields.map(({ name, type }) => `${name}: ${layoutTypeText(type, set)}`).join(', ');
}

type NumberLayout = Extract<LayoutType, { kind: 'int' | 'uint' | 'varint' | 'varuint' | 'coins' }>;

/** The stack type of a number stored in a cell, with the same range. */
export function stackTypeOf(type: NumberLayout): Extract<AbiType, { kind: 'int' | 'coins' }> {
  switch (type.kind) {
    case 'coins':
      return { kind: 'coins' };
    case 'int':
    case 'uint':
      return { kind: 'int', bits: type.bits, signed: type.kind === 'int' };
    default:
      return {
        kind: 'int',
        bits: type.lengthBits === 4 ? 120 : 248,
        signed: type.kind === 'varint',
        isVariable: true,
      };
  }
}

/** How a value lies in the bits and references of a cell. */
export type LayoutType =
  | { kind: 'int' | 'uint'; bits: number }
  /** A length in bytes, of `lengthBits` bits, then the bytes (block.tlb: VarInteger, VarUInteger). */
  | { kind: 'varint' | 'varuint'; lengthBits: 4 | 5 }
  | { kind: 'coins' }
  | { kind: 'bool' | 'none' }
  /** `isRequired`: never addr_none, which the source would read as an error. */
  | { kind: 'address'; isRequired?: true }
  | { kind: 'bits'; bits: number }
  /** The rest of the cell, references included. */
  | { kind: 'rest' }
  /** A reference to a chain of cells with UTF-8 text (TEP-64, snake form). */
  | { kind: 'text' }
  /** A reference to a value of a known type, or to any cell. */
  | { kind: 'cell'; inner?: LayoutType }
  /** One bit that says whether the value follows. */
  | { kind: 'maybe'; inner: LayoutType }
  /** One bit that says whether the value is in a reference (TL-B: `Either X ^X`). */
  | { kind: 'either'; inner: LayoutType }
  /** A dictionary: one bit, then a reference. Its entries are decoded if both types are known. */
  | { kind: 'map'; key?: LayoutType; value?: LayoutType }
  | { kind: 'sequence'; items: readonly LayoutField[] }
  /** A struct of the same set, by its key. */
  | { kind: 'struct'; key: string }
  | { kind: 'union'; variants: readonly UnionVariant[] }
  | { kind: 'enum'; name: string; inner: LayoutType; members: ReadonlyMap<bigint, string> }
  /** Packed in a way that the ABI does not describe. */
  | { kind: 'unknown'; what: string };

export interface LayoutField {
  name: string;
  type: LayoutType;
  /** The comment in the source. */
  comment?: string;
  /** Its default, as stack text if possible. */
  defaultText?: string;
}

interface UnionVariant {
  prefix: TypePrefix;
  /** Whether the prefix is the union's own; otherwise each variant reads its own prefix. */
  own: boolean;
  type: LayoutType;
}

/** A struct as it lies in a cell. */
export interface StructLayout {
  name: string;
  prefix: TypePrefix | undefined;
  /** The fields of the first cell, then those of the cell in its next reference, and so on. */
  cells: readonly (readonly LayoutField[])[];
  /** The contract loads its data as this struct; several structs if its data has several forms. */
  isStorage: boolean;
  /** The source says that the contract is deployed with this form of its data. */
  isDeployed?: true;
  /** A contract parses message bodies as this struct. */
  isMessage: boolean;
}

/** The structs that one file describes. */
export interface LayoutSet {
  /** The file, as shown to the user. */
  origin: string;
  /** The contract's name, if the file has one. */
  contract: string | undefined;
  /** The files of the project that describe the same contract; undefined for a file of its own, outside a project. */
  files?: readonly string[];
  /**
   * The data that the contract is deployed with, if it is not its storage: the arguments of Tact's init(), which makes
   * the storage with the first message.
   */
  initial?: StructLayout;
  /** In file order. */
  structs: ReadonlyMap<string, StructLayout>;
  /** The contract is a jetton master or wallet: its coins are jettons, unless a field's name says otherwise. */
  ofJetton?: boolean;
  /** The sources that declare its types: its own, and those that it imports. */
  sources?: readonly string[];
  /** The project's other contracts, whose codes fields may hold: how a text names each code, nearest first. */
  codes?: readonly string[];
  /** Numbers that the source gives names; values of fields may use them. */
  constants?: ReadonlyMap<string, bigint>;
}

/**
 * The type, or `unknown` if it expands too far. Called for every type from the inside out: sixty nested pairs
 * are 2^60 types.
 */
export function boundedLayout(type: LayoutType): LayoutType {
  return sizeOf(type) > limits.typeParts.most ? { kind: 'unknown', what: 'a type that is too large' } : type;
}

/** The number of types within a type, itself included; repeated ones count each time. */
const sizeOf = sizeByParts(partsOf);

function partsOf(type: LayoutType): readonly LayoutType[] {
  switch (type.kind) {
    case 'sequence':
      return type.items.map((item) => item.type);
    case 'union':
      return type.variants.map((variant) => variant.type);
    case 'map':
      return [type.key, type.value].filter((part) => part !== undefined);
    default:
      return 'inner' in type && type.inner !== undefined ? [type.inner] : [];
  }
}

/** The struct of a contract's data. */
export interface StorageLayout {
  set: LayoutSet;
  layout: StructLayout;
  /** More structs that it loads its data as, if that has several forms. */
  others?: readonly StructLayout[];
}

/**
 * The struct of a contract's data, as its source or ABI declares it; undefined if neither does, or if several
 * contracts have this name and no file says which one is meant.
 */
export function findStorage(sets: readonly LayoutSet[], contract: ContractRef): StorageLayout | undefined {
  for (const set of setsOf(sets, contract)) {
    const [layout, ...others] = [...set.structs.values()].filter(({ isStorage }) => isStorage);
    if (layout !== undefined) {
      return { set, layout, ...(others.length === 0 ? {} : { others }) };
    }
  }
  return undefined;
}

/** The structs of one contract; none if several have its name and no file says which one is meant. */
export function setsOf(sets: readonly LayoutSet[], { name, file }: ContractRef): LayoutSet[] {
  const named = sets.filter(
    ({ contract }) => contract !== undefined && plainName(contract) === plainName(name),
  );
  if (file !== undefined && isProjectFile(file)) {
    const own = named.filter(({ files }) => files === undefined || files.includes(file));
    return own.length > 0 ? own : importedSets(sets, named, file);
  }
  return new Set(named.map(({ files }) => files?.join('\n'))).size < 2 ? named : [];
}

/** Those that a file imports, which the compiler builds with it: Tact's contracts that another one deploys. */
function importedSets(sets: readonly LayoutSet[], named: readonly LayoutSet[], file: string): LayoutSet[] {
  const own = sets.filter(({ files }) => files?.includes(file) === true);
  const imported = new Set(own.flatMap(({ sources = [] }) => sources));
  const found = named.filter(({ files = [] }) => files.some((one) => imported.has(one)));
  return new Set(found.map(({ files }) => files?.join('\n'))).size < 2 ? found : [];
}

/**
 * The contract that accepts the message: the one in this file, or the only one that imports it.
 * @param own the contract and the file with the lens
 */
export function receiverOf(
  sets: readonly LayoutSet[],
  message: string,
  own: Required<ContractRef>,
): ContractRef | undefined {
  const named = sets.filter(
    (set) =>
      set.contract !== undefined &&
      (set.sources ?? []).includes(own.file ?? '') &&
      [...set.structs.values()].some(({ name, isMessage }) => isMessage && name === message),
  );
  const all = [...new Map(named.map((set) => [`${set.contract} ${set.files?.join()}`, set])).values()];
  const inFile = all.find((set) => isSetOf(set, own));
  const others = all.filter((set) => !isSetOf(set, own));
  const [other] = others;
  const isImported = inFile !== undefined && others.length === 1 && !isStored(inFile) && isStored(other);
  const found = isImported ? other : (inFile ?? (others.length === 1 ? other : undefined));
  const isSource = (file: string): boolean => sourceLanguage(file) !== undefined;
  return found?.contract === undefined
    ? undefined
    : { name: found.contract, file: found.files?.find(isSource) };
}

/** Whether it is the contract of this name in this file. */
export function isSetOf({ contract, files }: LayoutSet, own: ContractRef): boolean {
  const isNamed = contract !== undefined && plainName(contract) === plainName(own.name);
  return isNamed && files?.includes(own.file ?? '') === true;
}

/** Whether a contract has data; a file that is only imported has none. */
function isStored(set: LayoutSet | undefined): boolean {
  return [...(set?.structs.values() ?? [])].some(({ isStorage }) => isStorage);
}

/** What a struct is called for people: Tact's `Gate$Data`, which no source mentions, is `the storage of Gate`. */
export function calledName(name: string): string {
  return name
    .replace(/^(.+)\$Data$/, 'the storage of $1')
    .replace(/^(.+)\$Init$/, 'init of $1')
    .replace(/^(.+)\$First$/, 'the first data of $1');
}
