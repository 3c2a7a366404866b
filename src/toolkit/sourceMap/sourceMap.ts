import { createHash } from 'node:crypto';
import type { SourceLanguage } from '../contracts/abi/sourceLanguage';
import type { LayoutSet } from '../contracts/layouts/layoutSet';
import type { CodeInstruction } from './readCodeTree';

/** A line of a source. */
export interface SourcePlace {
  /** As the compiler was given its path; files of the standard library begin with `@stdlib/`. */
  file: string;
  /** From 1. */
  line: number;
  /** The line without its indent. */
  text: string;
  /** The statement around it on one line, if it goes over several. */
  statement?: string | undefined;
  /** Name of the function around it; undefined outside functions. */
  function: string | undefined;
}

/** An instruction in the code, and the line that it was compiled from. */
export interface SourceMark {
  /** Hash of its code cell, lowercase hex. */
  cell: string;
  /** Bit offset in the cell. */
  offset: number;
  /** Index in the map's places; -1 if the compiler does not say, or not in which file. */
  place: number;
  /** Index in the map's lists of names; -1 if they are not known. */
  names: number;
  /** Number of its block in the method: the same cell can be the code of several. */
  block: number;
  /** Index in the map's branches; -1 if it decides nothing. */
  branch: number;
}

/** A method of the code: all of its instructions have marks, or none has. A mark can be without a place. */
export interface MethodMap {
  id: number;
  name: string;
  /** Why it has no marks; undefined if it has. */
  refused?: string | undefined;
  /** Whether its listing and its code agree as far as is known: something else is the reason. */
  isAlike?: true | undefined;
  /** Why some of its marks have no place; undefined if all have. */
  unplaced?: string | undefined;
  /** Hashes of the cells of a method without marks: they can be cells of others, too. */
  cells?: readonly string[] | undefined;
  marks: readonly SourceMark[];
  /** By block: index of the mark whose instruction holds it; -1 for the method's own. */
  parents: readonly number[];
}

/**
 * Which lines a code was compiled from: plain data, so it moves between threads. It is true for the code with this hash
 * only.
 */
export interface SourceMap {
  /** Hash of the code cell, lowercase hex. */
  codeHash: string;
  /** Name of the contract. */
  name: string;
  /** `fift`: its places are instructions, see `instructionMap`. */
  language: SourceLanguage | 'fift';
  places: readonly SourcePlace[];
  /** Names of the stack's slots, the top last. A slot without a name is an empty text. */
  names: readonly (readonly string[])[];
  methods: readonly MethodMap[];
  /** The choices that the lines of the methods make. */
  branches: readonly SourceBranch[];
  /** The functions of the sources, for reports of what never ran. */
  functions: readonly SourceFunction[];
  /** The calls of these functions, as the sources write them. */
  calls: readonly SourceCall[];
  /** The global variables that the sources name, by their numbers in c7. */
  globals: readonly SourceGlobal[];
  /** The constants that the sources declare, with the texts of their values. */
  constants: readonly SourceConstant[];
  /** The files of the compiler's standard library that have places: they are no files on this machine. */
  libraries: readonly SourceLibrary[];
  /** The variables that the sources declare; undefined if only the compiler's names are known. */
  variables?: readonly SourceVariable[] | undefined;
  /** How the structs of the sources lie in cells, if that was read. */
  layouts?: LayoutSet | undefined;
}

/** A variable of a function, from where it is declared to the end of its block. */
export interface SourceVariable {
  file: string;
  function: string;
  name: string;
  /** From 1. */
  line: number;
  end: number;
  /** Its entries of the stack that are more than what the compiler names them. */
  slots: readonly VariableSlot[];
  /** Of a parameter: its number, from 0; `self` is the first. */
  parameter?: number | undefined;
  /** Declared by `val`: nothing can change it. */
  isFixed?: true | undefined;
  /** It is the message that the contract has received: `bounced` if its type is that of one that came back. */
  isMessage?: true | 'bounced' | undefined;
  /** It is read from the body of that message: the names of the structs that it can be. */
  body?: readonly string[] | undefined;
}

