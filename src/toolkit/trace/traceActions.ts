import { actionWords } from './actionWords';
import { countEmulated, isEmulated } from './emulated';
import { inferActions } from './inferActions';
import type { ToldAction, TraceAction } from './traceAction';
import { failedOutcome } from './failedOutcome';
import type { TraceContext } from './traceContext';
import type { TraceModel } from './traceModel';

/** What the trace did: the service's classification if available, else inferred from the messages. */
export function traceActions(context: TraceContext): TraceAction[] {
  const actions =
    context.model.actions.length > 0
      ? context.model.actions.map((action) => actionWords(action, context))
      : inferActions(context);
  return actions.map((action) => ({ ...action, symbol: symbolOf(action, context.model) }));
}

function symbolOf({ nodes, success }: ToldAction, model: TraceModel): string {
  const own = nodes.map((index) => model.nodes[index]).filter((node) => node !== undefined);
  const isFailed = own.some(({ outcome }) => failedOutcome(outcome));
  if (!isFailed && own.some((node) => node.outcome === 'unknown')) {
    return model.state === 'pending' ? '◌' : '?';
  }
  if (!success) {
    return '✗';
  }
  return own.some(isEmulated) || (own.length === 0 && countEmulated(model) > 0) ? '◌' : '✓';
}
