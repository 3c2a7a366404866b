import type { Cell } from '@ton/core';
import { BranchBook } from './branchBook';
import type { CompilerMarks } from './compilerMarks';
import { PlaceBook } from './placeBook';
import { readCodeTree } from './readCodeTree';
import type { CodeBody, CodeEntry, CodeInstruction } from './readCodeTree';
import { isLibraryFile } from './sourceMap';
import type { MethodMap, SourceMap, SourceMark } from './sourceMap';

/** A code, and its compiler's own marks. */
export interface MarkedCode {
  name: string;
  code: Cell;
  marks: Pick<CompilerMarks, 'lines'>;
  /** The sources, by the paths that the marks name. */
  texts: ReadonlyMap<string, string>;
  /** Name of a get-method. */
  methodName: (id: number) => string | undefined;
}

/**
 * The lines of a code by its compiler's own marks: an instruction has the line of the last mark up to it in its cell; one
 * before all marks of its cell, that of the instruction before it.
 */
export async function compilerSourceMap({
  name,
  code,
  marks,
  texts,
  methodName,
}: MarkedCode): Promise<SourceMap> {
  const book = new PlaceBook(texts, 'tolk');
  const branches = new BranchBook(book);
  const placeOf = ({ cell, offset }: CodeInstruction): number => {
    const last = marks.lines.get(cell)?.findLast((one) => one.offset <= offset);
    return last === undefined ? -1 : book.placeAt(last.file, last.line);
  };
  const { entries } = await readCodeTree(code);
  const methods = entries.map((entry) =>
    methodOf(entry, nameOf(entry.id) ?? methodName(entry.id), placeOf, book, branches),
  );
  return {
    ...{ codeHash: code.hash().toString('hex'), name, language: 'tolk', methods },
    ...{ places: book.places, names: book.names, branches: branches.branches },
    functions: book.functions.filter(({ file }) => !isLibraryFile(file)),
    calls: book.calls,
    globals: [],
    constants: book.constants,
    libraries: book.libraries,
  };
}

function nameOf(id: number): string | undefined {
  return id === 0 ? 'onInternalMessage' : id === -1 ? 'onExternalMessage' : undefined;
}

function methodOf(
  { id, body, cells }: CodeEntry,
  known: string | undefined,
  placeOf: (code: CodeInstruction) => number,
  { places }: PlaceBook,
  book: BranchBook,
): MethodMap {
  const marks: SourceMark[] = [];
  const codes: CodeInstruction[] = [];
  const parents: number[] = [];
  const walk = (list: CodeBody, parent: number): void => {
    const block = parents.push(parent) - 1;
    let before = -1;
    for (const code of list ?? []) {
      const place = placeOf(code);
      before = place < 0 ? before : place;
      codes.push(code);
      const index =
        marks.push({ cell: code.cell, offset: code.offset, place: before, names: -1, block, branch: -1 }) - 1;
      code.bodies.forEach((one) => walk(one, index));
    }
  };
  walk(body, -1);
  const placed = marks.flatMap(({ place }, index) =>
    place < 0 ? [] : [{ place, code: codes[index]!, listing: codes[index]!, index }],
  );
  // Functions that are called have numbers of no meaning.
  const name = known ?? places[placed[0]?.place ?? -1]?.function ?? `method ${id}`;
  if (placed.length === 0) {
    const refused = "the compiler's source map has no mark in it";
    return { id, name, refused, isAlike: true, cells: cells(), marks: [], parents: [] };
  }
  for (const [ordinal, branch] of book.number(placed)) {
    marks[placed[ordinal]!.index]!.branch = branch;
  }
  const unplaced =
    placed.length < marks.length ? "the compiler's source map has no mark before them" : undefined;
  return { id, name, unplaced, marks, parents };
}
