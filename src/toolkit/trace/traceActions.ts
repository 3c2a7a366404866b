import { actionWords } from './actionWords';
import { countEmulated, isEmulated } from './emulated';
import { inferActions } from './inferActions';
import type { TraceContext } from './traceContext';
import type { TraceModel } from './traceModel';

/** One thing that a trace did, in words. */
export interface TraceAction {
  /** The service's word for the kind: jetton_transfer, call_contract, …. */
  type: string;
  /** `jetton transfer 25 USD₮, alice → bob, comment "rent"`. Made visible. */
  words: string;
  success: boolean;
  /** ✓ done, ✗ failed, ◌ in no block (yet), ? the answer does not say. */
  symbol: string;
  /** Transactions it consists of, as indexes of {@link TraceModel.nodes}. */
  nodes: number[];
  /** Read from the messages here, because the answer carries no actions. */
  inferred: boolean;
}

/** An action before its symbol is known. */
export type ToldAction = Omit<TraceAction, 'symbol'>;

/** What the trace did: the service's classification where the answer has it, else what the messages tell. */
export function traceActions(context: TraceContext): TraceAction[] {
  const actions =
    context.model.actions.length > 0
      ? context.model.actions.map((action) => actionWords(action, context))
      : inferActions(context);
  return actions.map((action) => ({ ...action, symbol: symbolOf(action, context.model) }));
}

function symbolOf({ nodes, success }: ToldAction, model: TraceModel): string {
  const own = nodes.map((index) => model.nodes[index]).filter((node) => node !== undefined);
  const isFailed = own.some((node) => node.outcome === 'failed' || node.outcome === 'partial');
  if (!isFailed && own.some((node) => node.outcome === 'unknown')) {
    return model.state === 'pending' ? '◌' : '?';
  }
  if (!success) {
    return '✗';
  }
  return own.some(isEmulated) || (own.length === 0 && countEmulated(model) > 0) ? '◌' : '✓';
}
