import type { TraceModel, TraceNode } from './traceModel';

/** Whether a transaction was computed ahead: it is in no block, and what it says has not happened (yet). */
export function isEmulated(node: TraceNode): boolean {
  return node.transaction?.emulated === true;
}

/** How many transactions of a trace were computed ahead. */
export function countEmulated(model: TraceModel): number {
  return model.nodes.filter(isEmulated).length;
}

/** Whether nothing of a trace has happened: an emulation or a rehearsal, and no trace that the network is working on. */
export function isEmulation(model: TraceModel): boolean {
  const [first] = model.nodes;
  return (
    model.state !== 'pending' &&
    first !== undefined &&
    isEmulated(first) &&
    model.nodes.every((node) => isEmulated(node) || !node.isCarried)
  );
}
