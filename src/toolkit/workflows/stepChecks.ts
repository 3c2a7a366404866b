import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import type { AnswerValue, NameOfAccount } from '../callSheet/answerValue';
import { answerValue, checkAnswerPart, valueText } from '../callSheet/answerValue';
import type { AnswerPart, Expectation, MethodCall, PathPart, SheetStep } from '../callSheet/callSheet';
import { compareNumbers, entryPath, expectedWords } from '../callSheet/callSheet';
import { actualText, checkExpectation } from '../callSheet/checkExpectation';
import { pathText } from '../callSheet/readMethodCall';
import { isExitName } from '../callSheet/textsOfSheet';
import type { SheetValues } from '../callSheet/sheetValues';
import { WorkbenchError, errorSentences, toWorkbenchError } from '../base/errors';
import type { ExitSource } from '../contracts/exitCodes';
import { getMethodFailedError } from '../getMethods/getMethodErrors';
import type { GetMethodResult } from '../getMethods/getMethodResult';
import { isSuccess } from '../getMethods/getMethodResult';
import type { StackValue } from '../stack/stackValue';
import { printStackValue } from '../stack/stackValue';
import { visibleText } from '../base/text';
import { verdictOf } from '../trace/verdict';
import type { TypedValue } from '../contracts/layouts/typedValue';
import type { CheckedExpectation, SentOutcome, StepOutcome } from './sheetRunTypes';

/** An answer with its types. */
export interface SheetAnswer {
  result: GetMethodResult;
  signature: GetMethodSignature | undefined;
}

/** How checks access the network. */
export interface CheckSources {
  call: (call: MethodCall) => Promise<SheetAnswer>;
  exits: (address: string) => Promise<ExitSource | undefined>;
  accountName: NameOfAccount;
}

type Done = Pick<StepOutcome, 'result' | 'signature' | 'sent' | 'deployed'>;

/** Checks a step's expectations. */
export class StepChecks {
  readonly #step: SheetStep;
  readonly #values: SheetValues;
  readonly #sources: CheckSources;
  readonly #expected = new Map<Expectation, StackValue>();
  /** Answers to the calls in expectations; each call is made once. */
  readonly #answers = new Map<string, Promise<SheetAnswer>>();

  constructor(step: SheetStep, values: SheetValues, sources: CheckSources) {
    this.#step = step;
    this.#values = values;
    this.#sources = sources;
  }

