import { WorkbenchError } from '../errors';
import { parseStackText } from '../stack/parseStackText';
import type { CallSheet, CallSheetProblem, PlacedText } from './callSheet';
import { replaceTexts } from './sheetText';

/**
 * Errors in a sheet's values that can be found without names and types. Values with names are checked once those are
 * known.
 */
export function readSheetValues({ variables, calls }: CallSheet): CallSheetProblem[] {
  const lastAt = new Map(variables.map(({ name }, index) => [name.text, index]));
  const problems = variables.flatMap(({ name, value }, index) => {
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
  for (const call of calls) {
    problems.push(...problemsOf(call.arguments, false));
    problems.push(...call.expectations.flatMap(({ value }) => problemsOf(value, true)));
  }
  return problems;
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
    // Only a name without letters is wrong everywhere.
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
    if (!WorkbenchError.is(error, 'stack-text-invalid')) {
      throw error;
    }
    const { offset, length } = error.details as { offset: number; length: number };
    return [
      {
        offset: placed.offset + offset,
        length,
        message: error.message,
        suggestion: error.hint,
        isUntyped: true,
      },
    ];
  }
}

/** Quoted texts replaced by spaces, so that positions stay. */
function withoutTexts(text: string): string {
  return replaceTexts(text, (quoted) => ' '.repeat(quoted.length));
}

function placeOf({ offset, length }: PlacedText): Pick<PlacedText, 'offset' | 'length'> {
  return { offset, length };
}
