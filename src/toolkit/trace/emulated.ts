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
