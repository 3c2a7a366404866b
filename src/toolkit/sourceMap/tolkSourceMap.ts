import { Cell } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import type { LayoutSet } from '../contracts/layouts/layoutSet';
import { readTolkSourceLayouts } from '../contracts/layouts/tolkLayouts';
import { WorkBudget } from '../base/limits';
import { isJettonMethod } from '../contracts/opcodes/countsJettons';
import { NotAlignedError } from './alignBlocks';
import type { AlignedInstruction, AlignedListing } from './alignProcedure';
import { alignProcedure } from './alignProcedure';
import type { FiftListing, ListingInstruction, ListingProcedure } from './fiftListing';
import { readFiftListing, unreadText } from './fiftListing';
import { codeNames } from './instructionForms';
import { MarkedLines, unknownLine } from './markedLines';
import { PlaceBook } from './placeBook';
import type { CodeEntry } from './readCodeTree';
import { readCodeTree } from './readCodeTree';
import type { MethodMap, SourceGlobal, SourceMap, SourceMark } from './sourceMap';
import { BranchBook, isLibraryFile } from './sourceMap';
import { tolkVariables } from './tolkVariables';

/** What the Tolk compiler made with the options `withSrcLineComments` and `withStackComments`. */
export interface CommentedTolk {
  name: string;
  /** The listing. */
  fiftCode: string;
  /** The code cell, a BoC in base64. */
  codeBoc64: string;
  /** All sources, those of the standard library included, by path; the entry file first. */
  texts: ReadonlyMap<string, string>;
}

/**
 * The lines of a Tolk contract's code. The listing's comments say the line of the instructions after them, and the
 * names of the stack's slots after the instruction before them.
 */
export async function tolkSourceMap({ name, fiftCode, codeBoc64, texts }: CommentedTolk): Promise<SourceMap> {
  const code = Cell.fromBase64(codeBoc64);
  const book = new PlaceBook(texts, 'tolk');
  const listing = readFiftListing(fiftCode);
  const globals = tolkGlobals(listing);
  // A global that is being used is on the stack, too, as `g_total` or `g_storage.owner`.
  const copies = new Set(globals.map((one) => `g_${one.name}`));
  const named = (slot: string): string => {
    const text = slotName(slot);
    return copies.has(text.split('.', 1)[0]!) ? '' : text;
  };
  const map = await alignListing(
    { name, listing, code, book, globals },
    ({ listing: { quoted, names }, isFirst }) => ({
      place: book.quoted(quoted),
      names: isFirst ? book.namesOf(names?.map(named)) : -1,
    }),
  );
  const functions = new Set(map.places.map((place) => `${place.function} ${place.file}`));
  const ofJetton = map.methods.some((method) => isJettonMethod(method.name));
  const variables = tolkVariables(texts, ofJetton).filter((one) =>
    functions.has(`${one.function} ${one.file}`),
  );
  return { ...map, variables, layouts: layoutsOf(name, texts, ofJetton) };
}

/** The structs of the sources; undefined if they are too many. */
function layoutsOf(name: string, texts: CommentedTolk['texts'], ofJetton: boolean): LayoutSet | undefined {
  const [[path, text] = ['', ''], ...others] = texts;
  try {
    const imported = others.map(([, one]) => one);
    return { ...readTolkSourceLayouts(path, name, text, imported), ofJetton };
  } catch (error) {
    if (WorkbenchError.is(error, 'over-limit')) {
      return undefined;
    }
    throw error;
  }
}

/**
 * The global variables of a Tolk listing. A struct of several values is kept in a tuple; the comments around the
 * instructions that pack it and take it apart name its fields. The compiler treats a struct of one value as that value.
 */
function tolkGlobals({ globals, procedures }: FiftListing): SourceGlobal[] {
  const fields = new Map<string, readonly string[]>();
  for (const { body } of procedures.values()) {
    readFields(body, fields);
  }
  return [...globals].flatMap(([listed, index]) => {
    // Other characters of a name in backticks are not in the listing.
    const [, name] = /^\$([A-Za-z_]\w*)$/.exec(listed) ?? [];
    return name === undefined ? [] : [{ name, index, fields: fields.get(listed) ?? [] }];
  });
}

/**
 * The name of a stack's slot in a comment. Temporary values are numbered, as in `'12` or `'56=65535`, and unread parts of
 * a message are `lazyS` and `message.USlot2`, and which one it is, `message.UTag`: none of them has a name in the source,
 * so their names are empty.
 */
function slotName(text: string): string {
  return text.startsWith("'") || text === 'lazyS' || /(?:^|\.)U(?:Slot\d+|Tag)$/.test(text)
    ? ''
    : text.split('=', 1)[0]!;
}

function readFields(block: readonly ListingInstruction[], fields: Map<string, readonly string[]>): void {
  for (const [at, { op, operands, blocks }] of block.entries()) {
    const [global = ''] = operands;
    const [before, next, afterNext] = [block[at - 1], block[at + 1], block[at + 2]];
    if (op === 'GETGLOB' && next?.op === 'UNTUPLE') {
      noteFields(global, Number(next.operands[0]), afterNext?.names, fields);
    } else if (op === 'SETGLOB' && before?.op === 'TUPLE') {
      noteFields(global, Number(before.operands[0]), before.names, fields);
    }
    blocks.forEach((inner) => readFields(inner, fields));
  }
}

/** @param names of the stack with the fields at its top */
function noteFields(
  global: string,
  count: number,
  names: readonly string[] | undefined,
  fields: Map<string, readonly string[]>,
): void {
  const prefix = `g_${global.slice(1)}.`;
  const found = names?.slice(-count).map(slotName) ?? [];
  if (found.length === count && found.every((name) => name.startsWith(prefix))) {
    fields.set(
      global,
      found.map((name) => name.slice(prefix.length)),
    );
  }
}

/** Says what is known of an aligned instruction: its line, and the names of the slots before it. */
type MarkInstruction = (aligned: AlignedInstruction) => Pick<SourceMark, 'place' | 'names'>;

/** A listing and the code that was assembled from it. */
interface ListedCode {
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
