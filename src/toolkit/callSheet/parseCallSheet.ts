import { WorkbenchError } from '../base/errors';
import { WorkBudget, limits, overLimitError } from '../base/limits';
import type {
  AnswerPart,
  CallSheet,
  CallSheetProblem,
  ConcurrentMark,
  Expectation,
  Place,
  PlacedText,
  SheetCall,
  SheetStep,
} from './callSheet';
import {
  beginsCall,
  callHelp,
  readExpectation,
  readMethodCall,
  readPath,
  unclosedProblem,
} from './readMethodCall';
import { concurrentProblems, readConcurrentMark } from './concurrentMark';
import { readSheetValues } from './textsOfSheet';
import { beginsStep, readStepLine } from './readStepLine';
import type { Line } from './sheetText';
import { lineNumberAt, linesOf, part, placeOf, wholeLine, withoutComment } from './sheetText';

/**
 * Reads a call sheet. Never fails: errors are in `problems`.
 *
 * Lines are: `### title` above a scenario; `@network name`; `@restore`; `@concurrent`; `@name = value`, or `= target
 * method(…).field`; a call `target method(arguments)`, a message `send …` or a deployment `deploy FILE {…} as NAME`, over several lines
 * while brackets are open; `expect …` after one of them; `#` or `//` comments; empty lines.
 */
export function parseCallSheet(text: string): CallSheet {
  if (text.length > limits.callSheet.most) {
    return { variables: [], steps: [], calls: [], problems: [limitProblem(overLimitError('callSheet'))] };
  }
  return new SheetParser(text).parse();
}

/** Reported at the beginning of the sheet. */
function limitProblem({ message, hint }: WorkbenchError): CallSheetProblem {
  return { offset: 0, length: 0, message, suggestion: hint };
}

/** The steps below one `###` line. */
interface Section {
  title: string;
  header: Place;
  network?: PlacedText;
  restore?: Place;
  concurrent?: ConcurrentMark;
  /** Whether it has steps. */
  isBegun?: true;
}

