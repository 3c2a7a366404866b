import { Cell } from '@ton/core';
import { alignListing } from './alignListing';
import { NotAlignedError } from './notAlignedError';
import { readFiftListing } from './fiftListing';
import type { ListingInstruction } from './fiftListing';
import { MarkedLines, unknownLine } from './markedLines';
import { PlaceBook } from './placeBook';
import type { SourceMap } from './sourceMap';

/** A location in the debug information of the FunC compiler. */
export interface FuncLocation {
  file: string;
  line: number;
  /** Names of the stack's slots there, the top last. */
  vars?: readonly string[];
}

/** What the FunC compiler made of a contract: as it is deployed, and with debug information. */
export interface FuncBuilds {
  name: string;
  /** The listing of the deployed code. */
  fiftCode: string;
  /** The code cell, a BoC in base64. */
  codeBoc: string;
  /** The listing with marks, and what they mean; a text says why there is none. */
  debug:
    | {
        fiftCode: string;
        locations: readonly FuncLocation[];
        /** Whether functions can be without marks, of which nothing is known then. */
        isPartial?: true | undefined;
      }
    | string;
  /** All sources by path, as the locations name them. */
  texts: ReadonlyMap<string, string>;
}

/** The lines of a FunC contract's code. The compiler tells lines only of a build with marks. */
export async function funcSourceMap({
  name,
  fiftCode,
  codeBoc,
  debug,
  texts,
}: FuncBuilds): Promise<SourceMap> {
  const code = Cell.fromBase64(codeBoc);
  const book = new PlaceBook(texts, 'func');
  const listing = readFiftListing(fiftCode);
  const lines = typeof debug === 'string' ? debug : markedLines(debug);
  const globals = [...listing.globals].map(([global, index]) => ({ name: global, index, fields: [] }));
  return alignListing(
    { name, listing, code, book, globals },
    ({ listing: instruction, procedure, isFirst }) => {
      if (typeof lines === 'string') {
        throw new NotAlignedError(lines, true);
      }
      const { place, names } = lines.of(instruction, procedure);
      return { place, names: isFirst ? names : -1 };
    },
  );

  function markedLines({
    fiftCode: marked,
    locations,
    isPartial,
  }: Exclude<FuncBuilds['debug'], string>): MarkedLines {
    const withMarks = readFiftListing(marked);
    return new MarkedLines(listing, withMarks, {
      at: (mark) => {
        const location = locations[mark];
        return location === undefined
          ? unknownLine
          : {
              place: book.placeAt(location.file, location.line),
              names: book.namesOf(location.vars),
            };
      },
      leads: () => false,
      // The line of the function's head.
      head: (procedure) => {
        if (isPartial === true && !hasMarks(withMarks.procedures.get(procedure.name)?.body ?? [])) {
          return unknownLine;
        }
        const [only, ...others] = book.functions.filter((one) => one.name === procedure.name);
        const isCertain = only !== undefined && others.length === 0;
        return { place: isCertain ? book.placeAt(only.file, only.line) : -1, names: -1 };
      },
    });
  }
}

function hasMarks(list: readonly ListingInstruction[]): boolean {
  return list.some(({ op, blocks }) => op === 'DEBUGMARK' || blocks.some(hasMarks));
}
