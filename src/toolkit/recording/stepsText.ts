import { Cell } from '@ton/core';
import { shortAddress } from '../address/shortAddress';
import { padLeft, padRight } from '../base/formatTable';
import { cellToAddress } from '../stack/stackValue';
import type { Recording } from './recording';
import { instructionAt, missingStepsNotes, stackTextAt } from './recording';

/** Longest stack shown in a line, in characters. */
const longestStack = 160;
/** Hex digits shown of a cell's data. */
const shownDigits = 16;
/** Digits of the longest number that is shown whole. */
const longestNumber = 24;

/**
 * All steps as a table with a heading, one line each: number, position (first digits of the code cell's hash, and the
 * bit offset in it), source line if lines are known, instruction, gas that it used, gas left afterward, and the stack
 * before it (its end is the top).
 *
 * @param lineOf the source line of a step, such as `counter.tolk:44`; empty if it has none
 */
export function* stepsText(recording: Recording, lineOf?: (step: number) => string): Generator<string> {
  const { steps, stepsMissing, gasAfter, gas, exceptions } = recording;
  yield* missingStepsNotes(recording);
  const withLine = (cells: readonly string[], line: string): string =>
    row(cells, lineOf === undefined ? undefined : line);
  yield withLine(
    ['step', 'position', 'instruction', 'gas', 'gas left', 'stack before (top at the end)'],
    'line',
  );
  const thrown = new Map(exceptions.map((exception) => [exception.step, exception]));
  const short = new Shortener();
  for (let step = 0; step < steps; step += 1) {
    const cells = [
      String(stepsMissing + step + 1),
      positionText(recording, step),
      instructionAt(recording, step).slice(0, 60) || '(ran out of gas before this instruction)',
      String(gas[step]),
      String(gasAfter[step]),
      short.stack(stackTextAt(recording, step)),
    ];
    yield withLine(cells, lineOf?.(step) ?? '');
    const exception = thrown.get(step);
    if (exception !== undefined) {
      const code = exception.code ?? 'unknown';
      yield exception.isFinal
        ? withLine(['', '', `exit code ${code}: nothing caught this exception`], '')
        : withLine(['', '', `exception ${code}`], '');
    }
  }
}

function row(
  [step = '', position = '', instruction = '', gas = '', left = '', stack = '']: readonly string[],
  line?: string,
): string {
  return [
    padLeft(step, 7),
    padRight(position, 14),
    ...(line === undefined ? [] : [padRight(line, 24)]),
    padRight(instruction, 32),
    padLeft(gas, 6),
    padLeft(left, 9),
    stack,
  ]
    .join('  ')
    .trimEnd();
}

/** `20834b7b:16`; empty for a step of the VM's own, such as an implicit return. */
function positionText({ cells, cell, offset }: Recording, step: number): string {
  const hash = cells[cell[step] ?? -1];
  return hash === undefined ? '' : `${hash.slice(0, 8)}:${offset[step]}`;
}

/** Shortens stacks; the same cells appear again and again, so each is read once. */
class Shortener {
  readonly #known = new Map<string, string>();

  stack(text: string): string {
    const short = text
      .replace(/\b(C|CS|BC|Cont)\{([0-9A-F]{24,})\}/g, (whole, kind: string, boc: string) =>
        this.#cell(whole, kind, boc),
      )
      .replace(/-?\d{25,}/g, (digits) => `${digits.slice(0, longestNumber - 12)}…(${digits.length} digits)`)
      .trim();
    return short.length <= longestStack ? short : `… ${short.slice(-longestStack)}`;
  }

  #cell(whole: string, kind: string, boc: string): string {
    const known = this.#known.get(whole);
    const words = known ?? cellWords(kind, boc);
    if (known === undefined) {
      this.#known.set(whole, words);
    }
    return words;
  }
}

/**
 * `C{8801192BC98484078EE438F8… +2}`: the data of the root and how many references it has. A slice that is an address is
 * shown as one.
 */
function cellWords(kind: string, boc: string): string {
  try {
    const cell = Cell.fromHex(boc);
    const address = kind === 'CS' ? cellToAddress(cell) : undefined;
    if (address !== undefined) {
      return shortAddress(address.toString());
    }
    const data = cell.bits.toString();
    const shown = data.length > shownDigits ? `${data.slice(0, shownDigits)}…` : data;
    return `${kind}{${shown}${cell.refs.length === 0 ? '' : ` +${cell.refs.length}`}}`;
  } catch {
    return `${kind}{${boc.slice(0, shownDigits)}…}`;
  }
}
