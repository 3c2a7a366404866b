import { isSuccess } from '../getMethods/getMethodResult';
import type { GetMethodResult } from '../getMethods/getMethodResult';
import { printStackValue } from '../stack/stackValue';
import type { StackValue } from '../stack/stackValue';
import type { Comparison, Expectation } from './callSheet';
import { compareNumbers, isSameStack, expectedWords } from './callSheet';

/** Why the expectation is not met, as one sentence; undefined if it is met. */
export function checkExpectation(
  expectation: Expectation,
  expected: StackValue,
  result: Pick<GetMethodResult, 'exitCode' | 'gasUsed' | 'stack' | 'exitMeaning'>,
): string | undefined {
  const { subject, comparison } = expectation;
  if (subject.kind === 'fails') {
    return isSuccess(result) ? 'It succeeded, but was expected to fail.' : undefined;
  }
  if (subject.kind === 'field' || subject.kind === 'answer') {
    throw new Error('these are checked by their types');
  }
  if (subject.kind === 'entry') {
    return checkEntry(subject.path, comparison, expected, result);
  }
  const given = subject.kind === 'exit' ? result.exitCode : result.gasUsed;
  if (given === null) {
    return `The service does not report the ${subject.kind === 'exit' ? 'exit code' : 'gas'}.`;
  }
  const actual = BigInt(given);
  if (expected.type !== 'int') {
    return `${subject.kind} is a number, but ${printStackValue(expected)} is not.`;
  }
  if (compareNumbers(comparison, actual, expected.value)) {
    return undefined;
  }
  const meaning = subject.kind === 'exit' ? ` (${result.exitMeaning})` : '';
  return `${subject.kind} is ${actual}${meaning}, expected ${expectedWords(comparison, expected.value.toString())}.`;
}

/** The answer's value for the expectation; undefined if the answer has no such entry. */
export function actualText(
  { subject }: Expectation,
  result: Pick<GetMethodResult, 'exitCode' | 'gasUsed' | 'stack'>,
): string | undefined {
  if (subject.kind !== 'entry') {
    return (subject.kind === 'gas' ? result.gasUsed : result.exitCode)?.toString();
  }
  const actual = entryAt(
    subject.path,
    result.stack.map(({ value }) => value),
  );
  return actual === undefined ? undefined : printStackValue(actual);
}

function checkEntry(
  path: readonly number[],
  comparison: Comparison,
  expected: StackValue,
  { stack }: Pick<GetMethodResult, 'stack'>,
): string | undefined {
  const name = path.join('.');
  const actual = entryAt(
    path,
    stack.map(({ value }) => value),
  );
  if (actual === undefined) {
    return `There is no entry ${name}: the answer has ${stack.length} ${stack.length === 1 ? 'entry' : 'entries'}.`;
  }
  const isOrder = comparison !== '==' && comparison !== '!=';
  if (isOrder && (actual.type !== 'int' || expected.type !== 'int')) {
    return `Entry ${name} is ${printStackValue(actual)}; only numbers can be compared with ${comparison}.`;
  }
  const holds =
    actual.type === 'int' && expected.type === 'int'
      ? compareNumbers(comparison, actual.value, expected.value)
      : isSameStack(actual, expected) === (comparison === '==');
  return holds
    ? undefined
    : `Entry ${name} is ${printStackValue(actual)}, expected ${expectedWords(comparison, printStackValue(expected))}.`;
}

function entryAt(path: readonly number[], values: readonly StackValue[]): StackValue | undefined {
  const [first = 0, ...rest] = path;
  const value = values[first];
  if (rest.length === 0 || value === undefined) {
    return value;
  }
  return value.type === 'tuple' || value.type === 'list' ? entryAt(rest, value.items) : undefined;
}
