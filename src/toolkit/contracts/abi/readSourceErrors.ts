import { createHash } from 'node:crypto';
import { limits } from '../../base/limits';
import { plainSource } from './readSourceConstants';
import type { SourceLanguage } from './sourceLanguage';
import type { SourceToken } from './tokenize';
import { numberOf, tokenize } from './tokenize';

/** What one source text says about exit codes. Its constants may be thrown in another file. */
export interface SourceErrors {
  /** Codes with their words: constants that are errors by their name, and literal texts of Tact's `require`. */
  named: readonly (readonly [code: number, words: string])[];
  /** All its constants, by name. */
  constants: ReadonlyMap<string, readonly [code: number, words: string]>;
  /** The names of the constants that are thrown. */
  thrown: ReadonlySet<string>;
}

/** `const ERROR_NOT_OWNER = 401`, `const int error::not_owner = 401;`, `const ERR_X: Int = 0xFFFF;` */
const declaration =
  /\bconst\s(?:int\s)?([A-Za-z_][\w:.?]{0,99})\s?(?::\s?[A-Za-z]\w{0,49}\s?)?=\s?(0x[0-9a-fA-F]{1,9}|\d{1,9})(?!\w| ?[.*+/<>|&-])/g;

/** `enum Errors { NotOwner = 401, Closed }` of Tolk. */
const enumeration = /\benum\s([A-Za-z_]\w{0,99})\s?(?::\s?\w{1,20}\s?)?\{([^{}]{0,20000})\}/g;
const member = /^\s?([A-Za-z_]\w{0,99})\s?(?:=\s?(0x[0-9a-fA-F]{1,9}|\d{1,9})\s?)?$/;

/** `throw NAME`, `throw_unless(NAME, …)`, `throwUnless(self.NAME, …)` */
const throwing =
  /\b(?:throw|throw(?:If|Unless)|nativeThrow(?:If|Unless)?|throw_(?:if|unless|arg|arg_if|arg_unless))(?: ?\(\s?|\s)(?:self\.)?([A-Za-z_][\w:.?]{0,99})(?=\s?[,;)}\n])/g;

/** The end of Tolk's `assert(condition, NAME)`. */
const assertion = /,\s?([A-Za-z_]\w{0,99}(?:\.\w{1,99})?)\s?,?\s?\)\s?$/;

/** Naming convention for error constants in all three languages. */
const isErrorName = (name: string): boolean => /err(ors?)?(?![a-z])|^exit_?code/i.test(name);

/**
 * Reads the exit codes that a Tolk, FunC, or Tact text names: its constants, and the texts of Tact's `require`, whose
 * codes Tact derives. Codes written as plain numbers, or computed, are not found.
 */
export function readSourceErrors(text: string, language: SourceLanguage): SourceErrors {
  const plain = plainSource(text);
  const constants = new Map<string, readonly [number, string]>();
  const add = (name: string, code: number): void => {
    if (constants.size < limits.sourceNames.most && code > 1 && code <= 0xffff && !constants.has(name)) {
      constants.set(name, [code, name]);
    }
  };
  for (const [, name = '', value = ''] of plain.matchAll(declaration)) {
    add(name, Number(value));
  }
  const thrown = new Set<string>();
  for (const [, name = ''] of plain.matchAll(throwing)) {
    thrown.add(name);
  }
  if (language === 'tolk') {
    for (const [, name = '', members = ''] of plain.matchAll(enumeration)) {
      membersOf(members).forEach(([own, code]) => add(`${name}.${own}`, code));
    }
    for (const statement of plain.split(';').filter((one) => one.includes('assert'))) {
      thrown.add(assertion.exec(statement)?.[1] ?? '');
    }
  }
  const named = [...constants.values()].filter(([, name]) => isErrorName(name));
  if (language === 'tact') {
    const required = tactRequireTexts(text);
    required.texts.forEach((words) => named.push([tactErrorCode(words), words]));
    required.constants.forEach((words, name) => constants.set(name, [tactErrorCode(words), words]));
    required.names.forEach((name) => thrown.add(name));
  }
  return { named, constants, thrown };
}

/**
 * The words for exit codes in a source and its imports: the first text's come first, names of errors before other
 * constants. Of a number that has several names, those that the contract can reach count; without any of these, it has
 * none.
 *
 * @param reachedWords the names in the functions that the contract can reach; undefined if that is not known. It is asked
 *   only if a number has several names: to follow all calls takes longer than everything else
 */
export function sourceErrorNames(
  parts: readonly SourceErrors[],
  reachedWords: () => ReadonlySet<string> | undefined = () => undefined,
): Map<number, string> {
  const errors = new Map<number, string>();
  const all = parts.flatMap(({ constants }) => [...constants]);
  const names = new Map<number, Set<string>>();
  for (const [, [code, words]] of all) {
    names.set(code, (names.get(code) ?? new Set()).add(words));
  }
  const reached = [...names.values()].some(({ size }) => size > 1) ? reachedWords() : undefined;
  if (reached !== undefined) {
    const own = new Set(all.flatMap(([name, [code]]) => (reached.has(name) ? code : [])));
    const isOwn = (name: string, code: number): boolean =>
      reached.has(name) || (!own.has(code) && names.get(code)?.size === 1);
    return sourceErrorNames(
      parts.map(({ named, constants, thrown }) => ({
        named: named.filter(([code, words]) => !constants.has(words) || isOwn(words, code)),
        constants: new Map([...constants].filter(([name, [code]]) => isOwn(name, code))),
        thrown,
      })),
    );
  }
  const add = ([code, words]: readonly [number, string]): void => {
    if (errors.size < limits.sourceNames.most && !errors.has(code)) {
      errors.set(code, words);
    }
  };
  parts.forEach(({ named }) => named.forEach(add));
  const thrown = new Set(parts.flatMap((part) => [...part.thrown]));
  for (const { constants } of parts) {
    for (const [name, constant] of constants) {
      if (thrown.has(name)) {
        add(constant);
      }
    }
  }
  return errors;
}

/** A member without a value is one more than the member before it. */
function membersOf(text: string): [name: string, code: number][] {
  const members: [string, number][] = [];
  let next = 0;
  for (const part of text.split(/[,;\n]/)) {
    const [, name, value] = member.exec(part) ?? [];
    if (name !== undefined) {
      const code = value === undefined ? next : Number(numberOf(value));
      members.push([name, code]);
      next = code + 1;
    } else if (part.trim() !== '') {
      // A value that is computed: those after it are unknown, until the next number.
      next = NaN;
    }
  }
  return members;
}

/** The error texts in a Tact source. */
interface TactRequireTexts {
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
function tactRequireTexts(text: string): TactRequireTexts {
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
