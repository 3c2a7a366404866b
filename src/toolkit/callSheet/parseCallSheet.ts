import { parseStackText } from '../stack/parseStackText';
import { WorkbenchError } from '../errors';
import type {
  CallSheet,
  CallSheetProblem,
  Comparison,
  Expectation,
  Place,
  PlacedText,
  SheetCall,
} from './callSheet';
import { closingBracket, linesOf, part, placeOf, withoutComment } from './sheetText';
import type { Line } from './sheetText';

/**
 * Reads a call sheet. Never fails: what is wrong is in `problems`.
 *
 * Lines are: `### title` before a call; `@network name`; `@name = value`; a call `target method(arguments)`, over several
 * lines while brackets are open; `expect …` behind a call; `#` or `//` comments; empty ones.
 */
export function parseCallSheet(text: string): CallSheet {
  return new SheetParser(text).parse();
}

class SheetParser {
  private readonly sheet: CallSheet = { variables: [], calls: [], problems: [] };
  private readonly lines: Line[];
  private index = 0;
  /** The section that the next call belongs to. */
  private section: { title: string; header: Place; network?: PlacedText } | undefined;

  constructor(private readonly text: string) {
    this.lines = linesOf(text);
  }

  parse(): CallSheet {
    while (this.index < this.lines.length) {
      const line = this.lines[this.index++];
      if (line !== undefined) {
        this.readLine(line);
      }
    }
    this.checkEmptySection();
    this.checkVariables();
    return this.sheet;
  }

  private readLine(line: Line): void {
    const trimmed = line.text.trim();
    if (trimmed.startsWith('###')) {
      this.checkEmptySection();
      this.section = { title: trimmed.slice(3).trim(), header: placeOf(line, trimmed) };
    } else if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith('//')) {
      return;
    } else if (trimmed.startsWith('@')) {
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
    if (this.section !== undefined) {
      this.problem(
        this.section.header,
        'No call follows this title.',
        'Write a call, such as: minter get_jetton_data()',
      );
    }
    this.section = undefined;
  }

  private readDirective(line: Line, trimmed: string): void {
    const network = /^(\s*@network\s+)(\S.*?)\s*$/.exec(line.text);
    if (network !== null && !/^=/.test(network[2] ?? '')) {
      const placed = part(line, network[1]?.length ?? 0, network[2] ?? '');
      if (this.section !== undefined) {
        this.section.network = placed;
      } else if (this.sheet.calls.length === 0) {
        this.sheet.network = placed;
      } else {
        this.problem(placed, 'A network for one call stands between its ### line and the call.');
      }
      return;
    }
    const variable = /^(\s*@)([\w.-]+)(\s*=\s*)(.*?)\s*$/.exec(line.text);
    if (variable === null) {
      this.problem(
        placeOf(line, trimmed),
        'This is neither @network nor a variable.',
        'Write @name = value.',
      );
      return;
    }
    const [, at = '', name = '', equals = '', value = ''] = variable;
    const placedName = part(line, at.length, name);
    if (this.sheet.variables.some((known) => known.name.text === name)) {
      this.problem(placedName, `@${name} is given twice.`);
      return;
    }
    this.sheet.variables.push({
      name: placedName,
      value: part(line, at.length + name.length + equals.length, value),
    });
  }

