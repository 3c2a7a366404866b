import { createHash } from 'node:crypto';
import { limits } from '../limits';
import { tokenize } from './sourceTokens';
import type { SourceToken } from './sourceTokens';

/** The error texts in a Tact source. */
export interface TactRequireTexts {
  /** Literal texts of `require(condition, "text")`. */
  texts: ReadonlySet<string>;
  /** Names of constants used instead of a text. */
  names: ReadonlySet<string>;
  /** The source's constants that are texts, by name. */
  constants: ReadonlyMap<string, string>;
}

/**
 * The exit code that Tact derives from the text of a `require`: the first 32 bits of its SHA-256, mapped to 1000…63999.
 */
export function tactErrorCode(text: string): number {
  return (createHash('sha256').update(text).digest().readUInt32BE(0) % 63_000) + 1000;
}

/** Finds the texts of `require` in a Tact source, with their escapes resolved. */
export function tactRequireTexts(text: string): TactRequireTexts {
  const texts = new Set<string>();
  const names = new Set<string>();
  const constants = new Map<string, string>();
  const tokens = tokenize(text, 'tact');
  for (const [index, token] of tokens.entries()) {
    if (texts.size + names.size + constants.size >= limits.sourceNames.most) {
      break;
    }
    if (token.text === 'const') {
      // const NAME: String = "text";
      const [name, , , , value] = tokens.slice(index + 1, index + 6);
      const words = value === undefined ? undefined : stringOf(value);
      if (name !== undefined && words !== undefined && tokens[index + 6]?.text === ';') {
        constants.set(name.text, words);
      }
    } else if (token.text === 'require' && tokens[index + 1]?.text === '(') {
      const argument = lastArgument(tokens, index + 1);
      const words = argument === undefined ? undefined : stringOf(argument);
      if (words !== undefined) {
        texts.add(words);
      } else if (argument !== undefined) {
        names.add(argument.text);
      }
    }
  }
  return { texts, names, constants };
}

/** The last argument of a call, if it is a single token after another argument. */
function lastArgument(tokens: readonly SourceToken[], open: number): SourceToken | undefined {
  let depth = 0;
  let start = open;
  for (let index = open; index < Math.min(tokens.length, open + mostTokens); index++) {
    const { text } = tokens[index]!;
    if (/^[([{]$/.test(text)) {
      depth++;
    } else if (/^[)\]}]$/.test(text)) {
      depth--;
    } else if (text === ',' && depth === 1 && tokens[index + 1]?.text !== ')') {
      start = index;
    }
    if (depth === 0) {
      const end = tokens[index - 1]?.text === ',' ? index - 1 : index;
      return start !== open && end === start + 2 ? tokens[start + 1] : undefined;
    }
  }
  return undefined;
}

/** Tokens of a condition that are read at most. */
const mostTokens = 2000;

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', v: '\v', b: '\b', f: '\f' };

function stringOf({ text }: SourceToken): string | undefined {
  return text.length < 2 || !text.startsWith('"') || !text.endsWith('"')
    ? undefined
    : text
        .slice(1, -1)
        .replace(
          /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^]))/g,
          (_, point?: string, unit?: string, byte?: string, letter: string = '') =>
            letter === ''
              ? characterOf(Number.parseInt(point ?? unit ?? byte ?? '', 16))
              : (escapes[letter] ?? letter),
        );
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
