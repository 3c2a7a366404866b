import type { SourceLanguage } from '../contracts/abi/sourceLanguage';
import type { SourceToken } from '../contracts/abi/tokenize';
import { tokenize } from '../contracts/abi/tokenize';
import type { MappedSteps } from './mapSteps';
import type { SourceCall, SourceFunction } from './sourceMap';
import { isLibraryFile } from './sourceMap';
import { tactFunctions } from './tactFunctions';

const opening = new Set(['(', '[', '{']);
const closing = new Set([')', ']', '}']);

/** The functions that a source declares, with the lines that they take up. */
export function sourceFunctions(file: string, text: string, language: SourceLanguage): SourceFunction[] {
  const tokens = tokenize(text, language);
  const lineOf = lineCounter(text);
  if (language === 'tact') {
    return tactFunctions(tokens).map(({ name, offset, close }) => {
      return { file, name, line: lineOf(offset), end: lineOf(tokens[close]!.offset) };
    });
  }
  const found: SourceFunction[] = [];
  let depth = 0;
  let named: { name: string; line: number } | undefined;
  let declaration = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.text === '{' && depth === 0) {
      const name = nameIn(tokens.slice(declaration, index), language);
      named = name && { name: name.text, line: lineOf(name.offset) };
    }
    depth += opening.has(token.text) ? 1 : closing.has(token.text) ? -1 : 0;
    if (depth === 0 && (token.text === '}' || token.text === ';')) {
      if (token.text === '}' && named !== undefined) {
        found.push({ file, ...named, end: lineOf(token.offset) });
      }
      named = undefined;
      declaration = index + 1;
    }
  }
  return found;
}

/** The last word of a function's name, by which it is called: `save` of `Storage.save`. */
export function lastWord(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).replace(/^~/, '');
}

/** What makes it uncertain how often the rest of a statement runs. */
const choosing = new Set(['?', '&&', '||', '=>', 'while', 'until']);
const loops = new Set(['while', 'do', 'repeat', 'for', 'foreach']);

/** The calls of functions that a source makes, in its order. */
export function sourceCalls(
  file: string,
  text: string,
  language: SourceLanguage,
  functions: readonly SourceFunction[],
): SourceCall[] {
  const names = new Set(functions.map(({ name }) => lastWord(name)));
  const heads = new Set(
    functions.flatMap((one) => (one.file === file ? [`${one.line} ${lastWord(one.name)}`] : [])),
  );
  const tokens = tokenize(text, language);
  const lineOf = lineCounter(text);
  const calls: SourceCall[] = [];
  const blocks: { begin: number; isLoop: boolean }[] = [];
  let [isCertain, isLoop] = [true, false];
  for (const [index, { text: word, offset }] of tokens.entries()) {
    const around = blocks.at(-1);
    if (word === '{') {
      blocks.push({ begin: offset, isLoop: isLoop || around?.isLoop === true });
    } else if (word === '}') {
      blocks.pop();
    }
    const next = tokens[index + 1]?.text;
    const isEnd = word === ';' || word === '{' || word === '}';
    isCertain = isEnd || (isCertain && !choosing.has(word) && !choosing.has(`${word}${next}`));
    isLoop = !isEnd && (isLoop || loops.has(word));
    const name = lastWord(word);
    if (next === '(' && names.has(name)) {
      const line = lineOf(offset);
      if (!heads.has(`${line} ${name}`)) {
        const block = isCertain ? around?.begin : undefined;
        const receiver = word.slice(0, -name.length - 1);
        calls.push({
          ...{ file, name, line, block, isRepeated: around?.isLoop === true },
          given: argumentTexts(text, tokens, index + 1),
          ...(receiver === '' ? {} : { receiver }),
        });
      }
    }
  }
  return calls;
}

/** The texts of the arguments between a parenthesis and the one that closes it. */
function argumentTexts(text: string, tokens: readonly SourceToken[], open: number): string[] {
  const texts: string[] = [];
  let begin = tokens[open + 1]?.offset ?? text.length;
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    const { text: word, offset } = tokens[index]!;
    depth += opening.has(word) ? 1 : closing.has(word) ? -1 : 0;
    const isEnd = depth === 0;
    if (isEnd || (word === ',' && depth === 1)) {
      texts.push(
        text
          .slice(begin, offset)
          .trim()
          .replace(/^mutate\s+/, ''),
      );
      begin = offset + 1;
    }
    if (isEnd) {
      break;
    }
  }
  return texts.filter((one) => one !== '');
}

/** The function that a line belongs to. */
export function functionAt(functions: readonly SourceFunction[], line: number): SourceFunction | undefined {
  return functions.findLast((one) => one.line <= line && line <= one.end);
}

