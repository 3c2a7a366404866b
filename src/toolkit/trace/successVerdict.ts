import { groupBy } from '../base/collections';
import { sumTransfers } from './actionWords';
import type { TraceAction } from './actionWords';
import { traceActions } from './traceActions';
import type { TraceContext } from './traceContext';
import { actionsLine } from './traceText';
import { traceStatus } from './isEmulated';

/** Receivers that the sentence names. */
const mostNamed = 3;

/**
 * Who got what, in one sentence: `Succeeded: 5 TON to bob, 3 JET to carol, and 20 more`. A trace with one action, or one
 * that is not known to have succeeded, is told by its actions.
 */
export function successVerdict(context: TraceContext): string {
  const actions = traceActions(context);
  const begin = begins[traceStatus(context.model)];
  const shares = sharesOf(actions, context);
  const isTold = actions.length < 2 || sumTransfers(actions, context)?.count === actions.length;
  if (begin === undefined || isTold || shares.length === 0) {
    return actionsLine(actions, context);
  }
  const named = shares.slice(0, mostNamed);
  const more = actions.length - named.reduce((count, share) => count + share.count, 0);
  const parts = named.map(({ text }) => text);
  return `${begin}: ${[...parts, ...(more === 0 ? [] : [`and ${more} more`])].join(', ')}`;
}

const begins: Partial<Record<ReturnType<typeof traceStatus>, string>> = {
  success: 'Succeeded',
  emulated: 'Would succeed',
};

/** What each receiver got of each asset, in the order of the actions. */
function sharesOf(actions: readonly TraceAction[], context: TraceContext): { text: string; count: number }[] {
  const received = actions.flatMap((action) => action.received ?? []);
  return [...groupBy(received, ({ to, master }) => `${to} ${master ?? ''}`).values()].map((share) => {
    const [{ to, master }] = share as [(typeof share)[number]];
    const amount = share.reduce((sum, one) => sum + one.amount, 0n);
    const what = master === undefined ? context.coins(amount) : context.jettonAmount(amount, master);
    return { text: `${what} to ${context.name(to)}`, count: share.length };
  });
}
