import type { SourceLanguage } from '../contracts/abi/sourceLanguage';
import type { QuotedLine } from './fiftListing';
import { tokenize } from '../contracts/abi/tokenize';
import { functionAt, lineCounter, sourceCalls, sourceFunctions } from './sourceFunctions';
import { isLibraryFile } from './sourceMap';
import { readConstantTexts } from '../contracts/abi/readSourceConstants';
import type { SourceCall, SourceConstant, SourceFunction, SourceLibrary, SourcePlace } from './sourceMap';

/** Lines that a statement is read from at most. */
const mostLines = 10;

/** The places and lists of names of a map that is being made: each is kept once, under its number. */
export class PlaceBook {
  readonly places: SourcePlace[] = [];
  readonly names: (readonly string[])[] = [];
  readonly functions: readonly SourceFunction[];
  readonly #lines: ReadonlyMap<string, readonly string[]>;
  readonly #byFile = new Map<string, SourceFunction[]>();
  readonly #placeNumbers = new Map<string, number>();
  readonly #quoted = new Map<string, number>();
  readonly #nameNumbers = new Map<string, number>();
  readonly #statements = new Map<string, readonly BrokenStatement[]>();

  /** @param texts the sources, by path */
  constructor(
    private readonly texts: ReadonlyMap<string, string>,
    readonly language: SourceLanguage,
  ) {
    this.#lines = new Map([...texts].map(([file, text]) => [file, text.split(/\r\n|\n|\r/)]));
    for (const [file, text] of texts) {
      this.#byFile.set(file, sourceFunctions(file, text, language));
    }
    this.functions = [...this.#byFile.values()].flat();
  }

  /** The line of a place with those that it goes on in, up to the end of a statement or the begin of a block. */
  readonly statementAt = (place: number): string => {
    const { file, line = 1 } = this.places[place] ?? {};
    const text: string[] = [];
    for (const one of this.#lines.get(file ?? '')?.slice(line - 1, line - 1 + mostLines) ?? []) {
      const code = one.replace(/(?:\/\/|;;).*/, '').trim();
      text.push(code);
      if (/[;{}]$/.test(code)) {
        break;
      }
    }
    return text.join(' ');
  };

  /** The calls of the functions. */
  get calls(): SourceCall[] {
    return [...this.texts].flatMap(([file, text]) =>
      isLibraryFile(file) ? [] : sourceCalls(file, text, this.language, this.functions),
    );
  }

  /** The constants, those of the project before those of the standard library. */
  get constants(): SourceConstant[] {
    const files = [...this.texts].sort(
      ([one], [other]) => Number(isLibraryFile(one)) - Number(isLibraryFile(other)),
    );
    return readConstantTexts(files.map(([, text]) => text));
  }

  /** The files of the standard library that have places. */
  get libraries(): SourceLibrary[] {
    const files = new Set(this.places.map(({ file }) => file).filter(isLibraryFile));
    return [...files].map((file) => ({ file, text: this.texts.get(file) ?? '' }));
  }

  /** The number of a line of a file; -1 if there is no such line. */
  placeAt(file: string, line: number): number {
    const key = `${line} ${file}`;
    const known = this.#placeNumbers.get(key);
    if (known !== undefined) {
      return known;
    }
    const text = this.#lines.get(file)?.[line - 1]?.trim();
    if (text === undefined) {
      return -1;
    }
    const around = functionAt(this.#byFile.get(file) ?? [], line);
    const statement = this.#statementAround(file, line);
    this.places.push({
      ...{ file, line, text, function: around?.name },
      ...(statement === undefined ? {} : { statement }),
    });
    this.#placeNumbers.set(key, this.places.length - 1);
    return this.places.length - 1;
  }

  /** The statement that a line is a part of, if it goes over several: parentheses hold it together. */
  #statementAround(file: string, line: number): string | undefined {
    const known = this.#statements.get(file);
    const ranges = known ?? brokenStatements(this.texts.get(file) ?? '', this.language);
    this.#statements.set(file, ranges);
    const range = ranges.find((one) => one.first <= line && line <= one.last);
    return range === undefined
      ? undefined
      : (this.#lines.get(file) ?? [])
          .slice(range.first - 1, range.last)
          .map((one) => one.replace(/(?:\/\/|;;).*/, '').trim())
          .join(' ');
  }

  /**
   * The number of a line that a listing quotes without its file: of the only file that has this text there; -1 if no
   * file has it, or several have.
   */
  quoted(quote: QuotedLine | undefined): number {
    if (quote === undefined) {
      return -1;
    }
    const { line, text } = quote;
    const key = `${line} ${text}`;
    let place = this.#quoted.get(key);
    if (place === undefined) {
      const files = [...this.#lines].filter(([, lines]) => isQuote(text, lines[line - 1]));
      place = files.length === 1 ? this.placeAt(files[0]![0], line) : -1;
      this.#quoted.set(key, place);
    }
    return place;
  }

  /** The number of a list of names; -1 if it is not known. */
  namesOf(names: readonly string[] | undefined): number {
    if (names === undefined) {
      return -1;
    }
    const key = names.join(' ');
    const known = this.#nameNumbers.get(key);
    if (known !== undefined) {
      return known;
    }
    this.names.push(names);
    this.#nameNumbers.set(key, this.names.length - 1);
    return this.names.length - 1;
  }
}

/** Compilers leave out a line's indent, a brace before it, and what is after the statement. */
function isQuote(quote: string, line: string | undefined): boolean {
  const text = line?.trim();
  return text !== undefined && (text.startsWith(quote) || text.replace(/^\}\s*/, '').startsWith(quote));
}

/** A statement over several lines. */
interface BrokenStatement {
  first: number;
  last: number;
}

/** The statements whose parentheses open in one line and close in another. */
function brokenStatements(text: string, language: SourceLanguage): BrokenStatement[] {
  const lineOf = lineCounter(text);
  const found: BrokenStatement[] = [];
  // Lines of the parentheses and braces that are open; those of braces are 0.
  const open: number[] = [];
  for (const { text: word, offset } of tokenize(text, language)) {
    if (word === '(' || word === '[') {
      open.push(lineOf(offset));
    } else if (word === '{') {
      open.push(0);
    } else if (/^[)\]}]$/.test(word)) {
      const first = open.pop() ?? 0;
      const last = lineOf(offset);
      const isOuter = (open.at(-1) ?? 0) === 0;
      if (isOuter && first > 0 && last > first && last - first < mostLines) {
        found.push({ first, last });
      }
    }
  }
  return found;
}
