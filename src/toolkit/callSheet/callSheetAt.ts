import type { CallSheet, SheetCall, SheetStep } from './callSheet';
import { linesOf, replaceTexts } from './sheetText';

/** What can be written at a position of a sheet. */
export type SheetSpot =
  /** The beginning of a line: a target, a directive, an expectation, a title. */
  | { kind: 'start'; prefix: string; mayExpect: boolean }
  | { kind: 'network'; prefix: string }
  | { kind: 'method'; target: string; prefix: string; network: string | undefined }
  /** One value among others: `index` counts the preceding ones within the call's brackets. */
  | {
      kind: 'argument';
      target: string;
      method: string;
      index: number;
      prefix: string;
      network: string | undefined;
    }
  /** Inside quoted text, which is part of this argument. */
  | { kind: 'text'; target: string; method: string; index: number; network: string | undefined }
  /** After `expect`. */
  | { kind: 'subject'; prefix: string; network: string | undefined; call?: SheetCall }
  /** A part of an answer; `path` leads to the value that contains it. */
  | {
      kind: 'part';
      target: string;
      method: string;
      path: string[];
      prefix: string;
      network: string | undefined;
    }
  /** A single value: of a variable, after a comparison, or of a message's field. */
  | SendSpot;

/** Maximum characters of a line that are searched; nobody writes longer ones by hand. */
const longestLine = 4_000;

