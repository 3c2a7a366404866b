import { canonicalAddress } from '../address/canonicalAddress';
import { visibleText } from '../text';
import type { DecodedBody } from '../opcodes/decodedBody';
import type { BodyValue } from '../opcodes/decodedBody';
import { inlineValue } from '../opcodes/inlineValue';
import { formatInteger, formatTime, formatUnits } from './figures';
import type { TraceContext } from './traceContext';
import type { JettonFacts } from './traceKnowledge';
import { accountIn } from './traceKeys';

/**
 * A decoded body as indented lines: one per field, nested bodies below their field.
 *
 * @param jetton the jetton of the body's amounts
 */
export function decodedLines(body: DecodedBody, context: TraceContext, jetton?: JettonFacts): string[] {
  const lines: string[] = [];
  const stack: { line?: string; body?: DecodedBody; indent: string }[] = [{ body, indent: '' }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (item.line !== undefined) {
      lines.push(item.indent + item.line);
      continue;
    }
    const current = item.body as DecodedBody;
    const next: typeof stack = [{ line: titleOf(current), indent: item.indent }];
    const inner = `${item.indent}  `;
    for (const field of current.fields) {
      const name = visibleText(field.name, 60);
      if (field.value.type === 'body') {
        next.push({ line: `${name}:`, indent: inner }, { body: field.value.value, indent: `${inner}  ` });
      } else {
        const text = fieldText(field, context, jetton);
        next.push({ line: `${name} ${text}`, indent: inner });
      }
    }
    const { bits, refs } = current.left;
    if (current.broken) {
      next.push({ line: 'the rest does not fit the layout', indent: inner });
    } else if (bits + refs > 0 && !current.bounced) {
      next.push({ line: `and ${bits} more bits, ${refs} more references`, indent: inner });
    }
    stack.push(...next.reverse());
  }
  return lines;
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

/**
 * The service's own decoding (nested JSON from its TL-B catalog) as indented lines, complete: common wrappers go on
 * one line (`amount 1 000 000 (var_uint, 3 bytes)`), all others level by level.
 */
export function serviceDecodingLines(decoded: unknown): string[] {
  const lines: string[] = [];
  const stack: { name: string; value: unknown; indent: string }[] = [
    { name: '', value: decoded, indent: '' },
  ];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { name, value, indent } = item;
    const label = name === '' ? '' : `${visibleText(name, 80)} `;
    const short = shortForm(value);
    if (short !== undefined) {
      lines.push(`${indent}${label}${short}`);
      continue;
    }
    const record = value as Record<string, unknown>;
    const type = typeof record['@type'] === 'string' ? visibleText(record['@type'], 80) : '';
    const title = `${label}${type}`.trimEnd();
    if (title !== '') {
      lines.push(`${indent}${title}`);
    }
    const entries = Object.entries(record).filter(([key]) => key !== '@type' || type === '');
    for (let i = entries.length - 1; i >= 0; i--) {
      const [key, inner] = entries[i] as [string, unknown];
      stack.push({ name: key, value: inner, indent: title === '' ? indent : `${indent}  ` });
    }
  }
  return lines;
}

function shortForm(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return /^-?\d+$/.test(value) ? value : `"${visibleText(value)}"`;
  }
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  if (keys.length === 0) {
    return Array.isArray(value) ? '[]' : '{}';
  }
  const type = record['@type'];
  if (typeof type !== 'string') {
    return undefined;
  }
  if (keys.length === 1) {
    return visibleText(type, 80);
  }
  const { len, value: inner, workchain_id: workchain, address, anycast } = record;
  if (keys.length === 3 && typeof len === 'string' && typeof inner === 'string') {
    return `${visibleText(inner)} (${visibleText(type, 80)}, ${visibleText(len, 20)} bytes)`;
  }
  if (keys.length === 4 && typeof workchain === 'string' && typeof address === 'string') {
    const plain = (anycast as Record<string, unknown> | null | undefined)?.['@type'];
    if (typeof plain === 'string' && Object.keys(anycast as object).length === 1) {
      const raw = `${workchain}:${address}`;
      return `${visibleText(canonicalAddress(raw) ?? raw)} (${type}, anycast ${visibleText(plain, 80)})`;
    }
  }
  return undefined;
}