class SheetParser {
  private readonly sheet: CallSheet = { variables: [], steps: [], calls: [], problems: [] };
  private readonly lines: Line[];
  readonly #names = new Set<string>();
  readonly #brackets = new WorkBudget('sheetBrackets');
  private index = 0;
  private section: Section | undefined;
  private scenario = 0;
  /**
   * The position of an unreadable line in the place of a step: it has been reported, so the lines that belong
   * to it are skipped.
   */
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
    const calls = sheet.steps.filter((step): step is SheetCall => step.kind === 'call');
    const problems = sheet.problems.concat(concurrentProblems(sheet.steps), readSheetValues(sheet));
    return { ...sheet, calls, problems: problems.slice(0, limits.sheetProblems.most) };
  }

  private readLines(): void {
    while (this.index < this.lines.length) {
      const line = this.lines[this.index++];
      if (line !== undefined) {
        this.readLine(line);
      }
      if (this.sheet.steps.length > limits.sheetCalls.most) {
        this.sheet.steps.pop();
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
      const bare = this.whole(line);
      if (bare !== undefined) {
        this.readDirective(bare, bare.text.trim());
      }
    } else if (/^expect\b/.test(trimmed)) {
      this.readExpectation(line);
    } else if (beginsStep(trimmed)) {
      this.readStep(line);
    } else {
      this.readCall(line);
    }
  }

  private problem(place: Place, message: string, suggestion?: string): void {
    this.sheet.problems.push({ offset: place.offset, length: place.length, message, suggestion });
  }

  private checkEmptySection(): void {
    if (this.section !== undefined && this.section.isBegun !== true && this.unreadable === undefined) {
      this.problem(
        this.section.header,
        'No call follows this title.',
        'Write a call, such as: minter get_jetton_data()',
      );
    }
    this.section = undefined;
  }

  /**
   * The line with everything in its open brackets; undefined, after reporting it, if one of them is never
   * closed.
   */
  private whole(line: Line): Line | undefined {
    const whole = wholeLine(this.text, line, this.#brackets);
    if (!('unclosed' in whole)) {
      this.skipTo(whole.offset + whole.text.length - 1);
      return whole;
    }
    // The stack text parser reports its own brackets more precisely.
    if (/^\s*@/.test(line.text)) {
      return withoutComment(line);
    }
    this.sheet.problems.push(unclosedProblem(this.text, whole.unclosed));
    this.unreadable = this.index - 1;
    return undefined;
  }

  private readDirective(line: Line, trimmed: string): void {
    const network = /^(\s*@network\s*)(=?\s*)([^]*)/.exec(line.text.trimEnd());
    if (network !== null) {
      this.readNetwork(line, network);
      return;
    }
    if (trimmed === '@restore') {
      this.readRestore(placeOf(line, trimmed));
      return;
    }
    const mark = readConcurrentMark(line);
    if (mark !== undefined) {
      this.readConcurrent(mark);
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
    const answer = beginsCall(value) ? this.readAnswer(line, start) : undefined;
    if (answer !== null) {
      const read = answer === undefined ? {} : { answer };
      this.sheet.variables.push({ name: placedName, value: part(line, start, value), ...read });
    }
  }

  /** `target method(arguments).field`; null, after reporting it, if it cannot be read. */
  private readAnswer(line: Line, start: number): AnswerPart | null | undefined {
    const read = readMethodCall(this.text, line, start, this.#brackets);
    if (read === undefined) {
      return undefined;
    }
    if ('unclosed' in read) {
      this.sheet.problems.push(unclosedProblem(this.text, read.unclosed));
      return null;
    }
    const { path, end } = readPath(this.text, read.call.offset + read.call.length, this.#brackets);
    const rest = line.text.slice(end - line.offset).trimEnd();
    if (rest.trim() !== '') {
      this.problem(
        { offset: end + rest.length - rest.trimStart().length, length: rest.trim().length },
        'This is not part of an answer.',
        'Write @name = target method(arguments).field, or [key] for an entry of a map.',
      );
      return null;
    }
    return { call: read.call, path };
  }

  private readRestore(place: Place): void {
    if (this.section !== undefined && this.section.isBegun !== true) {
      this.section.restore = place;
    } else if (this.section === undefined && this.sheet.steps.length === 0) {
      this.sheet.restore = place;
    } else {
      this.problem(place, 'This goes above the first step, or between a ### line and its first step.');
    }
  }

  private readConcurrent(mark: ConcurrentMark): void {
    if (this.section === undefined || this.section.isBegun === true) {
      this.problem(mark, 'This goes between a ### line and its first step.');
    } else {
      this.section.concurrent = mark;
    }
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
    if (this.section !== undefined && this.section.isBegun !== true) {
      this.section.network = placed;
    } else if (this.section === undefined && this.sheet.steps.length === 0) {
      this.sheet.network = placed;
    } else {
      this.problem(placed, 'The network for a call goes between its ### line and the call.');
    }
  }

  /** `target method(arguments)`; the arguments may span lines until their bracket closes. */
  private readCall(line: Line): void {
    const read = readMethodCall(this.text, line, 0, this.#brackets);
    if (read === undefined) {
      const { text } = withoutComment(line);
      const trimmed = text.trim();
      // Adjacent lines count as one error.
      if (this.unreadable !== this.index - 2) {
        this.problem(placeOf(line, trimmed), 'This is not a call.', callHelp(trimmed));
      }
      this.unreadable = this.index - 1;
      return;
    }
    if ('unclosed' in read) {
      this.sheet.problems.push(unclosedProblem(this.text, read.unclosed));
      this.unreadable = this.index - 1;
      return;
    }
    const { call } = read;
    const close = call.offset + call.length - 1;
    this.skipTo(close);
    this.addStep(
      call.target,
      (base) => ({ kind: 'call', ...base, ...call }),
      `${call.target.text} ${call.method.text}`,
    );
    this.checkRest(close);
  }

  private readStep(line: Line): void {
    const whole = this.whole(line);
    if (whole === undefined) {
      return;
    }
    const place = placeOf(whole, whole.text.trim());
    const read = readStepLine(whole);
    if ('message' in read) {
      this.sheet.problems.push(read);
      this.unreadable = this.index - 1;
    } else {
      this.addStep(place, (base) => ({ ...base, ...place, ...read }), whole.text.trim().replace(/\s+/g, ' '));
    }
  }

  /** Adds a step to its scenario: that of the `###` line above, or a new one. */
  private addStep(
    header: Place,
    make: (base: Omit<SheetStep, 'kind' | 'offset' | 'length'>) => SheetStep,
    words: string,
  ): void {
    const { section } = this;
    const isFirst = section === undefined || section.isBegun !== true;
    this.unreadable = undefined;
    this.scenario += isFirst ? 1 : 0;
    this.sheet.steps.push(
      make({
        title: !isFirst || section === undefined || section.title === '' ? words : section.title,
        header:
          isFirst && section !== undefined
            ? section.header
            : { offset: header.offset, length: header.length },
        lineNumber: lineNumberAt(this.lines, this.index, header.offset),
        scenario: this.scenario,
        ...(section === undefined || section.title === '' ? {} : { scenarioTitle: section.title }),
        ...(section?.network === undefined ? {} : { network: section.network }),
        ...(section?.restore === undefined ? {} : { restore: section.restore }),
        ...(section?.concurrent === undefined ? {} : { concurrent: section.concurrent }),
        expectations: [],
      }),
    );
    if (section !== undefined) {
      section.isBegun = true;
    }
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
    if (this.unreadable !== undefined) {
      return;
    }
    const bare = this.whole(line);
    if (bare === undefined) {
      return;
    }
    const read = readExpectation(this.text, bare, this.#brackets);
    const isSectionEmpty = this.section !== undefined && this.section.isBegun !== true;
    const above = isSectionEmpty ? undefined : this.sheet.steps.at(-1);
    if (above === undefined && !('subject' in read && read.subject.kind === 'answer')) {
      this.problem(placeOf(bare, bare.text.trim()), 'An expectation goes after its call.');
      this.unreadable = this.index - 1;
      return;
    }
    if ('message' in read) {
      this.sheet.problems.push(read);
    } else if (above === undefined) {
      const { offset, length } = read;
      const words = bare.text.trim().replace(/\s+/g, ' ');
      this.addStep(read, (base) => ({ kind: 'check', ...base, offset, length, expectations: [read] }), words);
    } else {
      this.expect(above, read);
    }
  }

  private expect(above: SheetStep, read: Expectation): void {
    const { kind } = read.subject;
    if ((kind === 'entry' || kind === 'field') && above.kind !== 'call') {
      this.problem(read, 'There is no answer above.', 'Write the call: expect counter value() == 42');
    } else if (kind !== 'answer' && above.kind === 'check') {
      this.problem(read, 'There is no call above.', 'Write the call: expect counter value() == 42');
    } else {
      above.expectations.push(read);
    }
  }
}