/** The name of the function whose head these tokens are. */
function nameIn(
  head: readonly SourceToken[],
  language: SourceLanguage,
): Pick<SourceToken, 'text' | 'offset'> | undefined {
  if (language === 'func') {
    return funcName(head);
  }
  const word = head.findLastIndex(({ text }) => text === 'fun');
  const first = head[word + 1];
  if (word < 0 || first === undefined) {
    return undefined;
  }
  // Methods are named with their type: `fun Storage.save(self)`, `fun map<K, V>.get(self, key: K)`.
  const end = head.findIndex(({ text }, index) => index > word && text === '(');
  const text = head.slice(word + 1, end < 0 ? undefined : end).map((token) => token.text);
  return { text: text.join(''), offset: first.offset };
}

/** In FunC, it is the word before the arguments; `method_id` can have some of its own. */
function funcName(head: readonly SourceToken[]): SourceToken | undefined {
  let depth = 0;
  for (let index = head.length - 1; index > 0; index -= 1) {
    const { text } = head[index]!;
    depth += text === ')' ? 1 : text === '(' ? -1 : 0;
    const before = head[index - 1]!;
    if (text === '(' && depth === 0 && before.text !== 'method_id') {
      return before;
    }
  }
  return undefined;
}

/** Returns the line of an offset, from 1; offsets are asked for in ascending order or not. */
export function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      [low, high] = starts[middle]! <= offset ? [middle, high] : [low, middle];
    }
    return low + 1;
  };
}

/** Where an inlined function has been since it began. */
interface Copy {
  /** Numbers of the places of its first and its last instruction. */
  first: number;
  last: number;
  /** Its instructions that ran: cell and bit offset. */
  ran: Set<number>;
}

/** More than the bit offsets in a cell. */
const cellBits = 1_024;

/** What the source says of functions that no instruction calls: who calls them, and whether they begin anew. */
export class InlinedCalls {
  readonly #copies = new Map<number, Copy>();
  readonly #calls = new Map<string, readonly SourceCall[]>();

  /** @param list the functions of the execution so far */
  constructor(
    private readonly lines: MappedSteps,
    private readonly list: readonly Activation[],
  ) {}

  /** The innermost running function whose source calls a function; the given one if its own source is not known. */
  callerOf(from: number, name: string): number {
    for (let index = from; index >= 0; index = this.list[index]?.parent ?? -1) {
      const one = this.list[index];
      if (one?.file === undefined || isLibraryFile(one.file)) {
        return from;
      }
      if (this.callsIn(one, name).length > 0) {
        return index;
      }
      if (!one.isInlined) {
        return from;
      }
    }
    return from;
  }

  /**
   * Whether a step of an inlined function that is running belongs to its next copy: behind others of its lines it comes
   * to its first one, at another instruction, and its caller has several calls of it. A loop comes back to the same.
   */
  isNextCopy(index: number, step: number): boolean {
    const { recording, place } = this.lines;
    const copy = this.#copies.get(index);
    const one = this.list[index];
    const caller = this.list[one?.parent ?? -1];
    return (
      copy !== undefined &&
      caller !== undefined &&
      recording.cell[step] !== -1 &&
      place[step] === copy.first &&
      copy.last !== copy.first &&
      !copy.ran.has(this.#instruction(step)) &&
      this.callsIn(caller, one?.name ?? '').length > 1
    );
  }

  /** Notes a step of a function. */
  note(index: number, step: number): void {
    const at = this.lines.place[step] ?? -1;
    if (this.list[index]?.isInlined !== true || this.lines.recording.cell[step] === -1) {
      return;
    }
    const copy = this.#copies.get(index) ?? { first: at, last: at, ran: new Set() };
    copy.last = at;
    copy.ran.add(this.#instruction(step));
    this.#copies.set(index, copy);
  }

  #instruction(step: number): number {
    const { cell, offset } = this.lines.recording;
    return (cell[step] ?? 0) * cellBits + (offset[step] ?? 0);
  }

  /** The calls of a function that the source of another one makes. */
  callsIn(caller: Pick<Activation, 'name' | 'file'>, name: string): readonly SourceCall[] {
    const key = JSON.stringify([caller.file, caller.name, lastWord(name)]);
    const known = this.#calls.get(key);
    if (known !== undefined) {
      return known;
    }
    const { functions, calls } = this.lines.map;
    const around = functions.find((one) => one.file === caller.file && one.name === caller.name);
    const found = calls.filter(
      (call) =>
        around !== undefined &&
        call.file === around.file &&
        call.name === lastWord(name) &&
        call.line >= around.line &&
        call.line <= around.end,
    );
    this.#calls.set(key, found);
    return found;
  }
}

/** A function that runs from a step on, called by another one. */
export interface Activation {
  /** Index of its caller; -1 if the VM's selection of the method called it. */
  parent: number;
  name: string;
  /** As the source map names it; undefined for assembly. */
  file: string | undefined;
  /** Its first step. */
  first: number;
  /** No instruction called it: the compiler has put it into its caller. */
  isInlined: boolean;
}
