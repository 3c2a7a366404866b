import type { CallSheet, CallSheetProblem, SheetStep } from './callSheet';

/** The problems that prevent a step from running: those in its own lines, and those above all steps. */
export function problemsOfStep({ steps, problems }: CallSheet, step: SheetStep): CallSheetProblem[] {
  return problems.filter(({ offset }) => {
    const owner = steps.findLast((one) => Math.min(one.header.offset, one.offset) <= offset);
    return owner === undefined || owner === step;
  });
}
