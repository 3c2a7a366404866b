import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';

/** `tock of elector`: the call that a special masterchain account gets in every block. */
export function tickTockWords(node: TraceNode, context: TraceContext): string {
  const kind = node.transaction?.description?.is_tock === true ? 'tock' : 'tick';
  return `${kind} of ${node.account === undefined ? 'nobody' : context.name(node.account)}`;
}
