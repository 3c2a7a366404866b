import type { SheetStep } from '../callSheet/callSheet';
import type { JunitCase } from '../callSheet/junitReport';
import { errorSentences } from '../errors';
import type { StepOutcome } from './sheetRunTypes';
import { groupBy } from '../groupBy';

/** One test per scenario: its steps pass or fail together. Scenarios that were not reached are skipped. */
export function scenarioCases(steps: readonly SheetStep[], outcomes: readonly StepOutcome[]): JunitCase[] {
  return [...groupBy(steps, ({ scenario }) => scenario).values()].map((own) => {
    const done = outcomes.filter(({ step, isSkipped }) => own.includes(step) && isSkipped !== true);
    const [first] = own;
    const name = first?.scenarioTitle ?? first?.title ?? '';
    const elapsedMs = done.reduce((sum, one) => sum + one.elapsedMs, 0);
    const error = done.find((one) => one.error !== undefined)?.error;
    const failures = done.flatMap((one) =>
      one.failures.map((failure) => (own.length === 1 ? failure : `${one.step.title}: ${failure}`)),
    );
    return {
      ...{ name, elapsedMs, failures },
      ...(error === undefined ? {} : { error: { code: error.code, message: errorSentences(error) } }),
      ...(done.length === 0 ? { isSkipped: true } : {}),
    };
  });
}
