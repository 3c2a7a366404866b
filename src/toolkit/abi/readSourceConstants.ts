import { limits } from '../limits';
import { readInteger } from '../stack/integerText';
import { plainSource } from './plainSource';

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
