import type { SourceLanguage } from '../abi/sourceReadings';
import { tokenize } from '../abi/sourceTokens';
import type { SourceToken } from '../abi/sourceTokens';
import type { SourceCall, SourceFunction } from './sourceMap';
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
