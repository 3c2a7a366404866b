import { Cell } from '@ton/core';
import { readDictionary } from '../cell/tokenContent';
import { WorkbenchError } from '../base/errors';
import { WorkBudget } from '../base/limits';
import { PlaceBook } from './placeBook';
import type { CodeBody, CodeEntry, CodeInstruction } from './readCodeTree';
import { readCodeTree } from './readCodeTree';
import type { MethodMap, SourceMap, SourceMark } from './sourceMap';
import { BranchBook, isLibraryFile } from './sourceMap';

/** What a Tolk compiler since 1.4 says of the lines of a code. */
export interface CompilerMarks {
  /** The code cell, a BoC in base64; undefined if it is only in another file. */
  code: string | undefined;
  /** The texts of the sources, by the paths that the compiler was given. */
  texts: ReadonlyMap<string, string>;
  /** By hash of a code cell, lowercase hex: the lines from bit offsets on, in ascending order. */
  lines: ReadonlyMap<string, readonly MarkedOffset[]>;
}

/** Where the code of a line begins in a cell. */
export interface MarkedOffset {
  offset: number;
  file: string;
  /** From 1. */
  line: number;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads the source map of a compiler: of `acton compile --source-map`, or of a `*.source.json` that `acton build` writes,
 * which has the sources and the code, too.
 * @throws WorkbenchError `source-map-unreadable`, `over-limit`
 */
export function readCompilerMarks(text: string): CompilerMarks {
  try {
    const whole = JSON.parse(text) as Json;
    const bundle = objectOf(whole['bundle']) ?? whole;
    const map = objectOf(bundle['source_map']) ?? whole;
    const symbols = objectOf(map['symbol_types_json']) ?? map;
    const code = textOf(map['code_boc64']) ?? textOf(whole['code_boc64']);
    const files = new Map(
      listOf(symbols['files']).map((one) => [Number(one['file_id']), textOf(one['file_name']) ?? '']),
    );
    const ranges = new Map<number, readonly [file: string, line: number]>();
    listOf(map['debug_marks_json'] ?? map['debug_marks']).forEach((mark, index) => {
      const [file, line] = rangeOf(mark);
      const name = files.get(file) ?? '';
      // Code of the standard library belongs to the line that calls it.
      if (line > 0 && name !== '' && !name.startsWith('@')) {
        ranges.set(Number(mark['mark_id'] ?? index), [name, line]);
      }
    });
    const positions = positionsIn(map, code);
    const lines = [...positions].map(([hash, marks]): [string, MarkedOffset[]] => [
      hash,
      marks
        .toSorted(([a, one], [b, other]) => a - b || one - other)
        .flatMap(([offset, id]) => {
          const range = ranges.get(id);
          return range === undefined ? [] : [{ offset, file: range[0], line: range[1] }];
        }),
    ]);
    const texts = listOf(bundle['files']).flatMap((one): [string, string][] => {
      const [name, content] = [textOf(one['path']), textOf(one['content'])];
      return name === undefined || content === undefined ? [] : [[name, content]];
    });
    return { code, texts: new Map(texts), lines: new Map(lines) };
  } catch (cause) {
    if (cause instanceof WorkbenchError) {
      throw cause;
    }
    throw new WorkbenchError({
      code: 'source-map-unreadable',
      kind: 'failed',
      message: "The compiler's source map cannot be read.",
      cause,
    });
  }
}

/** A mark that says a line has a file and a line; the numbers of others are 0. */
function rangeOf(mark: Json): readonly [file: number, line: number] {
  const isLine =
    mark['kind'] === 'loc' ||
    mark['kind'] === 'leave_fun' ||
    (mark['kind'] === 'enter_fun' && mark['is_inlined'] === true);
  const range: unknown = mark['range'];
  return isLine && Array.isArray(range) ? [Number(range[0]), Number(range[1])] : [0, 0];
}

/** By cell: bit offsets with the numbers of their marks, as the VM sees them. */
function positionsIn(map: Json, code: string | undefined): Map<string, [offset: number, id: number][]> {
  const listed = objectOf(map['marks_dict']);
  if (listed !== undefined) {
    return new Map(
      Object.entries(listed).map(([hash, marks]) => [
        Buffer.from(hash, 'hex').toString('hex'),
        (marks as unknown[][]).map(([offset, id]): [number, number] => [Number(offset), Number(id)]),
      ]),
    );
  }
  const boc = textOf(map['debug_marks_base64']);
  return boc === undefined || boc === '' || code === undefined
    ? new Map<string, [number, number][]>()
    : assembledPositions(Cell.fromBase64(boc), Cell.fromBase64(code));
}

/**
 * The positions that the assembler has noted: it knows a method without the label that it has in the dictionary of
 * methods, so its hash and offsets are those of the rest of a cell.
 */
function assembledPositions(marks: Cell, code: Cell): Map<string, [offset: number, id: number][]> {
  const budget = new WorkBudget('dictionaryCells');
  const methods = new Map<string, { hash: string; before: number }>();
  if (code.refs[0] !== undefined) {
    readDictionary(code.refs[0], 19, budget, (_, value, cell) => {
      const before = cell.bits.length - value.remainingBits;
      methods.set(value.asCell().hash().toString('hex'), { hash: cell.hash().toString('hex'), before });
    });
  }
  const found = new Map<string, [number, number][]>();
  readDictionary(marks, 256, budget, (key, value) => {
    const isInside = value.loadBit();
    const noted = key.toString(16).padStart(64, '0');
    const { hash, before } = (isInside ? undefined : methods.get(noted)) ?? { hash: noted, before: 0 };
    const ids = value.loadMaybeRef();
    if (ids === null) {
      return;
    }
    const here = found.get(hash) ?? [];
    found.set(hash, here);
    readDictionary(ids, 32, budget, (id, offsets) => {
      readDictionary(offsets.loadRef(), 10, budget, (offset) => {
        here.push([Number(offset) + before, Number(id)]);
      });
    });
  });
  return found;
}

function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value)
    ? value.flatMap((one: unknown): Json[] => {
        const found = objectOf(one);
        return found === undefined ? [] : [found];
      })
    : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A code, and its compiler's own marks. */
interface MarkedCode {
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
