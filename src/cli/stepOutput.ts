import { isSuccess } from '../toolkit/getMethods/getMethodResult';
import { exitFact, gasFact } from '../toolkit/getMethods/resultFacts';
import { factsLine } from '../toolkit/trace/traceText';
import { groupDigits, visibleText } from '../toolkit/text';
import { stepSummary } from '../toolkit/workflows/stepSummary';
import type { StepOutcome } from '../toolkit/workflows/sheetRunTypes';

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
