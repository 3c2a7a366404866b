import type { Boc } from '../boc';
import type { MapKey, NumberUnit } from './schemaNotation';

/** A cell in a tree: how it was reached from the root. */
export interface CellPath {
  /** Its number in the bag of cells. */
  cell: number;
  /** Undefined for the root. */
  parent: CellPath | undefined;
  /** Which reference of the parent leads here, 0 to 3. */
  reference: number;
}

/** Where something lies: bits `from` (inclusive) to `to` (exclusive) of a cell; what is below it counts, too. */
export interface StructurePlace {
  at: CellPath;
  from: number;
  to: number;
}

/** A named value and its place. */
export interface StructureField {
  /** Empty for an unnamed cell of fields, which count as fields of the structure around it. */
  name: string;
  place: StructurePlace;
  /** Bits before the value, as text of 0 and 1: whether it is there, or which of two forms it has. */
  prefix: string;
  /** Whether the value has a cell of its own. Its place is that cell, else a part of the cell around it. */
  isReferred: boolean;
  value: StructureValue;
}

/** A structure with fields, such as a block. */
export interface StructureRecord {
  kind: 'record';
  /** The type of block.tlb: `BlockInfo`. */
  type: string;
  /** The constructor: `block_info`. */
  name: string;
  /** The bits it begins with, as text of 0 and 1, and as block.tlb writes them: `#9bc7a987`. */
  tag: string;
  tagText: string;
  isExotic: boolean;
  fields: StructureField[];
}

/** A dictionary. Keys are text of 0 and 1. */
export interface StructureMap {
  kind: 'map';
  key: MapKey;
  entries: { key: string; field: StructureField; extra: StructureField | undefined }[];
  /** Subtrees that are pruned or cannot be read, by what their keys begin with. */
  branches: { prefix: string; field: StructureField }[];
  /** Sums at the forks of a dictionary with sums, by what the keys below begin with. */
  forks: { prefix: string; extra: StructureField }[];
  /** The sum of the whole dictionary, after its root. */
  extra: StructureField | undefined;
  isRooted: boolean;
  /** Whether it is the one of the configuration's parameters. */
  isConfiguration: boolean;
  /** The bit that says whether it is empty is part of it only if it is rooted. */
  isEmpty: boolean;
}

/** What a field holds. It knows its size, so that it can be written back without the schema. */
export type StructureValue =
  | { kind: 'number'; value: bigint; bits: number; unit: NumberUnit | undefined }
  /** Hex digits of the bits, the last one padded with zeros. */
  | { kind: 'bits'; value: string; bits: number }
  | { kind: 'variable'; value: bigint; lengthBits: number; isCoins: boolean }
  | { kind: 'flag'; value: boolean }
  /** `workchain:hex`, undefined for none. `isShort`: only the hash is stored; the workchain is the masterchain. */
  | { kind: 'address'; value: string | undefined; isShort: boolean }
  /** Missing, or a value without bits. */
  | { kind: 'none' }
  | { kind: 'present' }
  | { kind: 'group'; fields: StructureField[] }
  | StructureRecord
  | StructureMap
  /** A cell left as it is. */
  | { kind: 'cell'; cell: number }
  /** The remainder of a cell: its bits (hex), and the cells it refers to. */
  | { kind: 'rest'; value: string; bits: number; cells: number[] }
  /** Not what the schema says; nothing after it in its cell is read. */
  | { kind: 'misfit'; reason: string };

/** A cell read as a type of the schema. */
export interface ReadStructure {
  boc: Boc;
  /** Undefined: an exotic cell about a cell of unknown type. */
  type: string | undefined;
  root: StructureField;
  /** Everything that does not fit the schema or is left over; empty if the structure was read to the last bit. */
  problems: { place: StructurePlace; reason: string }[];
  /** Number of fields read. */
  fields: number;
  /** Number of pruned branches: what is below them is not in this bag of cells. */
  pruned: number;
}

/** `root`, `0.2.1`: the number of each reference on the way from the root. */
export function cellPathText(path: CellPath): string {
  const steps: number[] = [];
  for (let at = path; at.parent !== undefined; at = at.parent) {
    steps.push(at.reference);
  }
  return steps.length === 0 ? 'root' : steps.reverse().join('.');
}

/** The fields of a record, those of unnamed cells in their place. */
export function flatFields(fields: readonly StructureField[]): StructureField[] {
  return fields.flatMap((field) => (field.value.kind === 'group' ? flatFields(field.value.fields) : [field]));
}
