import { fromNano } from '@ton/core';
import { padRight, widestOf } from '../../base/formatTable';
import { formatUnits, groupDigits, visibleText } from '../../base/text';
import type { BodyValue, DecodedBody } from './decodedBody';
import { inlineValue, withTokenContent } from './decodedBody';

/** How values are shown to people. */
export interface BodyLineOptions {
  /** An account's name or friendly address. Default: unchanged. */
  address?: (raw: string) => string;
  /** The coin's label. Default `TON`. */
  coin?: string;
  /** How amounts of the jetton are written, whose account or message it is. Default: in base units. */
  jetton?: { symbol: string; decimals: number } | undefined;
  /** Shows the origin of the layout after each name. Default false. */
  origins?: boolean;
}

/** A decoded body as lines for people: its name, then its fields indented by two, aligned, nested ones deeper. */
export function bodyLines(body: DecodedBody, options: BodyLineOptions = {}): string[] {
  const title = [
    body.name,
    ...bodyCode(body).map((code) => `(${code})`),
    ...(body.bounced ? ['bounced'] : []),
    ...(options.origins === true && body.name !== '' ? [` ${body.source}`] : []),
  ].join(' ');
  const fields = body.fields.map(({ name, value }) => ({ name, value: withTokenContent(value) }));
  const width = widestOf(fields.filter(isShort).map(({ name }) => name));
  const lines = fields.flatMap((field) => {
    if (field.value.type === 'body') {
      const [first, ...rest] = bodyLines(field.value.value, options);
      return [`  ${field.name}  ${first}`, ...rest.map((line) => `  ${line}`)];
    }
    return [`  ${padRight(field.name, width)}  ${bodyValueText(field.value, options)}`];
  });
  return [title, ...lines, ...restLines(body)];
}

/** What a body begins with, as it is declared: its opcode or shorter prefix. None if it has neither. */
export function bodyCode({ opcode, prefix }: Pick<DecodedBody, 'opcode' | 'prefix'>): string[] {
  const code = opcode ?? prefix;
  return code === undefined ? [] : [code];
}

/** What is wrong with it, and what the fields do not cover. */
function restLines({ broken, mismatch, left, bounced, remarks = [] }: DecodedBody): string[] {
  return [...remarks.map((text) => `  ✗ ${text}`), ...(bounced ? [] : uncovered({ broken, mismatch, left }))];
}

function uncovered({ broken, mismatch, left }: Pick<DecodedBody, 'broken' | 'mismatch' | 'left'>): string[] {
  if (broken) {
    const place =
      mismatch === undefined
        ? 'the rest does not fit'
        : `${mismatch.field} does not fit: ${contentText(mismatch)} left for it and the fields after it`;
    return [`  ✗ ${place}`];
  }
  return left.bits + left.refs > 0 ? [`  ✗ ${contentText(left)} left over after the last field`] : [];
}

/** `32 bits and 1 reference are`, `nothing is` */
export function contentText({ bits, refs }: { bits: number; refs: number }): string {
  const parts = [
    ...(bits > 0 ? [`${bits} ${bits === 1 ? 'bit' : 'bits'}`] : []),
    ...(refs > 0 ? [`${refs} ${refs === 1 ? 'reference' : 'references'}`] : []),
  ];
  return `${parts.length === 0 ? 'nothing' : parts.join(' and ')} ${bits + refs > 1 ? 'are' : 'is'}`;
}

function isShort(field: DecodedBody['fields'][number]): boolean {
  return field.value.type !== 'body';
}

/** A value without nested bodies, on one line. */
export function bodyValueText(value: Exclude<BodyValue, { type: 'body' }>, options: BodyLineOptions): string {
  switch (value.type) {
    case 'int':
      return intText(value);
    case 'coins':
      return value.isJetton === true
        ? jettonText(value.value, options.jetton)
        : `${fromNano(value.value)} ${options.coin ?? 'TON'}`;
    case 'bool':
      return value.value ? 'yes' : 'no';
    case 'none':
      return 'none';
    case 'address':
      return value.value === undefined ? 'none' : (options.address?.(value.value) ?? value.value);
    case 'text':
      return JSON.stringify(visibleText(value.value)).replaceAll('\\\\', '\\');
    case 'bytes':
      return value.value;
    case 'cell':
      return cellText(value.value);
    case 'map':
      return inlineValue(value, (inner) => bodyValueText(inner, options));
  }
}

function jettonText(amount: bigint, jetton: BodyLineOptions['jetton']): string {
  return jetton === undefined
    ? `${groupDigits(amount)} base units`
    : `${formatUnits(amount, jetton.decimals)} ${visibleText(jetton.symbol, 24)}`;
}

/** `402`, `1 (compute phase)` */
export function intText({ value, words }: Extract<BodyValue, { type: 'int' }>): string {
  return words === undefined ? value.toString() : `${value} (${words})`;
}

/** A short cell in full, so that it can be copied; for a long one its hash and size. */
function cellText(boc: string): string {
  return boc.length <= 100
    ? boc
    : `${boc.slice(0, 12)}…${boc.slice(-6)} (BoC of ${Buffer.from(boc, 'base64').length} bytes)`;
}
