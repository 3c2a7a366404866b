import { posix } from 'node:path';
import type { DescribedContract, ProjectDescription } from './projectDescription';
import { projectProblem } from './projectDescription';

/** What Blueprint's build files are called. */
export const compileFileEnding = '.compile.ts';

/**
 * Reads Blueprint's `NAME.compile.ts`: which files the compiler is given, and its options. The file is read, not run, so
 * what only running it would tell is named in the contract's notes.
 *
 * @param path of the file
 * @param root of the project: paths in it are relative to this folder
 */
export function readCompileFile(
  text: string,
  path: string,
  root: string,
): Pick<ProjectDescription, 'contracts' | 'problems'> {
  const name = posix.basename(path, compileFileEnding);
  const found = readObjectLiteral(text, 'compile', { folder: posix.dirname(path), root });
  if (!isObject(found)) {
    const message = 'no object named compile is written out in it';
    return { contracts: [], problems: [projectProblem(path, 1, { code: 'project-file-invalid', message })] };
  }
  const lang = found['lang'] ?? 'func';
  const key = lang === 'tolk' ? 'entrypoint' : lang === 'tact' ? 'target' : 'targets';
  const given = found[key];
  const files = typeof given === 'string' ? [given] : Array.isArray(given) ? (given as Literal[]) : [];
  if (files.length === 0 || !files.every((file) => typeof file === 'string')) {
    const message = `its ${key} is not written out, so it is not known what is compiled`;
    return { contracts: [], problems: [projectProblem(path, 1, { code: 'project-file-invalid', message })] };
  }
  const contract = {
    ...{ name, title: name, depends: [], describedIn: path },
    targets: files.map((file) => posix.resolve(root, file)),
    options: optionsOf(found),
    artifacts: [posix.resolve(root, 'build', `${name}.compiled.json`)],
    notes: notesOf(found, posix.basename(path)),
  };
  return { contracts: [contract], problems: [] };
}

function optionsOf(compile: LiteralObject): DescribedContract['options'] {
  const level = compile['optimizationLevel'] ?? compile['optLevel'];
  const { experimentalOptions, options } = compile;
  return {
    ...(typeof level === 'number' ? { optimizationLevel: level } : {}),
    ...(typeof experimentalOptions === 'string' && experimentalOptions !== '' ? { experimentalOptions } : {}),
    // Blueprint gives the compiler an object in any case.
    ...(compile['lang'] === 'tact' ? { tact: isObject(options) ? readPart(options) : {} } : {}),
  };
}

/** An object without what is not written out. */
function readPart(object: LiteralObject): object {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) =>
      value === notRead ? [] : [[key, isObject(value) ? readPart(value) : value]],
    ),
  );
}

function notesOf(compile: LiteralObject, file: string): string[] {
  const { options, optimizationLevel, optLevel, experimentalOptions, sources, buildLibrary } = compile;
  const isUnread = [options, optimizationLevel, optLevel, experimentalOptions].some(hasUnread);
  return [
    ...(isUnread
      ? [
          `${file} sets compiler options that are not written out, so they are not known here: Blueprint's build may have other code.`,
        ]
      : []),
    ...(sources === undefined
      ? []
      : [
          `${file} gives the compiler sources of its own, which are not read here: Blueprint's build may have other code.`,
        ]),
    ...(buildLibrary === true
      ? [`${file} builds a library: Blueprint deploys a cell with the hash of this code in its place.`]
      : []),
  ];
}

function hasUnread(value: Literal | undefined): boolean {
  return value === notRead || (isObject(value) && Object.values(value).some(hasUnread));
}

function isObject(value: Literal | undefined): value is LiteralObject {
  return typeof value === 'object' && !Array.isArray(value);
}

/** A value that is written out in a source; {@link notRead} stands for anything that only running it would tell. */
export type Literal = string | number | boolean | readonly Literal[] | LiteralObject | symbol;

/** Of an object literal: its members by name. */
interface LiteralObject {
  readonly [key: string]: Literal;
}

/** A value that is not written out: a function, a call, a name from elsewhere. */
export const notRead = Symbol('not read');

/** How deep values may be nested, names included. */
const mostNested = 20;
/** How many values are read: names may refer to each other many times over. */
const mostValues = 10_000;

/**
 * The value of a constant of a TypeScript file, as far as it is written out in it: literals, lists, objects, constants of
 * the same file, and paths made with `join(__dirname, …)`. Nothing is run.
 *
 * @param name of the constant
 * @param places what `__dirname` and `process.cwd()` are
 * @returns undefined if the file has no such constant
 */
export function readObjectLiteral(
  text: string,
  name: string,
  places: { folder: string; root: string },
): Literal | undefined {
  const tokens = tokensOf(text);
  const at = constantAt(tokens, name);
  return at === undefined
    ? undefined
    : new LiteralReader({ tokens, places, valuesLeft: mostValues }, at).value(0);
}

/** What readers of the same text share. */
interface Surroundings {
  readonly tokens: readonly string[];
  readonly places: { folder: string; root: string };
  valuesLeft: number;
}

