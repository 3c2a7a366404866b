import { WorkbenchError } from '../errors';
import { WorkBudget, limits, overLimitError } from '../limits';
import type { CallSheet, CallSheetProblem, Place, PlacedText, SheetCall } from './callSheet';
import { readExpectation } from './readExpectation';
import { readSheetValues } from './readSheetValues';
import { closingBracket, linesOf, part, placeOf, withoutComment } from './sheetText';
import type { Line } from './sheetText';

/**
 * Reads a call sheet. Never fails: errors are in `problems`.
 *
 * Lines are: `### title` before a call; `@network name`; `@name = value`; a call `target method(arguments)`, over
 * several lines while brackets are open; `expect …` after a call; `#` or `//` comments; empty lines.
 */
export function parseCallSheet(text: string): CallSheet {
  if (text.length > limits.callSheet.most) {
    return { variables: [], calls: [], problems: [limitProblem(overLimitError('callSheet'))] };
  }
  return new SheetParser(text).parse();
}

/** Reported at the beginning of the sheet. */
function limitProblem({ message, hint }: WorkbenchError): CallSheetProblem {
  return { offset: 0, length: 0, message, suggestion: hint };
}

class SheetParser {
  private readonly sheet: CallSheet = { variables: [], calls: [], problems: [] };
  private readonly lines: Line[];
  readonly #names = new Set<string>();
  readonly #brackets = new WorkBudget('sheetBrackets');
  private index = 0;
  /** The section of the next call. */
  private section: { title: string; header: Place; network?: PlacedText } | undefined;
  /** The unreadable line that should be the call: it has been reported, so the lines of that call are not. */
  private unreadable: number | undefined;

  constructor(private readonly text: string) {
    this.lines = linesOf(text);
  }

  parse(): CallSheet {
    const { sheet } = this;
    try {
      this.readLines();
    } catch (error) {
      if (!WorkbenchError.is(error, 'over-limit')) {
        throw error;
      }
      sheet.problems.unshift(limitProblem(error));
    }
    const problems = sheet.problems.concat(readSheetValues(sheet));
    return { ...sheet, problems: problems.slice(0, limits.sheetProblems.most) };
  }

  private readLines(): void {
    while (this.index < this.lines.length) {
      const line = this.lines[this.index++];
      if (line !== undefined) {
        this.readLine(line);
      }
      if (this.sheet.calls.length > limits.sheetCalls.most) {
        this.sheet.calls.pop();
        throw overLimitError('sheetCalls');
      }
    }
    this.checkEmptySection();
  }

