import type { Boc } from '../boc';
import type { CellCursor } from './cellCursor';
import type { SchemaType } from './schemaNotation';
import type { CellPath, ReadStructure, StructurePlace, StructureValue } from './structure';

/** A value with the bits before it. */
export interface ReadPart {
  prefix: string;
  isReferred: boolean;
  place: StructurePlace;
  value: StructureValue;
}

/** The numbers read so far in a constructor, which decide about fields after them. */
export type NumbersBefore = ReadonlyMap<string, bigint>;

/** What readers of dictionaries and addresses need of the reader of structures, which uses them. */
export interface PartReader {
  readonly boc: Boc;
  readonly problems: ReadStructure['problems'];
  /** The next value of a cell. */
  part(cursor: CellCursor, type: SchemaType, scope: NumbersBefore): ReadPart;
  /** A value that has a cell of its own; `prefix` are the bits before its reference. */
  cell(path: CellPath, type: SchemaType | undefined, scope: NumbersBefore, prefix: string): ReadPart;
  /** Notes a problem. */
  misfit(place: StructurePlace, reason: string): StructureValue;
  /** Counts a field; false, and the cell is broken, once there are too many. */
  count(cursor: CellCursor): boolean;
}
