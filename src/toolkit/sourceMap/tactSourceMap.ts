import { Cell } from '@ton/core';
import { alignListing } from './tolkSourceMap';
import type { AlignedInstruction } from './alignProcedure';
import { NotAlignedError } from './alignBlocks';
import type { FiftListing, ListingInstruction, ListingProcedure } from './fiftListing';
import { readFiftListing } from './fiftListing';
import type { FuncBuilds } from './tolkSourceMap';
import type { TactMark } from './markTact';
import { MarkedLines, unknownLine } from './markedLines';
import { PlaceBook } from './placeBook';
import type { SourceMap } from './sourceMap';

/** What the Tact compiler made of a contract: as it is deployed, and of its sources with marks. */
export interface TactBuilds {
  name: string;
  /** The listing of the deployed code. */
  fiftCode: string;
  /** The code cell, a BoC. */
  codeBoc: Buffer;
  /** The listing with marks, and what they mean; a text says why there is none. */
  marked: { fiftCode: string; marks: readonly TactMark[] } | string;
  /** The listing of the FunC code that Tact has written, with marks that have names; undefined if there is none. */
  named?: Exclude<FuncBuilds['debug'], string> | undefined;
  /** All sources by path, as the marks name them. */
  texts: ReadonlyMap<string, string>;
}

/**
 * The lines of a Tact contract's code. The compiler tells none, but it compiles marks in a source to comments in its
 * listing. Code that it adds by itself, such as that of serialization, has the line that it is called for; the code that
 * selects a receiver has the line of the contract's head.
 */
export async function tactSourceMap({
  name,
  fiftCode,
  codeBoc,
  marked,
  named,
  texts,
}: TactBuilds): Promise<SourceMap> {
  const code = Cell.fromBoc(codeBoc)[0]!;
  const book = new PlaceBook(texts, 'tact');
  const listing = readFiftListing(fiftCode);
  const lines = typeof marked === 'string' ? marked : markedLines(marked);
  const namesOf = named && tactNames(listing, named, book);
  return alignListing({ name, listing, code, book }, ({ listing: instruction, procedure, call, isFirst }) => {
    if (typeof lines === 'string') {
      throw new NotAlignedError(lines, true);
    }
    let { place } = lines.of(instruction, procedure);
    for (let at: AlignedInstruction['call'] = call; place < 0 && at !== undefined; at = at.call) {
      ({ place } = lines.of(at.listing, at.procedure));
    }
    return { place, names: isFirst ? (namesOf?.(instruction, procedure) ?? -1) : -1 };
  });

  function markedLines({ fiftCode: text, marks }: Exclude<TactBuilds['marked'], string>): MarkedLines {
    const withMarks = readFiftListing(withDebugMarks(text));
    const at = (mark: number): { place: number; names: number } => {
      const { file, line } = marks[mark] ?? { file: '', line: 0 };
      return { place: book.placeAt(file, line), names: -1 };
    };
    return new MarkedLines(listing, withMarks, {
      at,
      leads: (mark, procedure, isBody) =>
        marks[mark]?.isHead === true && !(isBody && /^recv_(?:in|ex)ternal$/.test(procedure.name)),
      head: (procedure) => {
        const getter = /^%(.*)$/s.exec(procedure.name)?.[1];
        const first = withMarks.procedures
          .get(`$${name}$_fun_${getter}`)
          ?.body.find(({ op }) => op === 'DEBUGMARK');
        if (first !== undefined) {
          return at(Number(first.operands[0]));
        }
        return procedure.kind === 'PROC' ? contractHead() : unknownLine;
      },
    });
  }

  function contractHead(): { place: number; names: number } {
    const [only, ...others] = book.functions.filter((one) => one.name === name);
    const isCertain = only !== undefined && others.length === 0;
    return { place: isCertain ? book.placeAt(only.file, only.line) : -1, names: -1 };
  }
}

/** Functions of the source; the compiler adds others. */
const written = /_fun_|^\$global_|^recv_|_(?:internal|external|receive|bounce)/;

/**
 * Says which names the slots of the stack have before an instruction, from a build of the FunC code that Tact has
 * written: it names the variables of the source with a dollar sign. Returns -1 where they are not certain.
 */
function tactNames(
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

/** The instruction of a mark in a listing, for a function without others: a comment. */
export function markInListing(mark: number): string {
  return `// ton-workbench ${mark}`;
}

const marksInListing = /^ *\/\/ ton-workbench (\d+)$/gm;

/** A listing whose marks are instructions, as the FunC compiler writes its own. */
export function withDebugMarks(listing: string): string {
  return listing.replaceAll(marksInListing, '$1 DEBUGMARK');
}
