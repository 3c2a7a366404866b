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
      ? withoutMintOrders(
          context.model.actions.map((action) => actionWords(action, context)),
          context.model,
        )
      : inferActions(context);
  return actions.map((action) => ({ ...action, symbol: symbolOf(action, context.model) }));
}

/** The service tells a mint apart from the call that orders it; what was minted, and to whom, is what happened. */
function withoutMintOrders(actions: readonly ToldAction[], { nodes }: TraceModel): ToldAction[] {
  const mints = actions.filter(({ type }) => type === 'jetton_mint');
  const orderOf = (mint: ToldAction): ToldAction | undefined =>
    actions.find(
      ({ type, nodes: [first] }) =>
        type === 'call_contract' &&
        first !== undefined &&
        mint.nodes.some((index) => nodes[index]?.parent?.index === first),
    );
  const orders = new Map(mints.map((mint) => [mint, orderOf(mint)]));
  const dropped = new Set(orders.values());
  return actions
    .filter((action) => !dropped.has(action))
    .map((action) => {
      const order = orders.get(action);
      return order === undefined
        ? action
        : {
            ...action,
            nodes: [...order.nodes, ...action.nodes],
            success: action.success && order.success,
          };
    });
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
