import { visibleText } from '../text';
import type { DecodedBody } from '../opcodes/decodedBody';
import type { BodyValue } from '../opcodes/decodedBody';
import { inlineValue } from '../opcodes/inlineValue';
import { formatInteger, formatTime, formatUnits } from './figures';
import type { TraceContext } from './traceContext';
import type { JettonFacts } from './traceKnowledge';
import { accountIn } from './traceKeys';

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
    for (const field of current.fields) {
      const own = [...path, visibleText(field.name, 60)];
      if (field.value.type === 'body') {
        next.push({ path: own, kind: 'body', text: '' }, { body: field.value.value, path: own });
      } else {
        next.push({ path: own, kind: 'field', text: fieldText(field, context, jetton) });
      }
    }
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
  const code = body.opcode === undefined ? '' : ` (${body.opcode})`;
  return `${body.bounced ? 'bounced ' : ''}${visibleText(body.name, 60)}${code}, ${body.source}`;
}

/** An ABI does not say whether an amount is in coins, but the field's name may. */
function fieldText(
  { name, value }: DecodedBody['fields'][number],
  context: TraceContext,
  jetton: JettonFacts | undefined,
): string {
  if (value.type === 'int' && /^(valid_until|expiration_date|created_at|revoked_at)$/.test(name)) {
    return `${value.value} (${formatTime(Number(value.value))})`;
  }
  if (value.type !== 'coins') {
    return valueText(value, context);
  }
  if (value.isJetton === true) {
    return jetton === undefined
      ? formatInteger(value.value)
      : `${formatUnits(value.value, jetton.decimals)} ${jetton.symbol}`;
  }
  return /ton_amount$|^forward_amount$|^amount$/.test(name)
    ? context.coins(value.value)
    : formatInteger(value.value);
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
      return String(value.value);
    case 'coins':
      return formatInteger(value.value);
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
