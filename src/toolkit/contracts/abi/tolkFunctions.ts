import { closersOf } from './tokenize';
import type { SourceToken } from './tokenize';

/** A function of a Tolk text, with its body as a range of the text's tokens. */
export interface TolkFunction {
  name: string;
  /** The first word of the type that it is a method of: `Storage` in `fun Storage.load()`. */
  receiver: string | undefined;
  /** Each with the first word of its declared type. */
  parameters: readonly { name: string; type: string | undefined }[];
  /** The first word of its declared result. */
  result: string | undefined;
  isGetMethod: boolean;
  tokens: readonly SourceToken[];
  /** Of all brackets among the tokens. */
  closers: ReadonlyMap<number, number>;
  /** The tokens of the body: from the first to behind the last. */
  from: number;
  to: number;
}

/** The header of a contract (Tolk 1.4): `contract Counter { storage: Storage }`, each value as its tokens' texts. */
export type TolkHeader = ReadonlyMap<string, readonly string[]>;

/** The functions of a Tolk text that have a body in Tolk, and what its contract's header says. */
export interface TolkBodies {
  functions: readonly TolkFunction[];
  header: TolkHeader | undefined;
}

export const isTolkName = (text: string | undefined): boolean => {
  // Nearly every token is ASCII, for which a pattern of all letters takes far longer.
  const first = text?.charCodeAt(0) ?? 0;
  return first < 128 ? isAsciiStart(first) : text !== undefined && /^\p{L}/u.test(text);
};

const isAsciiStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36 || code === 96;

/** Finds the functions of a Tolk text by its tokens. What is not understood is skipped. */
export function readTolkBodies(tokens: readonly SourceToken[]): TolkBodies {
  const closers = closersOf(tokens);
  const functions: TolkFunction[] = [];
  let header: TolkHeader | undefined;
  let isGetMethod = false;
  for (let place = 0; place < tokens.length; place++) {
    const text = tokens[place]?.text ?? '';
    const isOldGetter =
      text === 'get' && isTolkName(tokens[place + 1]?.text) && tokens[place + 2]?.text === '(';
    if (text === 'fun' || isOldGetter) {
      const found = readFunction(tokens, closers, place + 1, isGetMethod || isOldGetter);
      if (found.body !== undefined) {
        functions.push(found.body);
      }
      place = found.end;
      isGetMethod = false;
    } else if (text === 'contract' && tokens[place + 2]?.text === '{') {
      header = readHeader(tokens, place + 3, closers.get(place + 2) ?? tokens.length);
      place = closers.get(place + 2) ?? tokens.length;
    } else if (text === 'get' || (text === 'method_id' && tokens[place - 1]?.text === '@')) {
      isGetMethod = true;
    } else if (/^[([{]$/.test(text)) {
      place = closers.get(place) ?? tokens.length;
    }
  }
  return { functions, header };
}

/** @returns its body, unless it is written in assembler; `end` is its last token */
function readFunction(
  tokens: readonly SourceToken[],
  closers: ReadonlyMap<number, number>,
  start: number,
  isGetMethod: boolean,
): { body?: TolkFunction; end: number } {
  let place = start;
  let name = '';
  let isMethod = false;
  for (; place < tokens.length && (tokens[place]?.text !== '(' || place === start); place++) {
    const text = tokens[place]?.text ?? '';
    if (text === '(') {
      place = closers.get(place) ?? tokens.length;
    } else if (text === '<') {
      place = endOfAngles(tokens, place);
    } else if (isTolkName(text)) {
      name = text;
    }
    isMethod ||= text === '.';
  }
  const close = closers.get(place);
  if (close === undefined || name === '') {
    return { end: start };
  }
  const first = tokens[start]?.text;
  const signature = {
    name: bare(name),
    receiver: isMethod && isTolkName(first) ? bare(first ?? '') : undefined,
    parameters: readParameters(tokens, place + 1, close, closers),
    result: tokens[close + 1]?.text === ':' ? typeWord(tokens, close + 2) : undefined,
  };
  for (let open = close + 1; open < tokens.length; open++) {
    const text = tokens[open]?.text ?? '';
    if (text === '{') {
      const to = closers.get(open) ?? tokens.length;
      return { body: { ...signature, isGetMethod, tokens, closers, from: open + 1, to }, end: to };
    }
    if (['asm', 'builtin', 'fun', 'struct', 'const', 'global', 'type', ';'].includes(text)) {
      return { end: text === 'asm' || text === 'builtin' || text === ';' ? open : open - 1 };
    }
    if (text === '(' || text === '[') {
      open = closers.get(open) ?? tokens.length;
    }
  }
  return { end: tokens.length };
}

function readParameters(
  tokens: readonly SourceToken[],
  from: number,
  to: number,
  closers: ReadonlyMap<number, number>,
): TolkFunction['parameters'] {
  const parameters: { name: string; type: string | undefined }[] = [];
  let isStart = true;
  for (let place = from; place < to; place++) {
    const text = tokens[place]?.text ?? '';
    if (isStart && text !== 'mutate' && isTolkName(text)) {
      const isTyped = tokens[place + 1]?.text === ':';
      parameters.push({ name: bare(text), type: isTyped ? typeWord(tokens, place + 2) : undefined });
      isStart = false;
    } else if (/^[([{]$/.test(text)) {
      place = closers.get(place) ?? to;
    } else if (text === '<') {
      place = endOfAngles(tokens, place);
    } else if (text === ',') {
      isStart = true;
    }
  }
  return parameters;
}

/** The texts of each property's value, which ends where the next property begins. */
function readHeader(tokens: readonly SourceToken[], from: number, to: number): TolkHeader {
  const header = new Map<string, string[]>();
  let value: string[] | undefined;
  for (let place = from; place < to; place++) {
    const text = tokens[place]?.text ?? '';
    if (isTolkName(text) && tokens[place + 1]?.text === ':') {
      value = [];
      header.set(text, value);
      place++;
    } else if (text !== ',' && text !== ';') {
      value?.push(text);
    }
  }
  return header;
}

/** The position of the `>` that closes the `<` at this position; the position itself if none does soon. */
export function endOfAngles(tokens: readonly SourceToken[], open: number): number {
  let depth = 0;
  for (let place = open; place < Math.min(tokens.length, open + 200); place++) {
    const text = tokens[place]?.text ?? '';
    depth += text === '<' ? 1 : text === '>' ? -1 : 0;
    if (depth === 0) {
      return place;
    }
    if (/^[;{}]$/.test(text)) {
      break;
    }
  }
  return open;
}

function typeWord(tokens: readonly SourceToken[], place: number): string | undefined {
  const text = tokens[place]?.text;
  return isTolkName(text) ? bare(text ?? '') : undefined;
}

/** A name without its backticks. */
export function bare(name: string): string {
  return name.startsWith('`') ? name.replaceAll('`', '') : name;
}
