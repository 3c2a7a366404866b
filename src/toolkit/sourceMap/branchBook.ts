import { createHash } from 'node:crypto';
import type { CodeInstruction } from './readCodeTree';
import type { SourceBranch, SourcePlace } from './sourceMap';

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