/** What can be written at `offset`. `prefix` is the preceding word, which a completion replaces. */
export function callSheetAt(text: string, sheet: CallSheet, offset: number): SheetSpot {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const line = text.slice(lineStart, offset);
  const step = sheet.steps.findLast((one) => one.offset < offset);
  const network = networkAt(text, sheet, offset);
  const send = sendSpot(text.slice(0, offset), network);
  if (send !== undefined) {
    return send;
  }
  const open = openCall(text, offset);
  if (open !== undefined) {
    const { target, method, start, quote } = open;
    const before = text.slice(start, quote ?? offset);
    const argument = { target, method, index: countValues(before), network };
    return quote === undefined
      ? { kind: 'argument', ...argument, prefix: wordBefore(before) }
      : { kind: 'text', ...argument };
  }
  const lastQuote = Math.max(line.lastIndexOf('"'), line.lastIndexOf("'"));
  if (/^\s*(?:#|\/\/)/.test(line) || /\s(?:#|\/\/)/.test(line.slice(lastQuote + 1))) {
    return /^\s*#{1,3}$/.test(line)
      ? { kind: 'start', prefix: line.trim(), mayExpect: false }
      : { kind: 'none' };
  }
  return readLine(line, network, step);
}

function readLine(line: string, network: string | undefined, step: SheetStep | undefined): SheetSpot {
  const start = /^\s*(\S*)$/.exec(line);
  if (start !== null) {
    return { kind: 'start', prefix: start[1] ?? '', mayExpect: step !== undefined };
  }
  const named = /^\s*@network\s+(\S*)$/.exec(line);
  if (named !== null) {
    return { kind: 'network', prefix: named[1] ?? '' };
  }
  const closed = line.length > longestLine ? 0 : line.lastIndexOf(')') + 1;
  const asks = /^\s*(?:expect|@[\w.-]+\s*=)\s+(\S+)\s+([^\s(]+)\(/.exec(line.slice(0, closed));
  const path = line.slice(closed);
  if (asks !== null && /^(?:\.\w*|\[[^\][]*\])+$/.test(path)) {
    const [, target = '', method = ''] = asks;
    return partSpot(target, method, path, network);
  }
  const asked = /^\s*(?:expect|@[\w.-]+\s*=)\s+([^\s\d"'=!<>([{][^\s=!<>([{]*)\s+([^\s=!<>([{]*)$/.exec(line);
  if (
    asked !== null &&
    !['exit', 'gas', 'fails', 'addr', 'cell', 'slice', 'str', 'file'].includes(asked[1] ?? '')
  ) {
    return { kind: 'method', target: asked[1] ?? '', prefix: asked[2] ?? '', network };
  }
  const value =
    /^\s*@[\w.-]+\s*=\s*([^]*)/.exec(line) ??
    /^\s*expect\s+(?:[^\s=!<>]+\s*(?:==|!=|<=|>=|<|>)|exit(?=\s)|gas(?=\s))\s*([^]*)/.exec(line);
  if (value !== null) {
    return { kind: 'value', prefix: wordBefore(value[1] ?? ''), network };
  }
  const subject = /^\s*expect\s+(\S*)$/.exec(line);
  if (subject !== null) {
    const call = step?.kind === 'call' ? { call: step } : {};
    const inner = /^(\w+)((?:\.\w*|\[[^\]]*\])+)$/.exec(subject[1] ?? '');
    return inner !== null && step?.kind === 'call'
      ? partSpot(step.target.text, step.method.text, `.${inner[0]}`, network)
      : { kind: 'subject', prefix: subject[1] ?? '', network, ...call };
  }
  const method = /^\s*([^\s@#]\S*|@[\w.-]+)\s+([^\s(]*)$/.exec(line);
  return method === null || /^(?:expect|@network)$/.test(method[1] ?? '')
    ? { kind: 'none' }
    : { kind: 'method', target: method[1] ?? '', prefix: method[2] ?? '', network };
}

/** @param path the text after the call, up to the name being typed */
function partSpot(target: string, method: string, path: string, network: string | undefined): SheetSpot {
  const parts = [...path.matchAll(/\.(\w*)|\[[^\][]*\]/g)].map(({ 0: whole, 1: name }) => name ?? whole);
  return { kind: 'part', target, method, path: parts.slice(0, -1), prefix: parts.at(-1) ?? '', network };
}

/**
 * The call whose parentheses are open at `offset`. Searched in the text, because an unfinished call is not
 * parsed.
 */
function openCall(
  text: string,
  offset: number,
): { target: string; method: string; start: number; quote?: number } | undefined {
  const calls = linesOf(text.slice(0, offset)).flatMap((line) => {
    // Per line: over a whole text, the pattern takes the scan of npm run check minutes.
    const found = /^[ \t]*(?:expect[ \t]+|@[\w.-]+[ \t]*=[ \t]*)?([^\s#(]\S*)[ \t]+([^\s(=]+)[ \t]*\(/.exec(
      line.text,
    );
    const [whole = '', target = '', method = ''] = found ?? [];
    return found === null || target === 'expect' || target === '@network'
      ? []
      : [{ target, method, start: line.offset + whole.length }];
  });
  const last = calls.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const { target, method, start } = last;
  let depth = 1;
  for (let index = start; index < offset; index++) {
    const character = text.charAt(index);
    if (character === '"') {
      const end = /(?<!\\)(?:\\\\)*"/g;
      end.lastIndex = index + 1;
      if (!end.test(text) || end.lastIndex > offset) {
        // Quoted text ends at the end of its line.
        return /[\r\n]/.test(text.slice(index, offset)) ? undefined : { target, method, start, quote: index };
      }
      index = end.lastIndex - 1;
    } else if ('([{'.includes(character)) {
      depth++;
    } else if (')]}'.includes(character) && --depth === 0) {
      return undefined;
    }
  }
  return { target, method, start };
}

/**
 * Counts the values before the cursor at the call's nesting depth. Two-word forms (`addr EQ…`) count as one.
 */
function countValues(before: string): number {
  const words = flatten(before).split(/[\s,]+/);
  // The last one is being typed, or empty after a separator.
  return words
    .slice(0, -1)
    .filter((word) => word !== '' && !/^(?:addr|cell|slice|builder|str|file)$/.test(word)).length;
}

/** Replaces quoted texts and inner brackets by one character each; an unclosed one extends to the end. */
function flatten(text: string): string {
  let depth = 0;
  let flat = '';
  for (const character of replaceTexts(text, () => 'x')) {
    if ('([{'.includes(character)) {
      flat += depth === 0 ? 'x' : '';
      depth++;
    } else if (depth > 0) {
      depth -= ')]}'.includes(character) ? 1 : 0;
    } else {
      flat += character;
    }
  }
  return flat;
}

function wordBefore(text: string): string {
  let start = text.length;
  while (start > 0 && !/[\s,()[\]{}]/.test(text.charAt(start - 1))) {
    start--;
  }
  return text.slice(start);
}

/** The network on which a call at `offset` would run. */
function networkAt(text: string, sheet: CallSheet, offset: number): string | undefined {
  const call = sheet.steps.find((one) => offset >= one.offset && offset <= one.offset + one.length);
  if (call !== undefined) {
    return (call.network ?? sheet.network)?.text;
  }
  const lines = linesOf(text.slice(0, offset)).map((line) => line.text.trimStart());
  const title = lines.findLastIndex((line) => line.startsWith('###'));
  const own =
    title < 0 ? [] : lines.slice(title).flatMap((line) => /^@network\s+(\S+)/.exec(line)?.[1] ?? []);
  return own[0] ?? sheet.network?.text;
}

/** What can be written at a position of a `send` line. */
type SendSpot =
  /** An account: the destination, or the sender. */
  | { kind: 'account'; prefix: string; network: string | undefined }
  | { kind: 'message'; target: string; prefix: string; network: string | undefined }
  /** A field's name; `given` are those already present. */
  | {
      kind: 'field';
      target: string;
      message: string;
      given: string[];
      prefix: string;
      network: string | undefined;
    }
  | { kind: 'value'; prefix: string; network: string | undefined }
  /** `from`, `comment` and the like, or the amount. */
  | { kind: 'clause'; prefix: string; network: string | undefined }
  | { kind: 'none' };

/** What can be written at the end of `before`, if a `send` line is open there. Its braces may span lines. */
function sendSpot(before: string, network: string | undefined): SendSpot | undefined {
  const line = [...before.matchAll(/^[ \t]*send[ \t]+/gm)].at(-1);
  if (line === undefined) {
    return undefined;
  }
  const rest = before.slice(line.index + line[0].length);
  const brackets: number[] = [];
  for (let index = 0; index < rest.length; index++) {
    const character = rest.charAt(index);
    if (character === '"') {
      const end = rest.indexOf('"', index + 1);
      if (end < 0) {
        return /[\r\n]/.test(rest.slice(index)) ? undefined : { kind: 'none' };
      }
      index = end;
    } else if ('([{'.includes(character)) {
      brackets.push(index);
    } else if (')]}'.includes(character)) {
      brackets.pop();
    } else if (brackets.length === 0 && /[\r\n]/.test(character)) {
      return undefined;
    } else if (/\s(?:#|\/\/)/.test(rest.slice(index, index + 3))) {
      return { kind: 'none' };
    }
  }
  return brackets[0] === undefined
    ? wordSpot(rest, network)
    : bracketSpot(rest, brackets[0], brackets.length, network);
}

function wordSpot(rest: string, network: string | undefined): SendSpot {
  const words = rest.split(/\s+/);
  const prefix = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [target = ''] = before;
  if (before.length === 0 || ['from', 'as'].includes(before.at(-1) ?? '')) {
    return { kind: 'account', prefix, network };
  }
  return before.length === 1 && !/^[\d"]/.test(prefix)
    ? { kind: 'message', target, prefix, network }
    : { kind: 'clause', prefix, network };
}

function bracketSpot(rest: string, open: number, depth: number, network: string | undefined): SendSpot {
  const prefix = rest.split(/[\s,()[\]{}:]/).at(-1) ?? '';
  const [target, message] = rest.slice(0, open).trim().split(/\s+/).slice(-2);
  const inside = rest.slice(open + 1);
  const own = inside.slice(inside.lastIndexOf(',') + 1);
  if (depth > 1 || rest.charAt(open) !== '{' || own.includes(':') || message === undefined) {
    return { kind: 'value', prefix, network };
  }
  const given = [...inside.matchAll(/\b([A-Za-z_]\w*)\s*:/g)].map(([, name = '']) => name);
  return { kind: 'field', target: rest.split(/\s+/)[0] ?? target ?? '', message, given, prefix, network };
}