  /** The same checks with the names known by now. */
  with(values: SheetValues, call: CheckSources['call']): StepChecks {
    return new StepChecks(this.#step, values, { ...this.#sources, call });
  }

  /**
   * Reads the expected values that need no types, so that errors in them are found before anything is sent.
   */
  readExpected(): void {
    for (const expectation of this.#step.expectations) {
      const { subject, value } = expectation;
      const isNumber = subject.kind === 'gas' || (subject.kind === 'exit' && !isExitName(value.text));
      if (isNumber || subject.kind === 'entry') {
        this.#expected.set(expectation, this.#values.one(value));
      }
    }
  }

  /** Checks all expectations against the step's outcome. */
  async finish(done: Done): Promise<Omit<StepOutcome, 'step' | 'elapsedMs'>> {
    if (this.#expected.size === 0) {
      this.readExpected();
    }
    const checks: CheckedExpectation[] = [];
    for (const expectation of this.#step.expectations) {
      checks.push({ expectation, ...(await this.#check(expectation, done)) });
    }
    const failures = failuresOf(checks, done);
    return { ...done, passed: failures.length === 0, failures, checks };
  }

  async #check(expectation: Expectation, done: Done): Promise<Omit<CheckedExpectation, 'expectation'>> {
    const { subject } = expectation;
    switch (subject.kind) {
      case 'answer': {
        const { target, method, arguments: given } = subject.call;
        const label = `${target.text} ${method.text}(${given.text})${withDot(subject.path)}`;
        return this.#checkPart(expectation, visibleText(label), subject.path, this.#answer(subject));
      }
      case 'field':
        return this.#checkPart(expectation, visibleText(pathText(subject.path)), subject.path, own(done));
      case 'entry':
        return this.#checkEntry(expectation, subject.path, done);
      default:
        return done.result === undefined
          ? this.#checkSent(expectation, done.sent)
          : this.#checkCount(expectation, done.result);
    }
  }

  #answer({ call }: AnswerPart): Promise<SheetAnswer> {
    const key = JSON.stringify([call.target.text, call.method.text, call.arguments.text]);
    const known = this.#answers.get(key) ?? this.#sources.call(call);
    this.#answers.set(key, known);
    return known;
  }

  async #checkPart(
    expectation: Expectation,
    label: string,
    path: readonly PathPart[],
    answer: Promise<SheetAnswer>,
  ): Promise<Omit<CheckedExpectation, 'expectation'>> {
    const { comparison, value } = expectation;
    const { accountName: name } = this.#sources;
    try {
      const { result, signature } = await answer;
      if (!isSuccess(result)) {
        throw getMethodFailedError(result);
      }
      const part = answerPart({ result, signature }, [...path], this.#values);
      const expected = this.#values.typed(value, part.type, signature?.constants);
      const failure = checkAnswerPart({ ...{ label, comparison, expected, name }, actual: part.value });
      return {
        expected: valueText(expected, name),
        actual: valueText(part.value, name),
        ...(failure === undefined ? {} : { failure }),
      };
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      if (error.code === 'aborted') {
        throw error;
      }
      return { expected: value.text, failure: errorSentences(error) };
    }
  }

  /** An entry by its number, with its type if the types say which value it is. */
  async #checkEntry(
    expectation: Expectation,
    path: readonly number[],
    done: Done,
  ): Promise<Omit<CheckedExpectation, 'expectation'>> {
    const { result, signature } = done;
    const parts = result !== undefined && isSuccess(result) ? entryPath(signature?.result, path) : undefined;
    if (parts !== undefined && result !== undefined) {
      const typed = await this.#checkPart(expectation, `Entry ${path.join('.')}`, parts, own(done));
      if (typed.actual !== undefined) {
        return typed;
      }
    }
    return this.#checkCount(expectation, result);
  }

  async #checkCount(
    expectation: Expectation,
    result: Done['result'],
  ): Promise<Omit<CheckedExpectation, 'expectation'>> {
    if (result === undefined) {
      throw new Error('only calls have answers');
    }
    if (expectation.subject.kind === 'exit' && isExitName(expectation.value.text)) {
      const names = (await this.#sources.exits(result.address))?.errors;
      const name = result.exitCode === null ? undefined : names?.get(result.exitCode);
      return checkExitName(expectation, result.exitCode, name, names);
    }
    const expected = this.#expected.get(expectation) ?? { type: 'null' };
    const failure = checkExpectation(expectation, expected, result);
    const actual = actualText(expectation, result);
    return {
      expected: expectation.subject.kind === 'fails' ? 'failure' : printStackValue(expected),
      ...(failure === undefined ? {} : { failure }),
      ...(actual === undefined ? {} : { actual }),
    };
  }

  async #checkSent(
    expectation: Expectation,
    sent: SentOutcome | undefined,
  ): Promise<Omit<CheckedExpectation, 'expectation'>> {
    const { subject, comparison, value } = expectation;
    // A contract that already existed needed no message.
    const { exitCode, exitName, gasUsed } = sent ?? { exitCode: 0, exitName: undefined, gasUsed: 0n };
    const verdict = sent === undefined ? undefined : verdictOf(sent.trace);
    if (subject.kind === 'fails') {
      const failure = 'It succeeded, but was expected to fail.';
      return {
        expected: 'failure',
        actual: verdict ?? 'success',
        ...(verdict === undefined ? { failure } : {}),
      };
    }
    if (subject.kind === 'exit' && isExitName(value.text)) {
      const cause = sent?.trace.model.nodes.find(({ outcome }) => outcome === 'failed')?.account;
      const names = cause === undefined ? undefined : (await this.#sources.exits(cause))?.errors;
      return checkExitName(expectation, exitCode, exitName, names);
    }
    const expected = this.#expected.get(expectation);
    const actual = subject.kind === 'gas' ? gasUsed : exitCode === null ? undefined : BigInt(exitCode);
    if (actual === undefined) {
      return { expected: value.text, failure: verdict ?? 'The exit code is not known.' };
    }
    if (expected?.type !== 'int') {
      return { expected: value.text, failure: `${subject.kind} is a number, but ${value.text} is not.` };
    }
    const name = subject.kind === 'exit' && exitName !== undefined ? ` (${visibleText(exitName)})` : '';
    return {
      expected: expected.value.toString(),
      actual: `${actual}${name}`,
      ...(compareNumbers(comparison, actual, expected.value)
        ? {}
        : {
            failure: `${subject.kind} is ${actual}${name}, expected ${expectedWords(comparison, expected.value.toString())}.`,
          }),
    };
  }
}

/** A part of an answer; keys of maps are read like values in the sheet. */
export function answerPart(
  { result, signature }: SheetAnswer,
  path: AnswerPart['path'],
  values: SheetValues,
): AnswerValue {
  return answerValue(result, signature, path, (text, type): TypedValue =>
    values.typed(text, type, signature?.constants),
  );
}

/** Wraps an answer that is already there. */
function own({ result, signature }: Done): Promise<SheetAnswer> {
  return result === undefined
    ? Promise.reject(
        new WorkbenchError({ code: 'call-sheet-invalid', kind: 'input', message: 'There is no answer.' }),
      )
    : Promise.resolve({ result, signature });
}

function withDot(path: readonly PathPart[]): string {
  return path[0]?.kind === 'name' ? `.${pathText(path)}` : pathText(path);
}

function checkExitName(
  { comparison, value }: Expectation,
  code: number | null,
  name: string | undefined,
  names: ReadonlyMap<number, string> | undefined,
): Omit<CheckedExpectation, 'expectation'> {
  const wanted = value.text;
  const isKnown = names === undefined || names.size === 0 || [...names.values()].includes(wanted);
  const shown = `${code ?? 'unknown'}${name === undefined ? '' : ` (${visibleText(name)})`}`;
  const holds =
    (comparison === '==' && name === wanted) || (comparison === '!=' && isKnown && name !== wanted);
  if (holds) {
    return { expected: wanted, actual: shown };
  }
  const reason =
    comparison !== '==' && comparison !== '!='
      ? ' Names can only be compared with == and !=.'
      : isKnown
        ? ''
        : ` The contract has no such exit code; it has: ${[...(names?.values() ?? [])].slice(0, 12).join(', ')}.`;
  return {
    expected: wanted,
    actual: shown,
    failure: `exit is ${shown}, expected ${expectedWords(comparison, wanted)}.${reason}`,
  };
}

/** A failed method has no entries, so missing ones are not reported individually. */
function failuresOf(checks: readonly CheckedExpectation[], { result, sent }: Done): string[] {
  const isAboutExit = ({ expectation: { subject } }: CheckedExpectation): boolean =>
    subject.kind === 'exit' || subject.kind === 'fails';
  const exits = checks.filter(isAboutExit);
  const verdict = sent === undefined ? undefined : verdictOf(sent.trace);
  const hasFailed = result === undefined ? verdict !== undefined : !isSuccess(result);
  const isUnexpected = hasFailed && exits.every(({ failure }) => failure !== undefined);
  const told = checks.filter(
    ({ actual, expectation }) =>
      !isUnexpected || actual !== undefined || expectation.subject.kind === 'answer',
  );
  const failures = told.flatMap(({ failure }) => failure ?? []);
  if (!isUnexpected || exits.length > 0) {
    return isUnexpected && verdict !== undefined ? [...new Set([...failures, verdict])] : failures;
  }
  return result === undefined
    ? [verdict ?? 'It failed.', ...failures]
    : [errorSentences(getMethodFailedError(result)), ...failures];
}
