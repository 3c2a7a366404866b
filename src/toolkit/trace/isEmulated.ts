import { hasFailedAtLine } from './outcomeOf';
import type { TraceModel, TraceNode } from './traceModel';

/** Whether a transaction was predicted: it is in no block, and has not happened (yet). */
export function isEmulated(node: TraceNode): boolean {
  return node.transaction?.emulated === true;
}

/** Number of predicted transactions in a trace. */
export function countEmulated(model: TraceModel): number {
  return model.nodes.filter(isEmulated).length;
}

/** Whether nothing of a trace has happened: an emulation or rehearsal, not a trace that the network is executing. */
export function isEmulation(model: TraceModel): boolean {
  const [first] = model.nodes;
  return (
    model.state !== 'pending' &&
    first !== undefined &&
    isEmulated(first) &&
    model.nodes.every((node) => isEmulated(node) || !node.isCarried)
  );
}

/** A trace as a window lists it. */
interface ListedTrace {
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
  return node?.hash !== undefined && hasFailedAtLine(node.transaction) && canRun(trace);
}

/** The status of a transaction or trace, as shown in every view. */
export type ShownStatus = 'success' | 'failed' | 'pending' | 'emulated' | 'bounced' | 'notRun' | 'unknown';

/**
 * Each symbol has one meaning: success, failure, in no block (yet), a handled bounce, code not run, not in the
 * answer.
 */
export const statusSymbols: Readonly<Record<ShownStatus, string>> = {
  success: '✓',
  failed: '✗',
  pending: '◌',
  emulated: '◌',
  bounced: '↩',
  notRun: '·',
  unknown: '?',
};

/** The status of a whole trace: failed if any of its transactions is. */
export function traceStatus(model: TraceModel): ShownStatus {
  const bad = ['failed', 'partial'];
  if (model.nodes.some((node) => node.failure !== undefined || bad.includes(node.outcome))) {
    return 'failed';
  }
  if (model.state === 'pending') {
    return 'pending';
  }
  if (countEmulated(model) > 0) {
    return 'emulated';
  }
  return model.incomplete || model.nodes.some((node) => node.outcome === 'unknown') ? 'unknown' : 'success';
}

/** The status of one transaction. */
export function nodeStatus(node: TraceNode, model: TraceModel): ShownStatus {
  if (node.failure !== undefined) {
    return 'failed';
  }
  switch (node.outcome) {
    case 'failed':
    case 'partial':
      return 'failed';
    case 'unknown':
      return model.state === 'pending' ? 'pending' : 'unknown';
    case 'notRun':
      return node.message?.bounced === true ? 'bounced' : 'notRun';
    case 'ok':
      if (node.message?.bounced === true) {
        return 'bounced';
      }
      return isEmulated(node) ? 'emulated' : 'success';
  }
}
