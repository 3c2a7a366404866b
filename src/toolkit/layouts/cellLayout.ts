import type { TypePrefix } from '../abi/abiType';

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
