import type { V3Message } from '../api/v3Objects';
import type { TraceContext } from './traceContext';
import type { JettonFacts } from './traceKnowledge';

/** From whom to whom, what, and how much. */
export function routeOf(message: V3Message, context: TraceContext): string {
  const from = message.source == null ? 'outside' : context.title(message.source);
  const to = message.destination == null ? 'outside' : context.title(message.destination);
  const value = message.value ?? undefined;
  const bounce = message.bounced === true ? ', bounced' : '';
  return `${from} → ${to}, ${context.messageName(message)}${value === undefined ? '' : `, ${context.coins(value)}`}${bounce}`;
}

/** The jetton of a message between jetton wallets. */
export function jettonOfMessage(message: V3Message, context: TraceContext): JettonFacts | undefined {
  for (const account of [message.destination, message.source]) {
    const key = account ?? undefined;
    const master = key === undefined ? undefined : context.jettonWallet(key)?.master;
    if (master !== undefined) {
      return context.jetton(master);
    }
  }
  return undefined;
}