/** An entry of the stack that is a variable or a field of one. */
export interface VariableSlot {
  /** As the compiler names it. */
  slot: string;
  /** As the source names it: a struct with one field has the name of the struct on the stack. */
  path: string;
  kind?: 'coins' | 'jettons' | 'bool' | undefined;
  /** Of a cell: the name of the struct in it. */
  cell?: string | undefined;
}

/** A file of a compiler's standard library. */
export interface SourceLibrary {
  file: string;
  text: string;
}

/** A global variable of a source. */
export interface SourceGlobal {
  name: string;
  /** Its number in c7. */
  index: number;
  /** Of a struct, which is a tuple there: the paths of its fields, such as `owner.id`. Empty for other values. */
  fields: readonly string[];
}

/** A constant of a source. */
export interface SourceConstant {
  name: string;
  /** What it is, as the source has it: `ton("0.05") * 2`. */
  text: string;
}

/** A choice that a line makes: an instruction that goes one of two ways. */
export interface SourceBranch {
  /** The same for all copies of an inlined function: what one copy did, its source did. */
  key: string;
  /** Index of its place. */
  place: number;
  /** `assert` throws one way, `choice` runs other code or takes another value. */
  kind: 'choice' | 'assert';
  /** How many entries of the stack are above the value that decides. */
  depth: number;
  /** Whether the first way is that of a value that is zero. */
  isNegated: boolean;
}

/** A function in a source. */
export interface SourceFunction {
  file: string;
  name: string;
  /** The line with its name, from 1. */
  line: number;
  /** The line with its closing brace. */
  end: number;
}

/** A place at which a source calls one of its functions. */
export interface SourceCall {
  file: string;
  /** The last word of the function's name: `save` of `Storage.save`. */
  name: string;
  /** From 1. */
  line: number;
  /** Where the block begins that makes it once whenever it runs to its end; undefined if it may not. */
  block: number | undefined;
  /** Whether it is in a loop. */
  isRepeated: boolean;
  /** The texts of its arguments. */
  given: readonly string[];
  /** What it is called on: `st` of `st.save()`. */
  receiver?: string | undefined;
}

/** Whether a file is part of the compiler's standard library. */
export function isLibraryFile(file: string): boolean {
  return file.startsWith('@');
}

/** What the places of {@link SourceMap} are in that has instructions instead of lines: no file on this machine. */
export function codeFile(codeHash: string): string {
  return `code ${codeHash.slice(0, 8)}`;
}

/** Whether a file is one on this machine: not of the standard library, and not the instructions of a code. */
export function isOwnFile(file: string): boolean {
  return !isLibraryFile(file) && !/^code \w{1,8}$/.test(file);
}

/** An instruction with a line. */
interface PlacedInstruction {
  /** Index of its place. */
  place: number;
  code: Pick<CodeInstruction, 'name'>;
  /** What it was assembled from, with its continuations. */
  listing: object;
}

/** The places of a map, and the statements there. */
interface BranchSources {
  places: readonly SourcePlace[];
  /** The line of a place with those that it goes on in, without comments. */
  statementAt: (place: number) => string;
}

/** What an instruction decides by a value on the stack. */
type Decision = Pick<SourceBranch, 'kind' | 'depth' | 'isNegated'>;

/** A run of instructions of one function: one for each copy of an inlined function. */
interface FunctionCopy {
  key: string;
  lines: Set<number>;
  /** By what its instructions were assembled from, in the order of the listing. */
  order: Map<object, number>;
  decisions: { index: number; place: number; form: string; at: number; decision: Decision }[];
}

/** How many continuations, or values to choose from, are above the value that decides. */
const depths: Readonly<Record<string, number>> = {
  ...{ IF: 1, IFNOT: 1, IFJMP: 1, IFNOTJMP: 1, IFELSE: 2, IFREFELSE: 1, IFELSEREF: 1, IFREFELSEREF: 0 },
  ...{ IFREF: 0, IFNOTREF: 0, IFJMPREF: 0, IFNOTJMPREF: 0 },
  ...{ IFRET: 0, IFNOTRET: 0, IFRETALT: 0, IFNOTRETALT: 0, CONDSEL: 2, CONDSELCHK: 2 },
};

