import { isEmulation } from './emulated';
import { hasThrown } from './outcomeOf';
import type { TraceModel, TraceNode } from './traceModel';

/** A trace as a window lists it. */
export interface ListedTrace {
  /** `rehearsal`: it has not happened. */
  status: string;
  model: TraceModel;
  /** What the transactions of a rehearsal depended on, if it is known. */
  inputsOf?: unknown;
}

/** Whether there is something to replay. */
export function hasHappened({ status, model }: ListedTrace): boolean {
  return status !== 'rehearsal' && !isEmulation(model);
}

/** Whether its transactions can run again: everything that a rehearsed one depended on is known in its session. */
export function canRun(trace: ListedTrace): boolean {
  return hasHappened(trace) || trace.inputsOf !== undefined;
}

/** Whether a transaction's code threw, so that there is a line to find. */
export function canFindLine(trace: ListedTrace, node: TraceNode | undefined): node is TraceNode {
  return node?.hash !== undefined && hasThrown(node.transaction) && canRun(trace);
}
