import type { Cell } from '@ton/core';
import { WorkbenchError } from '../errors';
import { WorkBudget } from '../limits';
import { alignProcedure } from './alignProcedure';
import type { AlignedInstruction, AlignedListing } from './alignProcedure';
import { NotAlignedError } from './notAlignedError';
import { unreadText } from './fiftListing';
import type { FiftListing, ListingProcedure } from './fiftListing';
import { codeNames } from './instructionForms';
import { readCodeTree } from './readCodeTree';
import type { CodeEntry } from './readCodeTree';
import { BranchBook } from './branchBook';
import type { PlaceBook } from './placeBook';
import { isLibraryFile } from './sourceMap';
import type { MethodMap, SourceGlobal, SourceMap, SourceMark } from './sourceMap';

/** Says what is known of an aligned instruction: its line, and the names of the slots before it. */
export type MarkInstruction = (aligned: AlignedInstruction) => Pick<SourceMark, 'place' | 'names'>;

/** A listing and the code that was assembled from it. */
export interface ListedCode {
  name: string;
  listing: FiftListing;
  code: Cell;
  /** The sources; `mark` may add to its places and names. */
  book: PlaceBook;
  globals?: readonly SourceGlobal[];
}

/**
 * Aligns a listing with the code that was assembled from it, method by method. A method is refused if its listing and
 * its code differ in anything that is read, or if none of its instructions has a line.
 */
export async function alignListing(
  { name, listing, code, book, globals = [] }: ListedCode,
  mark: MarkInstruction,
): Promise<SourceMap> {
  const { entries } = await readCodeTree(code);
  if (entries.length === 0) {
    throw new NotAlignedError('the code has no dictionary of methods');
  }
  const names = new Map([...listing.ids].map(([one, id]) => [id, one]));
  const known = await codeNames();
  const given = {
    listing,
    isKnown: (one: string) => known.has(one),
    budget: new WorkBudget('alignedInstructions'),
  };
  const branchBook = new BranchBook(book);
  const methods = entries.map((entry) => {
    const own = names.get(entry.id);
    const procedure = own === undefined ? undefined : listing.procedures.get(own);
    return procedure === undefined
      ? refused(entry, own ?? String(entry.id), 'the listing has no such method')
      : alignMethod(given, procedure, entry, mark, branchBook);
  });
  return {
    ...{ codeHash: code.hash().toString('hex'), name, language: book.language },
    ...{ places: book.places, names: book.names, methods, branches: branchBook.branches },
    functions: book.functions.filter(({ file }) => !isLibraryFile(file)),
    calls: book.calls,
    globals,
    constants: book.constants,
    libraries: book.libraries,
  };
}

function alignMethod(
  given: AlignedListing,
  procedure: ListingProcedure,
  entry: CodeEntry,
  mark: MarkInstruction,
  book: BranchBook,
): MethodMap {
  const name = procedure.name.replace(/^%|\(\)$/g, '');
  try {
    const { instructions, parents } = alignProcedure(given, procedure, entry.body);
    const marks = instructions.map((aligned): SourceMark => {
      const { cell, offset } = aligned.code;
      return { cell, offset, block: aligned.block, branch: -1, ...certain(aligned, mark) };
    });
    const unknown = instructions.filter((_, index) => marks[index]!.place < 0);
    const why = unknown.length === 0 ? undefined : unplacedReason(unknown[0]!);
    if (why !== undefined && unknown.length === marks.length) {
      return { ...refused(entry, name, why), isAlike: true };
    }
    const placed = instructions.flatMap(({ code, listing }, index) =>
      marks[index]!.place < 0 ? [] : [{ place: marks[index]!.place, code, listing, index }],
    );
    for (const [ordinal, branch] of book.number(placed)) {
      marks[placed[ordinal]!.index]!.branch = branch;
    }
    return { id: entry.id, name, unplaced: why, marks, parents };
  } catch (error) {
    if (error instanceof NotAlignedError || WorkbenchError.is(error, 'over-limit')) {
      const isAlike = !(error instanceof NotAlignedError) || error.isOfCompiler ? true : undefined;
      return { ...refused(entry, name, error.message), isAlike };
    }
    throw error;
  }
}

/** What is the same whichever of the listing's instructions it was assembled from. */
function certain(aligned: AlignedInstruction, mark: MarkInstruction): ReturnType<MarkInstruction> {
  const known = mark(aligned);
  const other = aligned.other === undefined ? known : mark(aligned.other);
  return {
    place: other.place === known.place ? known.place : -1,
    names: other.names === known.names ? known.names : -1,
  };
}

function unplacedReason({ listing: { op, operands }, other }: AlignedInstruction): string {
  return other === undefined
    ? `the compiler does not say which line ${op === unreadText ? operands[0]?.slice(0, 40) : op} is from`
    : `its listing has text that is not instructions: ${operands[0]?.slice(0, 40)}`;
}

function refused({ id, cells }: CodeEntry, name: string, why: string): MethodMap {
  return { id, name, refused: why, cells: cells(), marks: [], parents: [] };
}
