import type { TypePrefix } from '../abi/abiType';

/** How a value lies in the bits and references of a cell. */
export type LayoutType =
  | { kind: 'int' | 'uint'; bits: number }
  /** A length in bytes of so many bits, then the bytes (block.tlb: VarInteger, VarUInteger). */
  | { kind: 'varint' | 'varuint'; lengthBits: 4 | 5 }
  | { kind: 'coins' }
  | { kind: 'bool' | 'none' }
  /** `isRequired`: never addr_none, which the source would read as an error. */
  | { kind: 'address'; isRequired?: true }
  | { kind: 'bits'; bits: number }
  /** What is left of the cell, references included. */
  | { kind: 'rest' }
  /** A reference to a chain of cells with UTF-8 text (TEP-64, snake form). */
  | { kind: 'text' }
  /** A reference, to something of a known layout or to any cell. */
  | { kind: 'cell'; inner?: LayoutType }
  /** One bit that says whether the value follows. */
  | { kind: 'maybe'; inner: LayoutType }
  /** A dictionary: one bit, then a reference. Its entries are taken apart where the types of both are known. */
  | { kind: 'map'; key?: LayoutType; value?: LayoutType }
  | { kind: 'sequence'; items: readonly LayoutField[] }
  /** A struct of the same set. */
  | { kind: 'struct'; key: string }
  | { kind: 'union'; variants: readonly UnionVariant[] }
  | { kind: 'enum'; name: string; inner: LayoutType; members: ReadonlyMap<bigint, string> }
  /** Packed in a way that the ABI does not tell. */
  | { kind: 'unknown'; what: string };

export interface LayoutField {
  name: string;
  type: LayoutType;
  /** What the source says of it. */
  comment?: string;
  /** Its value where none is given, as stack text where it can be written so. */
  defaultText?: string;
}

interface UnionVariant {
  prefix: TypePrefix;
  /** The prefix is the union's own; else it is that of the variant, which reads it itself. */
  own: boolean;
  type: LayoutType;
}

/** A struct as it lies in a cell. */
export interface StructLayout {
  name: string;
  prefix: TypePrefix | undefined;
  /** The fields of the first cell, then those of the cell that its next reference leads to, and so on. */
  cells: readonly (readonly LayoutField[])[];
  /** What a contract keeps: chosen by name, never guessed. */
  isStorage: boolean;
  /** A contract reads it from the bodies of messages. */
  isMessage: boolean;
}

/** The structs that one file describes. */
export interface LayoutSet {
  /** The file, as it was named. */
  origin: string;
  /** The contract, where the file names it. */
  contract: string | undefined;
  /** In the order of the file. */
  structs: ReadonlyMap<string, StructLayout>;
}
