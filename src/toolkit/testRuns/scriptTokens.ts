/** A token of JavaScript or TypeScript, as far as it matters for finding calls. */
export interface ScriptToken {
  kind: 'name' | 'number' | 'text' | 'template' | 'pattern' | 'sign';
  /** As it is written; of texts, patterns, and templates only the first sign. */
  text: string;
  start: number;
  /** Of a text: what it says; of a template what stands between its values. */
  values?: readonly string[];
}

/** After these, a slash begins a regular expression. */
const beforePattern: ReadonlySet<string> = new Set([
  ...['return', 'typeof', 'case', 'in', 'of', 'delete', 'void', 'throw', 'new', 'await', 'yield', 'else'],
  ...['(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';', '+', '-', '*', '%', '<', '>', '~', '^'],
]);

/** Splits a script into tokens, without comments. What is not closed ends with its file. */
export function scriptTokens(text: string): ScriptToken[] {
  const tokens: ScriptToken[] = [];
  const words = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*|\d[\w.]*/uy;
  let at = 0;
  while (at < text.length) {
    const sign = text.charAt(at);
    const next = text.charAt(at + 1);
    if (sign <= ' ') {
      at += 1;
    } else if (sign === '/' && (next === '/' || next === '*')) {
      at = next === '/' ? endOf(text, '\n', at + 2) : endOf(text, '*/', at + 2);
    } else if (sign === "'" || sign === '"') {
      const end = endOfText(text, at);
      tokens.push({ kind: 'text', text: sign, start: at, values: [said(text.slice(at + 1, end - 1))] });
      at = end;
    } else if (sign === '`') {
      const { end, values } = readTemplate(text, at);
      tokens.push({ kind: 'template', text: sign, start: at, values });
      at = end;
    } else if (sign === '/' && beginsPattern(tokens.at(-1))) {
      tokens.push({ kind: 'pattern', text: sign, start: at });
      at = endOfPattern(text, at);
    } else {
      words.lastIndex = at;
      const [word] = words.exec(text) ?? [];
      const isNumber = sign >= '0' && sign <= '9';
      tokens.push({
        kind: word === undefined ? 'sign' : isNumber ? 'number' : 'name',
        text: word ?? sign,
        start: at,
      });
      at += (word ?? sign).length;
    }
  }
  return tokens;
}

function beginsPattern(before: ScriptToken | undefined): boolean {
  return (
    before === undefined ||
    ((before.kind === 'sign' || before.kind === 'name') && beforePattern.has(before.text))
  );
}

function endOf(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found + what.length;
}

/** A text that is not closed ends with its line. */
function endOfText(text: string, from: number): number {
  const quote = text.charAt(from);
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\') {
      at += 1;
    } else if (sign === quote || sign === '\n') {
      return at + 1;
    }
  }
  return text.length;
}

function endOfPattern(text: string, from: number): number {
  let isInClass = false;
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\') {
      at += 1;
    } else if (sign === '\n' || (sign === '/' && !isInClass)) {
      return at + 1;
    } else if (sign === '[' || sign === ']') {
      isInClass = sign === '[';
    }
  }
  return text.length;
}

/** The texts between the values of a template, and its end. */
function readTemplate(text: string, from: number): { end: number; values: string[] } {
  const values: string[] = [];
  let begin = from + 1;
  for (let at = begin; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\') {
      at += 1;
    } else if (sign === '`') {
      values.push(said(text.slice(begin, at)));
      return { end: at + 1, values };
    } else if (sign === '$' && text.charAt(at + 1) === '{') {
      values.push(said(text.slice(begin, at)));
      at = endOfValue(text, at + 2) - 1;
      begin = at + 1;
    }
  }
  return { end: text.length, values: [...values, said(text.slice(begin))] };
}

/** After the bracket that closes a value of a template. */
function endOfValue(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === "'" || sign === '"') {
      at = endOfText(text, at) - 1;
    } else if (sign === '`') {
      at = readTemplate(text, at).end - 1;
    } else if (sign === '{' || sign === '}') {
      depth += sign === '{' ? 1 : -1;
      if (depth === 0) {
        return at + 1;
      }
    }
  }
  return text.length;
}

/** What a text says, without its escapes. */
function said(written: string): string {
  const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  return written.includes('\\')
    ? written.replaceAll(/\\(?:u\{?([0-9a-f]{1,6})\}?|([^]))/gi, (_all, code?: string, sign = '') =>
        code === undefined
          ? (signs[sign as string] ?? String(sign))
          : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ffff)),
      )
    : written;
}
