import { bodyValueText } from '../contracts/opcodes/bodyLines';
import { finalFailure } from '../recording/recording';
import { vmWordText } from '../recording/vmValue';
import { shortenMiddle, visibleText } from '../base/text';
import { withoutTrailing } from '../base/errors';
import { followCalls } from './activations';
import { knownValues, variablesOf } from './knownValues';
import type { MappedSteps } from './mapSteps';
import { placeAt } from './mapSteps';
import type { NamedValue } from './namedValues';
import { namedValueText, shownValue } from './namedValues';
import { refusedNotes } from './refusedNotes';
import type { SourcePlace } from './sourceMap';
import { isLibraryFile } from './sourceMap';

/** Where an execution failed. */
export interface ThrownAt {
  /** The line in the project's sources: of the exception, or of the call of a library's function that threw it. */
  place: SourcePlace;
  /** The line of the library's function, such as one of `@stdlib/common.tolk`. */
  inLibrary?: SourcePlace | undefined;
  /** Nothing threw there: the line added an action, which failed afterward. */
  isAction?: true;
  /** The step that threw. */
  step: number;
  /** What is known of the variables that the line names; if of none, those on the stack when it threw. */
  values: readonly NamedValue[];
  /** Variables that the line names, and of which no value is known. */
  unknown: readonly string[];
}

/**
 * The line that threw the exception that ended an execution; undefined if nothing did, or if it has no certain line.
 */
export function thrownAt(steps: MappedSteps): ThrownAt | undefined {
  const final = finalFailure(steps.recording);
  return final && failedAt(steps, final.step);
}

/** The line that added the action which failed afterward, such as one that sends more than there is. */
export function failedActionAt(steps: MappedSteps, step: number): ThrownAt | undefined {
  const found = failedAt(steps, step);
  return found && { ...found, isAction: true };
}

function failedAt(steps: MappedSteps, step: number): ThrownAt | undefined {
  const thrown = placeAt(steps, step);
  if (thrown === undefined) {
    return undefined;
  }
  for (let before = step; before >= 0 && isLibraryFile(thrown.file); before -= 1) {
    const place = placeAt(steps, before);
    if (place !== undefined && !isLibraryFile(place.file)) {
      return { place, inLibrary: thrown, step, ...valuesAt(steps, before, place) };
    }
  }
  return { place: thrown, step, ...valuesAt(steps, step, thrown) };
}

/** The values for a line that threw. */
function valuesAt(
  steps: MappedSteps,
  step: number,
  place: SourcePlace,
): Pick<ThrownAt, 'values' | 'unknown'> {
  const { text } = place;
  const { map, selected, recording, names } = steps;
  const hasAssembly = (one: number): boolean => map.methods[selected[one] ?? -1]?.refused !== undefined;
  const calls = followCalls(recording, steps, hasAssembly);
  const namesAt = names[step] === -1 ? Math.max(0, step - 1) : step;
  const known = knownValues(steps, calls, step, namesAt).filter(({ changedAt }) => changedAt === undefined);
  const shown = (all: typeof known): NamedValue[] =>
    all.map(({ path, word, kind, field }) => ({
      ...{ name: path, value: field === undefined ? vmWordText(word) : bodyValueText(field, {}) },
      ...(kind === undefined ? {} : { kind }),
    }));
  const mentioned = mentionedIn(text, shown(known));
  const isKnown = (word: string): boolean =>
    mentioned.some(({ name }) => name === word || name.startsWith(`${word}.`) || word.startsWith(`${name}.`));
  const declared = new Set(
    variablesOf(map, place).flatMap(({ name, line, end }) =>
      line <= place.line && place.line <= end ? [name] : [],
    ),
  );
  return {
    values: mentioned.length > 0 ? mentioned : shown(known.filter(({ from }) => from === 'stack')),
    unknown: namesOnLine(text).filter((word) => declared.has(word.split('.', 1)[0] ?? '') && !isKnown(word)),
  };
}

/** The names on a line with their fields, in its order: `msg.amount`; also those of functions and types. */
export function namesOnLine(text: string): string[] {
  return text.match(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g) ?? [];
}

/** The values that a line names, in its order. */
function mentionedIn<T extends { name: string }>(text: string, values: readonly T[]): T[] {
  const found = namesOnLine(text).flatMap((word) => [
    ...values.filter(({ name }) => name === word || word.startsWith(`${name}.`)),
    ...values.filter(({ name }) => name.startsWith(`${word}.`)),
  ]);
  return [...new Set(found)];
}

/** The line that threw, in words. */
export interface ThrownLine {
  /** `counter.tolk:44` */
  place: string;
  /** The line's text. */
  text: string;
  /** The line without what it throws. */
  code: string;
  /** The values of its names, aligned under `code`; empty if none is known. */
  under: string;
  /** `amount = 5`: the values that the line names; without any, those nearest to the top of the stack. */
  values: readonly string[];
}

/** Longest text of a line in a sentence, in characters. */
const longestLine = 100;
/** Most values in a sentence. */
const mostValues = 4;

