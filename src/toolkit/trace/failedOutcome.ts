import type { Outcome } from './traceModel';

/** Whether something that a transaction was asked to do was undone or left out. */
export function failedOutcome(outcome: Outcome): boolean {
  return outcome === 'failed' || outcome === 'partial';
}
