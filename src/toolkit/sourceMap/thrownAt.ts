import { finalFailure } from '../recording/finalFailure';
import { visibleText } from '../text';
import { placeAt } from './mapSteps';
import type { MappedSteps } from './mapSteps';
import { namedValues, namedValueText } from './namedValues';
import type { NamedValue } from './namedValues';
import { isLibraryFile } from './sourceMap';
import type { SourcePlace } from './sourceMap';

/** Where an execution failed. */
export interface ThrownAt {
  /** The line in the project's sources: of the exception, or of the call of a library's function that threw it. */
  place: SourcePlace;
  /** The line of the library's function, such as one of `@stdlib/common.tolk`. */
  inLibrary?: SourcePlace | undefined;
  /** The step that threw. */
  step: number;
  /** The values with names on the stack when it threw. */
  values: readonly NamedValue[];
}

/**
 * The line that threw the exception that ended an execution; undefined if nothing did, or if it has no certain line.
 */
export function thrownAt(steps: MappedSteps): ThrownAt | undefined {
  const final = finalFailure(steps.recording);
  const thrown = final && placeAt(steps, final.step);
  if (final === undefined || thrown === undefined) {
    return undefined;
  }
  const step = steps.names[final.step] === -1 ? Math.max(0, final.step - 1) : final.step;
  const values = namedValues(steps, step);
  if (!isLibraryFile(thrown.file)) {
    return { place: thrown, step: final.step, values };
  }
  for (let before = final.step; before >= 0; before -= 1) {
    const place = placeAt(steps, before);
    if (place !== undefined && !isLibraryFile(place.file)) {
      return { place, inLibrary: thrown, step: final.step, values };
    }
  }
  return { place: thrown, step: final.step, values };
}

/** The line that threw, in words. */
export interface ThrownLine {
  /** `counter.tolk:44` */
  place: string;
  /** The line's text. */
  text: string;
  /** `amount = 5`: the values that the line names; without any, those nearest to the top of the stack. */
  values: readonly string[];
}

/** Longest text of a line in a sentence, in characters. */
const longestLine = 100;
/** Most values in a sentence. */
const mostValues = 4;

/** The line that threw, for a sentence. */
export function thrownLine({ place, values }: ThrownAt, nameOf: (file: string) => string): ThrownLine {
  const words = new Set(place.text.match(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g)?.flatMap(withOwners));
  const mentioned = values.filter(({ name }) => words.has(name));
  const shown = mentioned.length > 0 ? mentioned.slice(0, mostValues) : values.slice(-mostValues);
  return {
    place: `${nameOf(place.file)}:${place.line}`,
    text: visibleText(place.text, longestLine),
    values: shown.map(namedValueText),
  };
}

/** `a.b.c` mentions `a`, `a.b`, and `a.b.c`. */
function withOwners(word: string): string[] {
  const parts = word.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

/** `threw at counter.tolk:44: assert (…) throw 401`, with the values below it. */
export function thrownText(
  { place, inLibrary, values }: ThrownAt,
  nameOf: (file: string) => string,
): string[] {
  const library = inLibrary === undefined ? '' : ` (in ${inLibrary.file}:${inLibrary.line})`;
  return [
    `threw at ${nameOf(place.file)}:${place.line}${library}: ${visibleText(place.text)}`,
    ...values.map((value) => `  ${namedValueText(value)}`),
  ];
}