/** Comments are dropped; a template without places to fill is a string. */
function tokensOf(text: string): string[] {
  const token =
    /\s+|\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[\w$]+(?:\.\d+)?|\.\.\.|=>|[^]/gy;
  return [...text.matchAll(token)].map(([one]) => one).filter((one) => !/^(?:\s|\/[/*])/.test(one));
}

/** Where the value of a constant begins. */
function constantAt(tokens: readonly string[], name: string): number | undefined {
  const declared = tokens.findIndex((one, place) => one === name && tokens[place - 1] === 'const');
  if (declared < 0) {
    return undefined;
  }
  // The type between the name and the value may hold an object type, but no `=`.
  const equals = tokens.indexOf('=', declared);
  return equals < 0 ? undefined : equals + 1;
}

class LiteralReader {
  readonly #text: Surroundings;
  readonly #tokens: readonly string[];
  #at: number;

  constructor(text: Surroundings, at: number) {
    this.#text = text;
    this.#tokens = text.tokens;
    this.#at = at;
  }

  /** The value at the current place; it must be the whole of it: a sum that begins with a literal is not this literal. */
  value(depth: number): Literal {
    const begin = this.#at;
    this.#text.valuesLeft -= 1;
    if (depth > mostNested || this.#text.valuesLeft < 0) {
      this.#skip();
      return notRead;
    }
    const found = this.#start(depth);
    while (['as', 'satisfies'].includes(this.#peek())) {
      this.#at += 2;
    }
    // A word begins the next statement.
    if (/^(?:[,)\]};]|[A-Za-z_$].*|)$/s.test(this.#peek())) {
      return found;
    }
    this.#at = begin;
    this.#skip();
    return notRead;
  }

  #start(depth: number): Literal {
    const token = this.#next();
    switch (token) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#list(depth);
      case 'true':
      case 'false':
        return token === 'true';
      case '-':
        return /^\d/.test(this.#peek()) ? -Number(this.#next()) : notRead;
      default:
        return this.#word(token, depth);
    }
  }

  #word(token: string, depth: number): Literal {
    if (/^['"`]/.test(token)) {
      return token.startsWith('`') && token.includes('${')
        ? notRead
        : token.slice(1, -1).replace(/\\(.)/gs, (_, char: string) => (char === 'n' ? '\n' : char));
    }
    if (/^\d/.test(token)) {
      return Number(token);
    }
    if (token === '__dirname') {
      return this.#text.places.folder;
    }
    if (token === 'process' && this.#take('.', 'cwd', '(', ')')) {
      return this.#text.places.root;
    }
    if (token === 'path') {
      this.#take('.');
      return this.#word(this.#next(), depth);
    }
    if (['join', 'resolve'].includes(token) && this.#take('(')) {
      const parts = this.#items(')', depth);
      return parts.every((part) => typeof part === 'string') ? posix.join(...parts) : notRead;
    }
    const constant = /^[A-Za-z_$]/.test(token) ? constantAt(this.#tokens, token) : undefined;
    return constant === undefined || /^[.([]$/.test(this.#peek())
      ? notRead
      : new LiteralReader(this.#text, constant).value(depth + 1);
  }

  #list(depth: number): Literal {
    return this.#items(']', depth);
  }

  #items(end: string, depth: number): Literal[] {
    const items: Literal[] = [];
    while (this.#peek() !== '' && !this.#take(end)) {
      items.push(this.#take('...') ? this.#spread(depth) : this.value(depth + 1));
      this.#take(',');
    }
    return items;
  }

  /** What is spread is not taken apart. */
  #spread(depth: number): Literal {
    this.value(depth + 1);
    return notRead;
  }

  #object(depth: number): LiteralObject {
    const members: [string, Literal][] = [];
    while (this.#peek() !== '' && !this.#take('}')) {
      if (this.#take('...')) {
        members.push(['...', this.#spread(depth)]);
      } else {
        members.push(this.#member(depth));
      }
      this.#take(',');
    }
    return Object.fromEntries(members);
  }

  #member(depth: number): [string, Literal] {
    const key = this.#next().replace(/^['"](.*)['"]$/s, '$1');
    if (this.#take(':')) {
      return [key, this.value(depth + 1)];
    }
    // A method, or a name that stands for its own value.
    const isShort = /^[,}]$/.test(this.#peek());
    const name = ['async', 'get'].includes(key) && !isShort ? this.#peek() : key;
    this.#at -= isShort ? 1 : 0;
    if (isShort) {
      return [name, this.value(depth + 1)];
    }
    this.#skip();
    return [name, notRead];
  }

  /** Moves to the comma or closing bracket that ends the current value. */
  #skip(): void {
    let open = 0;
    const begin = this.#at;
    for (; this.#at < this.#tokens.length; this.#at += 1) {
      const token = this.#peek();
      // A bracket that closes nothing is moved over, so that each step of the reader has an end.
      if (open === 0 && /^[,)\]}]$/.test(token) && this.#at > begin) {
        return;
      }
      open += /^[([{]$/.test(token) ? 1 : /^[)\]}]$/.test(token) ? -1 : 0;
    }
  }

  /** Moves over these tokens if they are the next. */
  #take(...wanted: readonly string[]): boolean {
    const isNext = wanted.every((one, place) => this.#tokens[this.#at + place] === one);
    this.#at += isNext ? wanted.length : 0;
    return isNext;
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #next(): string {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }
}
