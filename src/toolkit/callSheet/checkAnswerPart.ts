import type { TypedValue } from '../typed/typedValue';
import { isSameTyped, typedToStack } from './answerValue';
import type { Comparison } from './callSheet';
import { compareNumbers, expectedWords } from './compareValues';
import { valueText } from './valueText';
import type { NameOfAccount } from './valueText';

/** An expectation about a part of an answer. */
export interface AnswerComparison {
  /** The compared part as written: `count`. */
  label: string;
  comparison: Comparison;
  actual: TypedValue;
  expected: TypedValue;
  name?: NameOfAccount | undefined;
}

/** Why a part of an answer is not as expected, as one sentence; undefined if it is as expected. */
export function checkAnswerPart({
  label,
  comparison,
  actual,
  expected,
  name,
}: AnswerComparison): string | undefined {
  const shown = valueText(actual, name);
  if (comparison !== '==' && comparison !== '!=') {
    const [left, right] = [numberOf(actual), numberOf(expected)];
    if (left === undefined || right === undefined) {
      return `${label} is ${shown}; only numbers can be compared with ${comparison}.`;
    }
    return compareNumbers(comparison, left, right)
      ? undefined
      : `${label} is ${shown}, expected ${expectedWords(comparison, valueText(expected, name))}.`;
  }
  return isSameTyped(actual, expected) === (comparison === '==')
    ? undefined
    : `${label} is ${shown}, expected ${expectedWords(comparison, valueText(expected, name))}.`;
}

function numberOf(value: TypedValue): bigint | undefined {
  const found = value.kind === 'bool' ? undefined : typedToStack(value);
  return found?.type === 'int' ? found.value : undefined;
}
