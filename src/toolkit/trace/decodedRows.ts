import { bodyCode, intText } from '../contracts/opcodes/bodyLines';
import type { BodyValue, DecodedBody } from '../contracts/opcodes/decodedBody';
import { inlineValue, withTokenContent } from '../contracts/opcodes/decodedBody';
import { visibleText } from '../base/text';
import { formatTime } from './figures';
import { jettonsText } from './messageFacts';
import type { TraceContext } from './traceContext';
import { accountIn } from './traceKeys';
import type { JettonFacts } from './traceModel';

/** One fact of a decoded body. */
export interface DecodedRow {
  /** The fields that lead to it: more than one in nested bodies; none for the body itself and what is left of it. */
  path: string[];
  /** What the fact is: the name and source of a body, a field's value, a field that is a body, or a remark. */
  kind: 'title' | 'field' | 'body' | 'remark';
  /** Empty for a field that is a body. */
  text: string;
}

/**
 * A decoded body as rows: its title, then one per field, nested bodies after their field.
 *
 * @param jetton the jetton of the body's amounts
 */
export function decodedRows(body: DecodedBody, context: TraceContext, jetton?: JettonFacts): DecodedRow[] {
  const rows: DecodedRow[] = [];
  const stack: (DecodedRow | { body: DecodedBody; path: string[] })[] = [{ body, path: [] }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if ('text' in item) {
      rows.push(item);
      continue;
    }
    const { body: current, path } = item;
    const next: typeof stack = [{ path, kind: 'title', text: titleOf(current) }];
    for (const { name, value } of current.fields) {
      const field = { name, value: withTokenContent(value) };
      const own = [...path, visibleText(field.name, 60)];
      if (field.value.type === 'body') {
        next.push({ path: own, kind: 'body', text: '' }, { body: field.value.value, path: own });
      } else {
        next.push({ path: own, kind: 'field', text: fieldText(field, context, jetton) });
      }
    }
    next.push(...(current.remarks ?? []).map((text): DecodedRow => ({ path, kind: 'remark', text })));
    const { bits, refs } = current.left;
    if (current.broken) {
      next.push({ path, kind: 'remark', text: 'the rest does not fit the layout' });
    } else if (bits + refs > 0 && !current.bounced) {
      next.push({ path, kind: 'remark', text: `and ${bits} more bits, ${refs} more references` });
    }
    stack.push(...next.reverse());
  }
  return rows;
}

function titleOf(body: DecodedBody): string {
  const code = bodyCode(body)
    .map((one) => ` (${one})`)
    .join('');
  return `${body.bounced ? 'bounced ' : ''}${visibleText(body.name, 60)}${code}, ${body.source}`;
}

/** A field's value: times in words, amounts in the unit of their asset. */
function fieldText(
  { name, value }: DecodedBody['fields'][number],
  context: TraceContext,
  jetton: JettonFacts | undefined,
): string {
  if (value.type === 'int' && /^(valid_until|expiration_date|created_at|revoked_at)$/.test(name)) {
    return timeText(name, value.value);
  }
  return value.type === 'coins' ? amountText(value, context, jetton) : valueText(value, context);
}

/** A time, which for a wallet's request without an end is the largest number of 32 bits. */
function timeText(name: string, seconds: bigint): string {
  return seconds === 0xffffffffn && /^(valid_until|expiration_date)$/.test(name)
    ? 'never expires'
    : `${seconds} (${formatTime(Number(seconds))})`;
}

/** The declared type decides: coins are TON whatever the field is called, unless a jetton's standard says otherwise. */
function amountText(
  { value, isJetton }: Extract<BodyValue, { type: 'coins' }>,
  context: TraceContext,
  jetton?: JettonFacts,
): string {
  if (isJetton !== true) {
    return context.coins(value);
  }
  return jettonsText(value, jetton);
}

/** A value among others: an account by name only. */
function inMap(value: BodyValue, context: TraceContext): string {
  return value.type === 'address' && value.value !== undefined
    ? context.title(accountIn(value.value))
    : valueText(value, context);
}

/** One value of a decoded body. */
function valueText(value: BodyValue, context: TraceContext): string {
  switch (value.type) {
    case 'int':
      // Mostly identifiers: grouped digits would hinder copying.
      return intText(value);
    case 'coins':
      return amountText(value, context);
    case 'bool':
      return value.value ? 'yes' : 'no';
    case 'address':
      return value.value === undefined
        ? 'no address'
        : `${context.title(accountIn(value.value))}  ${visibleText(value.value)}`;
    case 'text':
      return `"${visibleText(value.value)}"`;
    case 'bytes':
      return value.value;
    case 'none':
      return 'none';
    case 'cell':
      return `cell ${value.value}`;
    case 'body':
      return titleOf(value.value);
    case 'map':
      return inlineValue(value, (inner) => inMap(inner, context));
  }
}
