import type { TraceAction } from './traceAction';
import type { TraceContext } from './traceContext';
import { groupBy } from '../groupBy';

/** Actions with the same words and symbol. */
export interface ActionGroup {
  symbol: string;
  /** `50 × transfer 0.1 TON, Vault → bob (5 TON)`; a single action as it is. */
  words: string;
  /** The number of actions. */
  count: number;
}

/** The actions of a trace, with identical ones combined at the place of the first. */
export function groupActions(actions: readonly TraceAction[], context: TraceContext): ActionGroup[] {
  const groups = groupBy(actions, ({ symbol, words }) => `${symbol} ${words}`);
  return [...groups.values()].map((group) => {
    const { symbol, words } = group[0]!;
    const total = group.length === 1 ? undefined : totalOf(group, context);
    const all = group.length === 1 ? words : `${group.length} × ${words}`;
    return {
      symbol,
      words: total === undefined ? all : `${all} (${context.coins(total)})`,
      count: group.length,
    };
  });
}

/** Total nanocoins of plain transfers; undefined if an action moves something else, or an unknown amount. */
function totalOf(group: readonly TraceAction[], { model }: TraceContext): bigint | undefined {
  let total = 0n;
  for (const { type, nodes } of group) {
    const value = nodes.length === 1 ? model.nodes[nodes[0]!]?.message?.value : undefined;
    if (type !== 'ton_transfer' || value == null) {
      return undefined;
    }
    total += value;
  }
  return total;
}
