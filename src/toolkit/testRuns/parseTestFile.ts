import { escapePattern } from '../base/text';
import { scriptTokens } from './scriptTokens';
import type { ScriptToken } from './scriptTokens';

/** A `describe` or an `it` of a test file, as it is written. */
export interface WrittenTest {
  kind: 'suite' | 'test';
  /** Its name; where that is computed, what is written there. */
  name: string;
  /** The name in parts, between which anything may stand: one part if it is written as one text. */
  parts: readonly string[];
  /** One-based. */
  line: number;
  /** Line of its end. */
  end: number;
  children: readonly WrittenTest[];
}

const suites: ReadonlySet<string> = new Set(['describe', 'suite', 'context', 'fdescribe', 'xdescribe']);
const tests: ReadonlySet<string> = new Set(['it', 'test', 'specify', 'fit', 'xit', 'xtest', 'xspecify']);
/** What stands between the word and the call: `it.only.each(…)(…)`. */
const modifiers: ReadonlySet<string> = new Set([
  ...['only', 'skip', 'todo', 'failing', 'concurrent', 'sequential', 'shuffle', 'fails'],
  ...['each', 'for', 'runIf', 'skipIf'],
]);
/** These are called before the test is. */
const called: ReadonlySet<string> = new Set(['each', 'for', 'runIf', 'skipIf']);

/** Whether a file may have tests of contracts: it imports the sandbox, or a part of it. */
export function importsSandbox(text: string): boolean {
  return /['"](?:@ton\/(?:sandbox|test-utils)|ton-workbench\/sandbox)['"/]/.test(text);
}

/**
 * The tests that a file of Jest, Vitest, Mocha, or Node.js writes down. It is read by its tokens only: what a loop makes, or a
 * function of its own, is known when it has run.
 */
export function parseTestFile(text: string): WrittenTest[] {
  const tokens = scriptTokens(text);
  const lineAt = lineCounter(text);
  const top: OpenTest = { depth: 0, children: [] };
  const open = [top];
  let depth = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    if (token.text === '(') {
      depth += 1;
    } else if (token.text === ')') {
      depth -= 1;
      const last = open.at(-1)!;
      if (open.length > 1 && depth < last.depth) {
        last.test!.end = lineAt(token.start);
        open.pop();
      }
    }
    const call = callAt(tokens, index);
    if (call !== undefined) {
      const { kind, at, given } = call;
      const children: WrittenTest[] = [];
      const made = { kind, ...nameOf(tokens, at, given), line: lineAt(token.start), end: 0, children };
      made.end = made.line;
      open.at(-1)!.children.push(made);
      depth += 1;
      open.push({ depth, children, test: made });
      index = at;
    }
  }
  return top.children;
}

interface OpenTest {
  /** Of the brackets in it. */
  depth: number;
  children: WrittenTest[];
  test?: { end: number };
}

/** A call that begins a test: the index of its bracket, and whether its name has places for values. */
function callAt(
  tokens: readonly ScriptToken[],
  index: number,
): { kind: WrittenTest['kind']; at: number; given: boolean } | undefined {
  const word = tokens[index]!;
  const isSuite = suites.has(word.text);
  if (word.kind !== 'name' || !(isSuite || tests.has(word.text)) || tokens[index - 1]?.text === '.') {
    return undefined;
  }
  let at = index + 1;
  let given = false;
  while (tokens[at]?.text === '.' && modifiers.has(tokens[at + 1]?.text ?? '')) {
    const modifier = tokens[at + 1]!.text;
    at += 2;
    if (called.has(modifier)) {
      given ||= modifier === 'each' || modifier === 'for';
      at = tokens[at]?.kind === 'template' ? at + 1 : afterBrackets(tokens, at);
    }
  }
  return tokens[at]?.text === '(' ? { kind: isSuite ? 'suite' : 'test', at, given } : undefined;
}

/** The index after the bracket that closes the one at an index. */
function afterBrackets(tokens: readonly ScriptToken[], from: number): number {
  let depth = 0;
  for (let index = from; index < tokens.length; index += 1) {
    const { text } = tokens[index]!;
    if (text === '(' || text === '[' || text === '{') {
      depth += 1;
    } else if (text === ')' || text === ']' || text === '}') {
      depth -= 1;
    }
    if (depth === 0) {
      return index + 1;
    }
  }
  return tokens.length;
}

/** The first argument of a call. @param given it has places for values, such as `%s` and `$name` */
function nameOf(
  tokens: readonly ScriptToken[],
  bracket: number,
  given: boolean,
): Pick<WrittenTest, 'name' | 'parts'> {
  const parts: string[] = [''];
  const words: string[] = [];
  let depth = 0;
  for (let index = bracket + 1; index < tokens.length; index += 1) {
    const { kind, text, values } = tokens[index]!;
    if (depth === 0 && (text === ',' || text === ')')) {
      break;
    }
    depth += '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
    if (values !== undefined && depth === 0) {
      const [first = '', ...others] = values;
      parts[parts.length - 1] += first;
      parts.push(...others);
      words.push(values.join('…'));
    } else if (text !== '+' || depth > 0) {
      parts.push('');
      words.push(kind === 'name' || kind === 'number' ? '…' : '');
    }
  }
  const split = given ? parts.flatMap((part) => part.split(/%[a-z#$%]|\$[\w.#]+/)) : parts;
  const name = words.join('').replaceAll(/…+/g, '…');
  return { name: name === '' ? '…' : name, parts: split };
}

/** Lines by offset; asked in order. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  };
}

/** Most places for values in a pattern. */
const mostGaps = 6;

/**
 * A regular expression that full names fit: those of a test, or of all tests of a suite.
 *
 * @param path the test and the suites that it is in, the outermost first
 */
export function namePattern(path: readonly Pick<WrittenTest, 'parts' | 'kind'>[]): string {
  const parts = path.flatMap(({ parts: own }, index) =>
    index === 0 ? own : [...own.slice(0, 1).map((first) => `\0${first}`), ...own.slice(1)],
  );
  const joined: string[] = [];
  for (const part of parts) {
    if (part.startsWith('\0') && joined.length > 0) {
      joined[joined.length - 1] += ` ${part.slice(1)}`;
    } else if (joined.length > mostGaps) {
      joined[joined.length - 1] = '';
    } else {
      joined.push(part);
    }
  }
  const written = joined.map(escapePattern);
  return `^${written.join('.*')}${path.at(-1)?.kind === 'suite' ? ' ' : '$'}`;
}
