import { actionWords } from './actionWords';
import { inferActions } from './inferActions';
import type { TraceContext } from './traceContext';

/** One thing that a trace did, in words. */
export interface TraceAction {
  /** The service's word for the kind: jetton_transfer, call_contract, …. */
  type: string;
  /** `jetton transfer 25 USD₮, alice → bob, comment "rent"`. Made visible. */
  words: string;
  success: boolean;
  /** Transactions it consists of, as indexes of {@link TraceModel.nodes}. */
  nodes: number[];
  /** Read from the messages here, because the answer carries no actions. */
  inferred: boolean;
}

/** What the trace did: the service's classification where the answer has it, else what the messages tell. */
export function traceActions(context: TraceContext): TraceAction[] {
  return context.model.actions.length > 0
    ? context.model.actions.map((action) => actionWords(action, context))
    : inferActions(context);
}
