import { isSuccess } from '../toolkit/getMethods/getMethodResult';
import { exitFact, gasFact } from '../toolkit/getMethods/resultFacts';
import { resultToJson } from '../toolkit/getMethods/resultToJson';
import { traceSummary } from '../toolkit/trace/traceSummary';
import { factsLine } from '../toolkit/trace/traceText';
import { groupDigits, visibleText } from '../toolkit/text';
import { stepSummary } from '../toolkit/workflows/stepSummary';
import type { StepOutcome } from '../toolkit/workflows/sheetRunTypes';

/** A step's outcome as a line of JSON, whose keys are stable. */
export function stepJson({
  step,
  passed,
  isSkipped,
  result,
  signature,
  sent,
  deployed,
  failures,
  error,
}: StepOutcome): unknown {
  return {
    title: step.title,
    step: step.kind,
    passed,
    ...(isSkipped === true ? { skipped: true } : {}),
    failures,
    ...(result === undefined ? {} : resultToJson(result, signature)),
    ...(deployed === undefined ? {} : { deployed }),
    ...(sent === undefined
      ? {}
      : {
          exitCode: sent.exitCode,
          exitName: sent.exitName ?? null,
          gasUsed: sent.gasUsed.toString(),
          trace: traceSummary(sent.trace),
        }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}

/**
 * @param words what the step does
 * @param place of the failed step
 */
export function stepText(outcome: StepOutcome, words: string, place: string): string {
  const { passed, isSkipped, result, sent, failures } = outcome;
  const facts =
    result !== undefined
      ? `  ${exitFact(result)}${isSuccess(result) ? '' : ` ${visibleText(result.exitMeaning)}`}, ${gasFact(result)}, ${Math.round(result.elapsedMs)} ms`
      : sent !== undefined
        ? `  ${stepSummary(outcome)}, gas ${groupDigits(sent.gasUsed)}, ${factsLine(sent.trace)}`
        : outcome.deployed !== undefined
          ? `  ${stepSummary(outcome)}`
          : '';
  return [
    `${passed ? '✓' : isSkipped === true ? '-' : '✗'} ${visibleText(words)}${facts}${place}`,
    ...failures.map((failure) => `    ${visibleText(failure)}`),
  ].join('\n');
}

/** One-based, as in editors. */
export function lineAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
