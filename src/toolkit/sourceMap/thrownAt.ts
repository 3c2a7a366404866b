import { bodyValueText } from '../contracts/opcodes/bodyLines';
import { finalFailure, instructionAt } from '../recording/recording';
import { vmWordText } from '../recording/vmValue';
import { visibleText } from '../base/text';
import { depthAt, wordAt } from '../recording/followValue';
import { readInteger } from '../stack/integerText';
import { followCalls } from './activations';
import { decidingCode, namesInCode, valuesUnder } from './decidingCode';
import { knownValues, variablesOf } from './knownValues';
import type { MappedSteps } from './mapSteps';
import { placeAt } from './mapSteps';
import type { NamedValue } from './namedValues';
import { namedValueText, shownValue } from './namedValues';
import { refusedNotes } from './refusedNotes';
import type { SourceMap, SourcePlace } from './sourceMap';
import { isLibraryFile } from './sourceMap';

/** Where an execution failed. */
export interface ThrownAt {
  /** The line in the project's sources: of the exception, or of the call of a library's function that threw it. */
  place: SourcePlace;
  /** The line of the library's function, such as one of `@stdlib/common.tolk`. */
  inLibrary?: SourcePlace | undefined;
  /** What decided it: the statement's condition, or the one around it. */
  code: string;
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

/** What decided that a line threw, with its values. */
function valuesAt(
  steps: MappedSteps,
  step: number,
  place: SourcePlace,
): Pick<ThrownAt, 'code' | 'values' | 'unknown'> {
  const { map, selected, recording, names } = steps;
  const hasAssembly = (one: number): boolean => map.methods[selected[one] ?? -1]?.refused !== undefined;
  const calls = followCalls(recording, steps, hasAssembly);
  const namesAt = names[step] === -1 ? Math.max(0, step - 1) : step;
  const known = knownValues(steps, calls, step, namesAt).filter(
    // A contract of Tact without fields has nothing in itself.
    ({ changedAt, path, word }) => changedAt === undefined && !(path === 'self' && word === '(null)'),
  );
  const shown = (all: typeof known): NamedValue[] =>
    all.map(({ path, word, kind, field }) => ({
      ...{ name: path, value: field === undefined ? vmWordText(word) : bodyValueText(field, {}) },
      ...(kind === undefined ? {} : { kind }),
    }));
  const decider = deciderOf(steps, calls.at, step, place);
  const code = decidingCode(decider ?? place);
  const variables = shown(known);
  const isVariable = (word: string): boolean => {
    const [head = ''] = word.split('.', 1);
    return variables.some(({ name }) => name === head || name.startsWith(`${head}.`));
  };
  const others = namesInCode(withoutExitCode(code)).filter((word) => !isVariable(word));
  const general = [...globalValues(steps, step, new Set(others)), ...constantValues(map, others)];
  const mentioned = mentionedIn(code, [...variables, ...general]);
  const isKnown = (word: string): boolean =>
    mentioned.some(({ name }) => name === word || name.startsWith(`${word}.`) || word.startsWith(`${name}.`));
  const declared = new Set([
    ...variablesOf(map, place).flatMap(({ name, line, end }) =>
      line <= place.line && place.line <= end ? [name] : [],
    ),
    ...map.globals.map(({ name }) => name),
  ]);
  const unknown = namesInCode(code).filter(
    (word) => declared.has(word.split('.', 1)[0] ?? '') && !isKnown(word),
  );
  return {
    code,
    values: mentioned.length > 0 ? mentioned : shown(known.filter(({ from }) => from === 'stack')),
    unknown: [...new Set(unknown)],
  };
}

/** The condition in the line above a statement that throws whatever its values are. */
function deciderOf(
  steps: MappedSteps,
  at: Int32Array,
  step: number,
  place: SourcePlace,
): SourcePlace | undefined {
  if (!/^(?:nativeT|t)hrow(?:\b|\()/.test(decidingCode(place))) {
    return undefined;
  }
  for (let before = step - 1; before >= 0; before -= 1) {
    const other = at[before] === at[step] ? placeAt(steps, before) : undefined;
    if (other !== undefined && other !== place) {
      const isAbove = other.file === place.file && other.line === place.line - 1;
      return isAbove && /^(?:\}\s*)?(?:else\s*)?(?:if|ifnot|elseif|elseifnot)\b/.test(other.text)
        ? other
        : undefined;
    }
  }
  return undefined;
}

/** What the code throws is no operand: the verdict has it. */
function withoutExitCode(code: string): string {
  return code.replace(/\b((?:nativeT|t)hrow\w{0,20} ?\(? ?)[A-Za-z_$][\w$.]*/g, '$1');
}

/** Global variables as the lines up to a step have read them, by what the VM got. */
function globalValues(
  { map, recording, place }: MappedSteps,
  step: number,
  names: ReadonlySet<string>,
): NamedValue[] {
  const asked = map.globals.filter(({ name, fields }) => fields.length === 0 && names.has(name));
  return asked.flatMap(({ name, index }): NamedValue[] => {
    for (let before = step - 1; before >= 0 && isSameLine(map, place, before, step); before -= 1) {
      if (instructionAt(recording, before) === `GETGLOB ${index}`) {
        const word = wordAt(recording, { step: before + 1, slot: depthAt(recording, before + 1) - 1 });
        return [{ name, value: vmWordText(word) }];
      }
    }
    return [];
  });
}

/** Whether a step is of the statement of another one, or of none. */
function isSameLine(map: SourceMap, place: Int32Array, before: number, step: number): boolean {
  const [one, other] = [before, step].map((at) => map.places[place[at] ?? -1]);
  return (
    one === undefined || one === other || (one.statement !== undefined && one.statement === other?.statement)
  );
}

/** Constants that are numbers or amounts. */
function constantValues({ constants }: SourceMap, names: readonly string[]): NamedValue[] {
  return names.flatMap((name): NamedValue[] => {
    const text = constants.find((one) => one.name === name)?.text ?? '';
    const [, coins] = /^ton\("([\d.]{1,30})"\)$/.exec(text) ?? [];
    const reading = readInteger(coins === undefined ? text : `${coins}ton`);
    return 'value' in reading
      ? [{ name, value: reading.value.toString(), ...(coins === undefined ? {} : { kind: 'coins' }) }]
      : [];
  });
}

/** The values that a line names, in its order. */
function mentionedIn<T extends { name: string }>(text: string, values: readonly T[]): T[] {
  const found = namesInCode(text).flatMap((word) => [
    ...values.filter(({ name }) => name === word || word.startsWith(`${name}.`)),
    ...values.filter(({ name }) => name.startsWith(`${word}.`)),
  ]);
  return [...new Set(found)];
}

/** The line that threw, in words. */
export interface ThrownLine {
  /** `counter.tolk:44` */
  place: string;
  /** The line's text, or that of the statement around it. */
  text: string;
  /** The line without what it throws. */
  code: string;
  /** The values of its names, aligned under `code`, `?` where one is not known; empty if it names none. */
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
  { place, code, values, unknown }: ThrownAt,
  nameOf: (file: string) => string,
  accountName?: (address: string) => string | undefined,
): ThrownLine {
  const texts = values.map((value): [string, string] => [value.name, shownValue(value, accountName)]);
  const under = valuesUnder(code, new Map(texts), new Set(unknown));
  const mentioned = mentionedIn(code, values);
  const shown = mentioned.length > 0 ? mentioned.slice(0, mostValues) : values.slice(-mostValues);
  return {
    place: `${nameOf(place.file)}:${place.line}`,
    text: visibleText(place.statement ?? place.text, longestLine),
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
    `${isAction === true ? 'added the action that failed' : 'threw'} at ${nameOf(place.file)}:${place.line}${library}: ${visibleText(place.statement ?? place.text)}`,
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
