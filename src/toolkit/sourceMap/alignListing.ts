import type { Cell } from '@ton/core';
import { WorkbenchError } from '../errors';
import { WorkBudget } from '../limits';
import { alignProcedure, NotAlignedError } from './alignProcedure';
import type { AlignedInstruction } from './alignProcedure';
import type { FiftListing, ListingProcedure } from './fiftListing';
import { readCodeTree } from './readCodeTree';
import type { CodeEntry } from './readCodeTree';
import { BranchBook } from './branchBook';
import type { MethodMap, SourceMap, SourceMark, SourcePlace } from './sourceMap';

/** Says what is known of an aligned instruction: its line, and the names of the slots before it. */
export type MarkInstruction = (aligned: AlignedInstruction) => Pick<SourceMark, 'place' | 'names'>;

/**
 * Aligns a listing with the code that was assembled from it, method by method. A method is refused if its listing and
 * its code differ in anything, or if one of its instructions has no line.
 *
 * @param places what the numbers of places mean; `mark` may add to it
 */
export async function alignListing(
  listing: FiftListing,
  code: Cell,
  places: readonly SourcePlace[],
  mark: MarkInstruction,
): Promise<Pick<SourceMap, 'methods' | 'branches'>> {
  const { entries } = await readCodeTree(code);
  const names = new Map([...listing.ids].map(([name, id]) => [id, name]));
  const budget = new WorkBudget('alignedInstructions');
  const book = new BranchBook(places);
  const methods = entries.map((entry) => {
    const name = names.get(entry.id);
    const procedure = name === undefined ? undefined : listing.procedures.get(name);
    return procedure === undefined
      ? refused(entry, name ?? String(entry.id), 'the listing has no such method')
      : alignMethod(listing, procedure, entry, mark, book, budget);
  });
  return { methods, branches: book.branches };
}

function alignMethod(
  listing: FiftListing,
  procedure: ListingProcedure,
  entry: CodeEntry,
  mark: MarkInstruction,
  book: BranchBook,
  budget: WorkBudget,
): MethodMap {
  const name = procedure.name.replace(/\(\)$/, '');
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
