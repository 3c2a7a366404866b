import { NotAlignedError } from './notAlignedError';
import { readFiftListing } from './fiftListing';
import type { FiftListing, ListingInstruction, ListingProcedure } from './fiftListing';
import type { FuncBuilds } from './funcSourceMap';
import { MarkedLines, unknownLine } from './markedLines';
import type { PlaceBook } from './placeBook';

/** Functions of the source; the compiler adds others. */
const written = /_fun_|^\$global_|^recv_|_(?:internal|external|receive|bounce)/;

/**
 * Says which names the slots of the stack have before an instruction, from a build of the FunC code that Tact has
 * written: it names the variables of the source with a dollar sign. Returns -1 where they are not certain.
 */
export function tactNames(
  listing: FiftListing,
  { fiftCode, locations }: Exclude<FuncBuilds['debug'], string>,
  book: PlaceBook,
): (instruction: ListingInstruction, procedure: ListingProcedure) => number {
  const lines = new MarkedLines(listing, readFiftListing(fiftCode), {
    at: (mark) => ({ place: -1, names: book.namesOf(locations[mark]?.vars?.map(sourceName)) }),
    leads: () => false,
    head: () => unknownLine,
  });
  return (instruction, procedure) => {
    if (!written.test(procedure.name)) {
      return -1;
    }
    try {
      return lines.of(instruction, procedure).names;
    } catch (error) {
      if (error instanceof NotAlignedError) {
        return -1;
      }
      throw error;
    }
  };
}

/** `$left` is `left`, and `$self'owner` a field of `self`. What the compiler adds has no name. */
function sourceName(name: string): string {
  return /^\$(?!fresh\$)/.test(name) ? name.slice(1).replaceAll("'", '.') : '';
}
