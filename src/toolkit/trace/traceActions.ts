import type { ToldAction, TraceAction } from './actionWords';
import { actionWords } from './actionWords';
import { countEmulated, isEmulated } from './isEmulated';
import type { TraceModel } from './traceModel';
import { failedOutcome } from './traceModel';
import { inferActions } from './inferActions';
import type { TraceContext } from './traceContext';

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

const unitMs = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 };

/** Unix seconds of `2h` ago, or of a date in local time. */
export function readStart(text: string, now: number): number | undefined {
  const ago = /^\s*(\d{1,5})\s*([mhd])\s*$/.exec(text);
  if (ago !== null) {
    const unit = unitMs[ago[2] as keyof typeof unitMs];
    return Math.floor((now - Number(ago[1]) * unit) / 1000);
  }
  if (!/^\s*\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?\s*$/.test(text)) {
    return undefined;
  }
  const day = text.trim().replace(' ', 'T');
  const time = new Date(day.length === 10 ? `${day}T00:00` : day).getTime();
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}
