import type { Cell } from '@ton/core';
import { WorkbenchError } from '../errors';
import { WorkBudget } from '../limits';
import { alignProcedure, NotAlignedError } from './alignProcedure';
import type { AlignedInstruction } from './alignProcedure';
import type { FiftListing, ListingProcedure } from './fiftListing';
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
 * its code differ in anything, or if one of its instructions has no line.
 */
export async function alignListing(
  { name, listing, code, book, globals = [] }: ListedCode,
  mark: MarkInstruction,
): Promise<SourceMap> {
  const { entries } = await readCodeTree(code);
  if (entries.length === 0) {
    throw new Error('the code has no dictionary of methods');
  }
  const names = new Map([...listing.ids].map(([one, id]) => [id, one]));
  const budget = new WorkBudget('alignedInstructions');
  const branchBook = new BranchBook(book);
  const methods = entries.map((entry) => {
    const own = names.get(entry.id);
    const procedure = own === undefined ? undefined : listing.procedures.get(own);
    return procedure === undefined
      ? refused(entry, own ?? String(entry.id), 'the listing has no such method')
      : alignMethod(listing, procedure, entry, mark, branchBook, budget);
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
  listing: FiftListing,
  procedure: ListingProcedure,
  entry: CodeEntry,
  mark: MarkInstruction,
  book: BranchBook,
  budget: WorkBudget,
): MethodMap {
  const name = procedure.name.replace(/^%|\(\)$/g, '');
  try {
    const { instructions, parents } = alignProcedure(listing, procedure, entry.body, budget);
    const marks = instructions.map((aligned): SourceMark => {
      const { cell, offset } = aligned.code;
      return { cell, offset, block: aligned.block, branch: -1, ...mark(aligned) };
    });
    const unknown = marks.findIndex(({ place }) => place < 0);
    if (unknown >= 0) {
      const { op } = instructions[unknown]!.listing;
      return refused(entry, name, `the compiler does not say which line ${op} is from`);
    }
    const branches = book.number(
      instructions.map(({ code, listing }, index) => ({ place: marks[index]!.place, code, listing })),
    );
    const numbered = marks.map((one, index) => ({ ...one, branch: branches.get(index) ?? -1 }));
    return { id: entry.id, name, marks: numbered, parents };
  } catch (error) {
    if (error instanceof NotAlignedError || WorkbenchError.is(error, 'over-limit')) {
      return refused(entry, name, error.message);
    }
    throw error;
  }
}

function refused({ id, cells }: CodeEntry, name: string, why: string): MethodMap {
  return { id, name, refused: why, cells: cells(), marks: [], parents: [] };
}
