import { errorSentences } from '../errors';
import { summarizeResult } from '../getMethods/summarizeResult';
import type { SummaryOptions } from '../getMethods/summarizeResult';
import { summaryText } from '../getMethods/summaryText';
import { visibleText } from '../text';
import { causeOf } from '../trace/verdict';
import type { StepOutcome } from './sheetRunTypes';

/**
 * A step's outcome in a few words: the answer by its types (`1`, `true`, `count 1, owner alice`), a message's
 * outcome (`exit 101 ERR_OVER_LIMIT`, `ok`), or a deployed contract.
 */
export function stepSummary(
  { step, result, signature, sent, deployed, passed, error }: StepOutcome,
  options: Omit<SummaryOptions, 'signature'> = {},
): string {
  if (error !== undefined) {
    return visibleText(errorSentences(error));
  }
  if (result !== undefined) {
    return summaryText(
      summarizeResult(result, { ...options, ...(signature === undefined ? {} : { signature }) }),
    );
  }
  if (sent !== undefined && (deployed === undefined || causeOf(sent.trace.model) !== undefined)) {
    const { exitCode, exitName, trace } = sent;
    const isWhole = causeOf(trace.model) === undefined;
    return exitCode === 0
      ? isWhole
        ? 'ok'
        : 'exit 0, but actions were left out'
      : `exit ${exitCode ?? 'unknown'}${exitName === undefined ? '' : ` ${visibleText(exitName)}`}`;
  }
  if (deployed !== undefined) {
    return deployed.wasThere ? 'is already deployed' : 'deployed';
  }
  return step.kind === 'check' && passed ? 'ok' : '';
}
