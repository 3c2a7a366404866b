import { canonicalAddress } from '../address/canonicalAddress';
import type { DecodedBody } from '../opcodes/decodedBody';
import { visibleText } from '../text';
import { decodedRows } from './decodedRows';
import type { TraceContext } from './traceContext';
import type { JettonFacts } from './traceKnowledge';

/**
 * A decoded body as indented lines: one per field, nested bodies below their field.
 *
 * @param jetton the jetton of the body's amounts
 */
export function decodedLines(body: DecodedBody, context: TraceContext, jetton?: JettonFacts): string[] {
  return decodedRows(body, context, jetton).map(({ path, kind, text }) => {
    // A field stands below its body's title, and a nested body below its field.
    const levels =
      kind === 'title' ? path.length * 2 : kind === 'remark' ? path.length * 2 + 1 : path.length * 2 - 1;
    const name = path.at(-1) ?? '';
    const line = kind === 'field' ? `${name} ${text}` : kind === 'body' ? `${name}:` : text;
    return '  '.repeat(levels) + line;
  });
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
