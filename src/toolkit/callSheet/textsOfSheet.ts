import { bareName } from '../address/resolveAccount';
import { placedError } from './callSheet';
import { parseStackText } from '../stack/parseStackText';
import type {
  CallSheet,
  CallSheetProblem,
  Expectation,
  MethodCall,
  PlacedText,
  SheetStep,
} from './callSheet';
import { replaceTexts } from './sheetText';

/**
 * Errors in a sheet's values that can be found without names and types. Values with names are checked once those are
 * known.
 */
export function readSheetValues({ variables, steps }: CallSheet): CallSheetProblem[] {
  const lastAt = new Map(variables.map(({ name }, index) => [name.text, index]));
  const problems = variables.flatMap(({ name, value, answer }, index) => {
    if (answer !== undefined) {
      return [...namesBelow(value, index, lastAt), ...problemsOf(answer.call.arguments, false)];
    }
    return value.text === ''
      ? [
          {
            ...placeOf(name),
            message: `@${name.text} has no value.`,
            suggestion: `Write @${name.text} = EQ….`,
          },
        ]
      : [...namesBelow(value, index, lastAt), ...problemsOf(value, true)];
  });
  const answers = new Map(
    variables.flatMap(({ name, answer }) => (answer === undefined ? [] : [[name.text, name.offset]])),
  );
  for (const step of steps) {
    problems.push(...answersBelow(step, answers));
    if (step.kind === 'call') {
      problems.push(...problemsOf(step.arguments, false));
    }
    problems.push(...step.expectations.flatMap(problemsOfExpectation));
  }
  return problems;
}

/** An answer is read at its line, so steps above cannot use it. */
function answersBelow(step: SheetStep, answers: ReadonlyMap<string, number>): CallSheetProblem[] {
  return textsOf(step)
    .flatMap(namesIn)
    .filter(({ text }) => (answers.get(text.slice(1)) ?? 0) > step.offset)
    .map(({ text, offset, length }) => ({
      offset,
      length,
      message: `${text} is read further down.`,
      suggestion: 'Move its line above this step.',
    }));
}

/** The names of all variables and contracts that the steps use, directly or through variables. */
export function namesUsed({ variables }: CallSheet, steps: readonly SheetStep[]): ReadonlySet<string> {
  const used = new Set(steps.flatMap((step) => textsOf(step).flatMap(usedIn)));
  for (const { name, value } of [...variables].reverse()) {
    if (used.has(name.text)) {
      usedIn(value).forEach((one) => used.add(one));
    }
  }
  return used;
}

/** Names in a text: `@name` anywhere, and the first word, which may be a target without @. */
export function usedIn(text: PlacedText): string[] {
  const first = /^\s*([\w.-]+)/.exec(text.text)?.[1];
  return [...namesIn(text).map((name) => bareName(name.text)), ...(first === undefined ? [] : [first])];
}

/** The texts of a step that may use names. */
export function textsOf(step: SheetStep): PlacedText[] {
  const called = ({ target, arguments: given }: MethodCall): PlacedText[] => [target, given];
  const own =
    step.kind === 'call'
      ? called(step)
      : step.kind === 'send'
        ? [step.line]
        : step.kind === 'deploy' && step.data !== undefined
          ? [step.data]
          : [];
  return [
    ...own,
    ...step.expectations.flatMap(({ subject, value }) => [
      value,
      ...('path' in subject && subject.kind !== 'entry'
        ? subject.path.filter(({ kind }) => kind === 'key').map(({ at }) => at)
        : []),
      ...(subject.kind === 'answer' ? called(subject.call) : []),
    ]),
  ];
}

/** All texts of a sheet that may use names. */
export function textsOfSheet({ variables, steps }: Pick<CallSheet, 'variables' | 'steps'>): string {
  const texts = [...variables.map(({ value }) => value), ...steps.flatMap(textsOf)];
  return texts.map(({ text }) => text).join('\n');
}

/** Whether a value may be the name of an exit code: `ERR_OVER_LIMIT`. */
export function isExitName(text: string): boolean {
  return /^[A-Za-z_][\w:.?]*$/.test(text) && !['true', 'false', 'null', 'nan'].includes(text);
}

function problemsOfExpectation({ subject, value }: Expectation): CallSheetProblem[] {
  switch (subject.kind) {
    case 'fails':
      return [];
    case 'exit':
      return isExitName(value.text) ? [] : problemsOf(value, true);
    case 'gas':
    case 'entry':
      return problemsOf(value, true);
    // The type decides which values are valid.
    case 'field':
      return [];
    case 'answer':
      return problemsOf(subject.call.arguments, false);
  }
}

/** A variable may use the ones above it. */
function namesBelow(
  value: PlacedText,
  index: number,
  lastAt: ReadonlyMap<string, number>,
): CallSheetProblem[] {
  return namesIn(value)
    .filter(({ text }) => (lastAt.get(text.slice(1)) ?? -1) >= index)
    .map(({ text, offset, length }) => ({
      offset,
      length,
      message: `${text} is set further down.`,
      suggestion: 'Move its line above this one.',
    }));
}

/** `@name` outside of quotes. */
export function namesIn({ text, offset }: PlacedText): PlacedText[] {
  const plain = withoutTexts(text);
  return [...plain.matchAll(/@[\w.-]*/g)].map(({ 0: name, index }) => ({
    text: name,
    offset: offset + index,
    length: name.length,
  }));
}

function problemsOf(placed: PlacedText, isSingle: boolean): CallSheetProblem[] {
  if (/[@{]|\bfile\b|\baddr\s+[a-z]/i.test(withoutTexts(placed.text))) {
    // Only a name without any letters is always wrong.
    return namesIn(placed)
      .filter(({ text }) => text === '@')
      .map(({ offset }) => ({ offset, length: 1, message: 'A name is missing after @.' }));
  }
  try {
    const values = parseStackText(placed.text);
    return isSingle && values.length !== 1
      ? [{ ...placeOf(placed), message: `One value is needed here, not ${values.length}.` }]
      : [];
  } catch (error) {
    const { offset, length, error: found } = placedError(error);
    return [
      {
        offset: placed.offset + offset,
        length,
        message: found.message,
        suggestion: found.hint,
        isUntyped: true,
      },
    ];
  }
}

/** Quoted texts replaced by spaces, so that positions stay the same. */
function withoutTexts(text: string): string {
  return replaceTexts(text, (quoted) => ' '.repeat(quoted.length));
}

function placeOf({ offset, length }: PlacedText): Pick<PlacedText, 'offset' | 'length'> {
  return { offset, length };
}
