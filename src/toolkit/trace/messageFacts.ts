import { formatUnits } from '../base/text';
import type { V3Message } from '../api/v3Objects';
import { formatInteger } from './figures';
import type { TraceContext } from './traceContext';
import type { JettonFacts } from './traceModel';

/** From whom to whom, what, and how much. */
export function routeOf(message: V3Message, context: TraceContext): string {
  const from = message.source == null ? 'outside' : context.title(message.source);
  const to = message.destination == null ? 'outside' : context.title(message.destination);
  const value = message.value ?? undefined;
  const bounce = message.bounced === true ? ', bounced' : '';
  const jettons = jettonsOfMessage(message, context);
  const amounts = [jettons, value === undefined ? undefined : context.coins(value)];
  return (
    [`${from} → ${to}`, context.messageName(message), ...amounts.filter((one) => one !== undefined)].join(
      ', ',
    ) + bounce
  );
}

/** The jetton of a message from or to a jetton wallet or master. */
export function jettonOfMessage(message: V3Message, context: TraceContext): JettonFacts | undefined {
  for (const account of [message.destination, message.source]) {
    const jetton = account == null ? undefined : context.jettonOf(account);
    if (jetton !== undefined) {
      return jetton;
    }
  }
  return undefined;
}

/** How many jettons a message is about, in their own unit: `25 USDt`, `1 000 base units`; undefined if none. */
export function jettonsOfMessage(message: V3Message, context: TraceContext): string | undefined {
  const amount = context
    .body(message)
    ?.fields.flatMap(({ value }) =>
      value.type === 'coins' && value.isJetton === true ? [value.value] : [],
    )[0];
  return amount === undefined ? undefined : jettonsText(amount, jettonOfMessage(message, context));
}

/** An amount of a jetton whose facts may be unknown. */
export function jettonsText(amount: bigint, jetton: JettonFacts | undefined): string {
  return jetton === undefined
    ? `${formatInteger(amount)} base units`
    : `${formatUnits(amount, jetton.decimals)} ${jetton.symbol}`;
}
