import { visibleText } from '../base/text';
import { formatInteger } from './figures';
import type { TraceContext } from './traceContext';
import { accountIn, amountIn } from './traceKeys';

type Details = Readonly<Record<string, unknown>>;

/** Maximum per line; the trace's document has every field. */
const mostParts = 12;
/** Names of amounts that are always in coins. */
const coinNames =
  /(^|_)(value|price|bid|ton_amount|forward_amount|payout_amount|royalty_amount|excess|fees?)$/;
const amountNames = /(^|_)amount(_|$)/;
const assetNames = /(^|_)(asset|jetton|token|currency|coin)/;

/**
 * An action kind without its own phrase, described by its parts: `coffee staking deposit: source alice, amount 12
 * GRM`. Amounts use the unit of the asset named next to them; without one they stay in base units.
 */
export function partsOfAction(type: string, details: Details, context: TraceContext): string {
  const parts = partsOf(details, context, '');
  const shown = parts.slice(0, mostParts);
  const more = parts.length > shown.length ? [`and ${parts.length - shown.length} more`] : [];
  const all = [...shown, ...more].join(', ');
  return `${visibleText(type.replaceAll('_', ' '), 60)}${all === '' ? '' : `: ${all}`}`;
}

function partsOf(details: Details, context: TraceContext, path: string, depth = 0): string[] {
  return Object.entries(details).flatMap(([key, value]) => {
    const name = `${path}${visibleText(key, 40).replaceAll('_', ' ')}`;
    if (typeof value === 'object' && value !== null) {
      // Nested parts (a transfer inside a swap) name their own assets.
      return depth < 3 ? partsOf(value as Details, context, `${name} `, depth + 1) : [];
    }
    if (typeof value !== 'string' && typeof value !== 'number' && value !== true) {
      return [];
    }
    return value === '' ? [] : [value === true ? name : `${name} ${partText(key, value, details, context)}`];
  });
}

function partText(key: string, value: string | number, details: Details, context: TraceContext): string {
  const text = String(value);
  if (/^-?\d+:[0-9a-fA-F]{64}$/.test(text)) {
    return context.name(accountIn(text));
  }
  const amount = amountIn(value);
  if (amount === undefined) {
    return visibleText(text, 40);
  }
  if (amountNames.test(key) || coinNames.test(key)) {
    return amountText(unitOf(key, details), amount, context);
  }
  return text;
}

function amountText(unit: string | undefined, amount: bigint, context: TraceContext): string {
  switch (unit) {
    case 'coin':
      return context.coins(amount);
    case undefined:
      return `${formatInteger(amount)} units`;
    default:
      return context.jettonAmount(amount, accountIn(unit));
  }
}

/** `coin`, a jetton's master, or undefined if the action leaves it open. */
function unitOf(key: string, details: Details): string | undefined {
  // amount_1 goes with asset_1, out_amount with out_asset or asset_out.
  const [before = '', after = ''] = key.split('amount');
  const rest = before.replace(/_$/, '') || after.replace(/^_/, '');
  const beside = [
    ...(amountNames.test(key) ? [key.replace('amount', 'asset'), `asset_${rest}`, `${rest}_asset`] : []),
    ...(rest === '' ? ['asset'] : []),
  ].find((name) => Object.hasOwn(details, name));
  if (beside !== undefined) {
    const asset = details[beside];
    return asset === null || asset === '' ? 'coin' : typeof asset === 'string' ? asset : undefined;
  }
  if (coinNames.test(key)) {
    return 'coin';
  }
  const isPlain = /^amount(_\d+)?$/.test(key);
  return isPlain && !Object.keys(details).some((name) => assetNames.test(name)) ? 'coin' : undefined;
}