  /** `target method(arguments)`; the arguments may go on over lines until their bracket closes. */
  private readCall(line: Line): void {
    const match = /^(\s*)(\S+)(\s+)([^\s(]+)(\s*\()/.exec(line.text);
    if (match === null) {
      const trimmed = line.text.trim();
      this.problem(placeOf(line, trimmed), 'This is no call.', callHelp(trimmed));
      return;
    }
    const [whole, blank = '', target = '', gap = '', method = ''] = match;
    const open = line.offset + whole.length - 1;
    const close = closingBracket(this.text, open);
    if (close === undefined) {
      this.problem({ offset: open, length: 1 }, 'The bracket of the arguments is not closed.');
      return;
    }
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

  /** Goes on behind the line in which `offset` stands. */
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
    const rest = line.text.slice(close + 1 - line.offset).replace(/(?:^|\s)(?:#|\/\/).*$/, '');
    if (rest.trim() !== '') {
      this.problem(
        { offset: close + 1 + rest.length - rest.trimStart().length, length: rest.trim().length },
        'Nothing may follow the closing bracket.',
      );
    }
  }

  private readExpectation(line: Line): void {
    const trimmed = line.text.trim();
    const place = placeOf(line, trimmed);
    const call = this.sheet.calls.at(-1);
    if (call === undefined || this.section !== undefined) {
      this.problem(place, 'An expectation stands behind its call.');
      return;
    }
    const match = /^(\s*expect\s+)(exit|gas|\d+(?:\.\d+)*)(\s*)(==|!=|<=|>=|<|>)?(\s*)(.*?)\s*$/.exec(
      line.text,
    );
    const [, before = '', subject = '', gap = '', comparison, blank = '', value = ''] = match ?? [];
    const isBareExit = subject === 'exit' || subject === 'gas';
    if (match === null || value === '' || (comparison === undefined && !isBareExit)) {
      this.problem(
        place,
        'This expectation is not whole.',
        'Write expect exit 0, expect gas < 5000 or expect 0 == 42.',
      );
      return;
    }
    const start = before.length + subject.length + gap.length + (comparison?.length ?? 0) + blank.length;
    const expectation: Expectation = {
      ...place,
      subject:
        subject === 'exit' || subject === 'gas'
          ? { kind: subject }
          : { kind: 'entry', path: subject.split('.').map(Number) },
      comparison: (comparison ?? '==') as Comparison,
      value: part(line, start, value),
    };
    call.expectations.push(expectation);
  }

  /** Values and arguments without names of others are read at once, so that their problems show while typing. */
  private checkVariables(): void {
    const known = new Set(this.sheet.variables.map(({ name }) => name.text));
    for (const { value } of this.sheet.variables) {
      this.checkText(value, known, true);
    }
    for (const call of this.sheet.calls) {
      this.checkText(call.arguments, known, false);
      for (const { value } of call.expectations) {
        this.checkText(value, known, true);
      }
    }
  }

  private checkText(placed: PlacedText, known: ReadonlySet<string>, isSingle: boolean): void {
    if (/[@{]|\bfile\b|\baddr\s+[a-z]/i.test(placed.text.replace(/"(?:\\.|[^"\\])*"/g, ''))) {
      // Names and typed forms can only be read with what is known when the call runs.
      this.checkNames(placed, known);
      return;
    }
    const problem = problemOf(placed, isSingle);
    if (problem !== undefined) {
      this.sheet.problems.push(isSingle ? problem : { ...problem, isUntyped: true });
    }
  }

  /** An unknown `@name` may still be an account of the network: only those that cannot be one are wrong. */
  private checkNames(placed: PlacedText, known: ReadonlySet<string>): void {
    for (const match of placed.text.matchAll(/@([\w.-]*)/g)) {
      if (match[1] === '' && !known.has('')) {
        this.problem({ offset: placed.offset + match.index, length: 1 }, 'A name is missing after @.');
      }
    }
  }
}

function problemOf(placed: PlacedText, isSingle: boolean): CallSheetProblem | undefined {
  try {
    const values = parseStackText(placed.text);
    return isSingle && values.length !== 1
      ? {
          offset: placed.offset,
          length: Math.max(1, placed.length),
          message: `One value is needed here, not ${values.length}.`,
        }
      : undefined;
  } catch (error) {
    if (!WorkbenchError.is(error, 'stack-text-invalid')) {
      throw error;
    }
    const { offset, length } = error.details as { offset: number; length: number };
    return { offset: placed.offset + offset, length, message: error.message, suggestion: error.hint };
  }
}

function callHelp(text: string): string {
  return text.includes('(')
    ? 'Write a target before the method: minter get_jetton_data()'
    : 'Write target method(arguments).';
}