/** The line that threw, for a sentence. */
export function thrownLine(
  { place, values, unknown }: ThrownAt,
  nameOf: (file: string) => string,
  accountName?: (address: string) => string | undefined,
): ThrownLine {
  const texts = values.map((value): [string, string] => [value.name, shownValue(value, accountName)]);
  const { code, values: under } = valuesUnder(place.text, new Map(texts), new Set(unknown));
  const mentioned = mentionedIn(place.text, values);
  const shown = mentioned.length > 0 ? mentioned.slice(0, mostValues) : values.slice(-mostValues);
  return {
    place: `${nameOf(place.file)}:${place.line}`,
    text: visibleText(place.text, longestLine),
    code: visibleText(code, longestLine),
    under: visibleText(under, longestLine),
    values: shown.map((value) => namedValueText(value, accountName)),
  };
}

/** `threw at counter.tolk:44: assert (…) throw 401`, with the values below it. */
export function thrownText(
  { place, inLibrary, isAction, values, unknown }: ThrownAt,
  nameOf: (file: string) => string,
  accountName?: (address: string) => string | undefined,
): string[] {
  const library = inLibrary === undefined ? '' : ` (in ${inLibrary.file}:${inLibrary.line})`;
  return [
    `${isAction === true ? 'added the action that failed' : 'threw'} at ${nameOf(place.file)}:${place.line}${library}: ${visibleText(place.text)}`,
    ...values.map((value) => `  ${namedValueText(value, accountName)}`),
    ...unknown.map((name) => `  ${visibleText(name)} is not known: nothing has kept its value`),
  ];
}

/**
 * The line of a step, such as `counter.tolk:44`; empty if it has none.
 * @param nameOf how files are named
 */
export function lineText(steps: MappedSteps, step: number, nameOf: (file: string) => string): string {
  const place = placeAt(steps, step);
  return place === undefined ? '' : `${nameOf(place.file)}:${place.line}`;
}

/** A sentence for each method without lines that an execution has run; for each of a code that shows none of its own. */
export function refusedInRun({ map, selected }: MappedSteps): string[] {
  const ran = new Set(selected);
  const isKnown = map.methods.some(({ refused }, index) => refused === undefined || ran.has(index));
  return refusedNotes(map, (method) => !isKnown || ran.has(method));
}

/** A line of code, and below it what its names stand for. */
interface CodeWithValues {
  code: string;
  /** Aligned under the code in a font of equal letters; empty if nothing of it is known. */
  values: string;
}

/** What a value is that is not known. */
const notKnown = '?';
/** Longer values, such as addresses, are shortened. */
const longest = 24;

const tokenPattern =
  /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|0x[0-9a-fA-F]+|\d[\d_]*|==|!=|<=|>=|&&|\|\||<<|>>|[-+*/%<>!&|^]/g;

/**
 * A line that threw, without what it throws, and the values of its names under them:
 *
 *     assert (st.spent + amount <= st.limit)
 *             6 TON    + 6 TON  <= 10 TON
 *
 * @param values by name, as the source writes it: `st.spent`
 * @param unknown names of variables without a value: each has a `?`
 */
function valuesUnder(
  text: string,
  values: ReadonlyMap<string, string>,
  unknown: ReadonlySet<string> = new Set(),
): CodeWithValues {
  const code = conditionOf(text);
  const items = [...code.matchAll(tokenPattern)].flatMap(({ 0: word, index }) => {
    const isName = /^[A-Za-z_$]/.test(word);
    const value = isName ? valueOf(word, values, unknown) : word;
    const isOperand = isName || /^\d/.test(word);
    return value === undefined ? [] : [{ column: index, text: value, isOperand, isName }];
  });
  if (!items.some(({ isName, text: value }) => isName && value !== notKnown)) {
    return { code, values: '' };
  }
  let line = '';
  for (const [index, { column, text: value, isOperand }] of items.entries()) {
    // An operator says nothing without what stands on its sides.
    if (isOperand || (index > 0 && items[index + 1]?.isOperand === true)) {
      const at = Math.max(column, line === '' ? 0 : line.length + 1);
      line = line.padEnd(at) + value;
    }
  }
  return { code, values: line };
}

/** What a line checks: the code it throws has its place in the verdict. */
function conditionOf(text: string): string {
  const [withoutComment = ''] = text.split(/\/\/|;;/);
  const code = withoutTrailing(withoutComment, ' \t\r\n;,{');
  const [, condition] = /^(assert\s*\(.*\))\s*throw\b/.exec(code) ?? [];
  return condition ?? code;
}

function valueOf(
  path: string,
  values: ReadonlyMap<string, string>,
  unknown: ReadonlySet<string>,
): string | undefined {
  const parts = path.split('.');
  for (let count = parts.length; count > 0; count -= 1) {
    const name = parts.slice(0, count).join('.');
    const value = values.get(name);
    if (value !== undefined) {
      return value.length > longest ? shortenMiddle(value) : value;
    }
    if (unknown.has(name)) {
      return notKnown;
    }
  }
  return undefined;
}