  private readLine(line: Line): void {
    const trimmed = line.text.trim();
    if (trimmed.startsWith('###')) {
      this.checkEmptySection();
      this.unreadable = undefined;
      this.section = { title: trimmed.slice(3).trim(), header: placeOf(line, trimmed) };
    } else if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith('//')) {
      return;
    } else if (trimmed.startsWith('@') && !/^@[\w.-]+\s+[^\s(=]+\s*\(/.test(trimmed)) {
      const bare = withoutComment(line);
      this.readDirective(bare, bare.text.trim());
    } else if (/^expect\b/.test(trimmed)) {
      this.readExpectation(withoutComment(line));
    } else {
      this.readCall(line);
    }
  }

  private problem(place: Place, message: string, suggestion?: string): void {
    this.sheet.problems.push({ offset: place.offset, length: place.length, message, suggestion });
  }

  private checkEmptySection(): void {
    if (this.section !== undefined && this.unreadable === undefined) {
      this.problem(
        this.section.header,
        'No call follows this title.',
        'Write a call, such as: minter get_jetton_data()',
      );
    }
    this.section = undefined;
  }

  private readDirective(line: Line, trimmed: string): void {
    const network = /^(\s*@network\s*)(=?\s*)([^]*)/.exec(line.text.trimEnd());
    if (network !== null) {
      this.readNetwork(line, network);
      return;
    }
    const variable = /^(\s*@)([\w.-]+)(\s*)(=?)(\s*)([^]*)/.exec(line.text.trimEnd());
    if (variable === null) {
      this.problem(
        placeOf(line, trimmed),
        'This is neither @network nor a variable.',
        'Write @name = value.',
      );
      return;
    }
    const [, at = '', name = '', gap = '', equals = '', blank = '', value = ''] = variable;
    const placedName = part(line, at.length, name);
    if (this.#names.has(name)) {
      this.problem(placedName, `@${name} is set twice.`);
      return;
    }
    if (equals === '' && value !== '') {
      this.problem(placeOf(line, trimmed), 'Variables are set with =.', `Write @${name} = ${value}`);
    }
    this.#names.add(name);
    const start = at.length + name.length + gap.length + equals.length + blank.length;
    this.sheet.variables.push({ name: placedName, value: part(line, start, value) });
  }

  private readNetwork(line: Line, [, before = '', equals = '', name = '']: RegExpExecArray): void {
    const placed = part(line, before.length + equals.length, name);
    if (name === '' || equals !== '') {
      this.problem(
        placeOf(line, line.text.trim()),
        name === '' ? 'The name of a network is missing.' : '@network is written without =.',
        `Write @network ${name || 'local'}`,
      );
    }
    if (name === '') {
      return;
    }
    if (this.section !== undefined) {
      this.section.network = placed;
    } else if (this.sheet.calls.length === 0) {
      this.sheet.network = placed;
    } else {
      this.problem(placed, 'The network for a call goes between its ### line and the call.');
    }
  }

  /** `target method(arguments)`; the arguments may span lines until their bracket closes. */
  private readCall(line: Line): void {
    const match = /^(\s*)(\S+)(\s+)([^\s(]+)(\s*\()/.exec(line.text);
    if (match === null) {
      const { text } = withoutComment(line);
      const trimmed = text.trim();
      // Adjacent lines count as one error.
      if (this.unreadable !== this.index - 2) {
        this.problem(placeOf(line, trimmed), 'This is not a call.', callHelp(trimmed));
      }
      this.unreadable = this.index - 1;
      return;
    }
    const [whole, blank = '', target = '', gap = '', method = ''] = match;
    const open = line.offset + whole.length - 1;
    const { close, unclosed } = closingBracket(this.text, open, this.#brackets);
    if (close === undefined) {
      const isText = /["']/.test(this.text.charAt(unclosed));
      const what = isText ? 'This text is not closed.' : 'This bracket is not closed.';
      this.problem({ offset: unclosed, length: 1 }, what);
      this.unreadable = this.index - 1;
      return;
    }
    this.unreadable = undefined;
    this.skipTo(close);
    const targetPlace = part(line, blank.length, target);
    const section = this.section ?? { title: `${target} ${method}`, header: targetPlace };
    this.section = undefined;
    const call: SheetCall = {
      title: section.title === '' ? `${target} ${method}` : section.title,
      header: section.header,
      offset: targetPlace.offset,
      length: close + 1 - targetPlace.offset,
      target: targetPlace,
      method: part(line, blank.length + target.length + gap.length, method),
      arguments: { text: this.text.slice(open + 1, close), offset: open + 1, length: close - open - 1 },
      ...(section.network === undefined ? {} : { network: section.network }),
      expectations: [],
    };
    this.sheet.calls.push(call);
    this.checkRest(close);
  }

  /** Continues after the line that contains `offset`. */
  private skipTo(offset: number): void {
    while (this.index < this.lines.length && (this.lines[this.index]?.offset ?? 0) <= offset) {
      this.index++;
    }
  }

  private checkRest(close: number): void {
    const line = this.lines[this.index - 1];
    if (line === undefined) {
      return;
    }
    const rest = line.text.slice(close + 1 - line.offset).replace(/(?:^|\s)(?:#|\/\/)[^]*/, '');
    if (rest.trim() !== '') {
      this.problem(
        { offset: close + 1 + rest.length - rest.trimStart().length, length: rest.trim().length },
        'Nothing may follow the closing bracket.',
        /^\s*expect\b/.test(rest) ? 'An expectation goes on its own line.' : undefined,
      );
    }
  }

  private readExpectation(line: Line): void {
    const call = this.sheet.calls.at(-1);
    if (this.unreadable !== undefined) {
      return;
    }
    if (call === undefined || this.section !== undefined) {
      this.problem(placeOf(line, line.text.trim()), 'An expectation goes after its call.');
      this.unreadable = this.index - 1;
      return;
    }
    const read = readExpectation(line);
    if ('message' in read) {
      this.sheet.problems.push(read);
    } else {
      call.expectations.push(read);
    }
  }
}

/** What a line was most likely meant to be. */
function callHelp(text: string): string {
  const [, word = '', rest = ''] = /^(\S+)\s*([^]*)/.exec(text) ?? [];
  if (/^(?:expects?|assert)$/i.test(word)) {
    return `Write expect ${rest}`.trim();
  }
  const dotted = /^([\w-]+)\.([\w-]+\(.*\))$/.exec(text);
  if (dotted !== null) {
    return `Write ${dotted[1]} ${dotted[2]}`;
  }
  if (/^[\w-]+ +[\w-]+$/.test(text)) {
    return `Write ${text}()`;
  }
  return text.includes('(')
    ? 'Write a target before the method: minter get_jetton_data()'
    : 'Write target method(arguments).';
}
