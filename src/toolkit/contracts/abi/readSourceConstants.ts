import { limits } from '../../base/limits';
import { readInteger } from '../../stack/integerText';

/** `const LIMIT = 1_000`, `const LIMIT: coins = ton("0.5")`, `const int limit = 0x10;` */
const declaration =
  /\bconst\s(?:int\s)?([A-Za-z_]\w{0,99})\s?(?::\s?\w{1,50}\s?)?=\s?(?:ton\("([\d.]{1,30})"\)|(-?(?:0x[0-9a-fA-F_]{1,66}|\d[\d_]{0,78})))(?!\w|\s?[.*+/<>|&-])/g;

/** The constants of a Tolk, FunC, or Tact text that are plain numbers or amounts, by name. Computed ones are left out. */
export function readSourceConstants(text: string): Map<string, bigint> {
  const constants = new Map<string, bigint>();
  for (const [, name = '', coins, digits = ''] of plainSource(text).matchAll(declaration)) {
    const reading = readInteger(coins === undefined ? digits : `${coins}ton`);
    if ('value' in reading && constants.size < limits.sourceNames.most && !constants.has(name)) {
      constants.set(name, reading.value);
    }
  }
  return constants;
}

const anyDeclaration = /\bconst\s(?:int\s)?([A-Za-z_]\w{0,99})\s?(?::\s?\w{1,50}\s?)?=/g;
/** Longest value, in characters. */
const longestValue = 200;

/** The constants of texts with the texts of their values, computed ones, too; the first of a name counts. */
export function readConstantTexts(texts: readonly string[]): { name: string; text: string }[] {
  const found = new Map<string, string>();
  for (const text of texts.map(plainSource)) {
    for (const { 0: head, 1: name = '', index } of text.matchAll(anyDeclaration)) {
      const begin = index + head.length;
      const [value = ''] = text.slice(begin, begin + longestValue).split(/[;,\n]/, 1);
      if (found.size < limits.sourceNames.most && !found.has(name)) {
        found.set(name, value.trim());
      }
    }
  }
  return [...found].map(([name, text]) => ({ name, text }));
}

/**
 * A source in any of the three languages without comments, with each run of white space collapsed to one space or
 * line break, so that patterns match in linear time. An unclosed comment is kept.
 */
export function plainSource(text: string): string {
  if (text !== last.text) {
    last = { text, plain: withoutComments(text) };
  }
  return last.plain;
}

/** Several readers ask for the same text, one after another. */
let last = { text: '', plain: '' };

function withoutComments(text: string): string {
  const parts: string[] = [];
  const never = new Set<string>();
  const mark = /\/\/|;;|\/\*|\{-/g;
  let from = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [open] = found;
    const close = open === '/*' ? '*/' : open === '{-' ? '-}' : '\n';
    const end = never.has(close) ? -1 : text.indexOf(close, mark.lastIndex);
    if (end < 0 && close !== '\n') {
      never.add(close);
      continue;
    }
    parts.push(text.slice(from, found.index), ' ');
    from = end < 0 ? text.length : end + (close === '\n' ? 0 : close.length);
    mark.lastIndex = from;
  }
  parts.push(text.slice(from));
  return parts.join('').replace(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '));
}