/** How sources write choices and checks. */
const choiceWords = /\b(?:if|ifnot|elseif|elseifnot|match)\b|&&|\|\||=>|\?[^:?]*:/;
const checkWords = /assert|throw|require/i;

/** The branches of a map that is being made: those of copies of an inlined function are one. */
export class BranchBook {
  readonly branches: SourceBranch[] = [];
  readonly #numbers = new Map<string, number>();

  /** @param sources what the numbers of places mean; read when a method is added */
  constructor(private readonly sources: BranchSources) {}

  /**
   * Adds the branches of a method.
   *
   * @param instructions all of the method, in the order of its listing
   * @returns by index of an instruction: the number of its branch, if it decides something
   */
  number(instructions: readonly PlacedInstruction[]): ReadonlyMap<number, number> {
    const numbers = new Map<number, number>();
    for (const copy of copiesOf(instructions, this.sources)) {
      // Copies that the compiler changed are not taken for the same, so no branch counts as taken by another one.
      const lines = [...copy.lines].sort((a, b) => a - b);
      // The assembler puts a continuation before or after what it is for, by its size.
      const decisions = copy.decisions.toSorted((a, b) => a.at - b.at);
      const shape = [
        copy.key,
        ...lines,
        ...decisions.map(({ form, place }) => `${form} ${this.sources.places[place]!.line}`),
      ].join(' ');
      const digest = createHash('sha256').update(shape).digest('hex').slice(0, 32);
      decisions.forEach(({ index, place, decision }, ordinal) => {
        numbers.set(index, this.#numberOf({ key: `${digest} ${ordinal}`, place, ...decision }));
      });
    }
    return numbers;
  }

  #numberOf(branch: SourceBranch): number {
    const known = this.#numbers.get(branch.key) ?? this.branches.push(branch) - 1;
    this.#numbers.set(branch.key, known);
    return known;
  }
}

/** The copies of functions in a method. One ends where the code goes on with a function that it was inlined into. */
function copiesOf(
  instructions: readonly PlacedInstruction[],
  { places, statementAt }: BranchSources,
): readonly FunctionCopy[] {
  const copies: FunctionCopy[] = [];
  /** Those that have not ended, the innermost last. */
  const open: FunctionCopy[] = [];
  for (const [index, { place, code, listing }] of instructions.entries()) {
    const { file, line, function: name = '' } = places[place]!;
    const key = `${name} ${file}`;
    const running = open.findLastIndex((copy) => copy.key === key);
    if (running >= 0) {
      open.length = running + 1;
    } else {
      const copy = { key, lines: new Set<number>(), order: new Map<object, number>(), decisions: [] };
      copies.push(copy);
      open.push(copy);
    }
    const copy = open.at(-1)!;
    copy.lines.add(line);
    const at = copy.order.get(listing) ?? copy.order.size;
    copy.order.set(listing, at);
    const decision = decisionOf(code, () => statementAt(place));
    if (decision !== undefined) {
      copy.decisions.push({ index, place, form: formOf(code.name), at, decision });
    }
  }
  return copies;
}

/**
 * What an instruction decides. Only choices and checks that the source has count: compilers add others, such as those of
 * optional fields and prefixes of what is read. Loops decide nothing that their lines do not show.
 *
 * @param statement what it is from
 */
function decisionOf({ name }: PlacedInstruction['code'], statement: () => string): Decision | undefined {
  const depth = depths[name];
  if (depth !== undefined) {
    return choiceWords.test(statement()) ? { kind: 'choice', depth, isNegated: false } : undefined;
  }
  return /^THROW\w*IF/.test(name) && checkWords.test(statement())
    ? { kind: 'assert', depth: 0, isNegated: name.includes('NOT') }
    : undefined;
}

/** The same for instructions that differ in where their continuations are. */
function formOf(name: string): string {
  return name.replace(/_SHORT$/, '').replaceAll(/JMP|REF|ELSE|RET(?:ALT)?/g, '');
}
