import { explainExitCode } from '../exitCodes';
import { isSuccessCode } from '../isSuccessCode';
import { computeSucceeded } from '../trace/outcomeOf';
import type { TraceContext } from '../trace/traceContext';
import type { TraceNode } from '../trace/traceModel';
import { causeOf } from '../trace/verdict';
import type { SentOutcome } from './sheetRunTypes';

/** The outcome of a trace, in the form that expectations are about. */
export function sentOutcome(trace: TraceContext): SentOutcome {
  const { nodes } = trace.model;
  const gasUsed = nodes.reduce(
    (sum, { transaction }) => sum + BigInt(transaction?.description?.compute_ph?.gas_used ?? 0),
    0n,
  );
  return { trace, gasUsed, ...exitOf(trace) };
}

function exitOf(trace: TraceContext): Pick<SentOutcome, 'exitCode' | 'exitName'> {
  const cause = causeOf(trace.model);
  if (cause === undefined) {
    return { exitCode: trace.model.nodes.some(({ outcome }) => outcome === 'unknown') ? null : 0 };
  }
  const { code, phase } = codeOf(cause);
  const name =
    code === null || isSuccessCode(code)
      ? undefined
      : explainExitCode(code, phase, trace.exitSource(cause.account))?.name;
  return { exitCode: code, ...(name === undefined ? {} : { exitName: name }) };
}

/** The exit code of the phase that failed; null if it has none. Code whose actions were left out has ended well. */
function codeOf({ transaction, outcome }: TraceNode): { code: number | null; phase: 'compute' | 'action' } {
  const { compute_ph: compute, action } = transaction?.description ?? {};
  return computeSucceeded(compute) === false || outcome === 'partial'
    ? { code: compute?.exit_code ?? null, phase: 'compute' }
    : { code: action?.success === false ? (action.result_code ?? null) : null, phase: 'action' };
}
