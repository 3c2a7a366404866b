import { canonicalAddress, canonicalHash, sameAddress } from '../../address/canonicalAddress';
import { groupDigits, visibleText } from '../../base/text';
import type { RuleName, RuleResult, Verdict } from '../delivery/delivery';
import type { OrderLookup } from '../orders/orderBook';
import type { Order } from '../orders/parseOrders';
import type { TransferData } from '../payload/payload';
import { completedEvent } from '../payload/payload';
import { decimalsBetween, fromBaseUnits, toBaseUnits } from '../values/amount';
import { assetName, isNativeAsset, knownDecimals, sameAsset } from '../values/asset';

const fixed = {
  rightEvent: { rule: 'event', verdict: 'pass', text: `The event is ${completedEvent}.` },
  noOrders: {
    rule: 'reference',
    verdict: 'skip',
    text: 'No orders file: every reference is accepted.',
  },
  unknownReference: {
    rule: 'reference',
    verdict: 'fail',
    text: 'No order has this reference: log it and answer 2xx.',
  },
  knownReference: { rule: 'reference', verdict: 'pass', text: 'An order has this reference.' },
  firstTime: { rule: 'repeat', verdict: 'pass', text: 'This reference has not been processed before.' },
  paidBefore: {
    rule: 'repeat',
    verdict: 'fail',
    text: 'The order is already paid; this later delivery changes nothing.',
  },
  succeeded: { rule: 'status', verdict: 'pass', text: 'The transfer succeeded.' },
  noAmount: { rule: 'amount', verdict: 'skip', text: 'No order to compare the amount with.' },
  noAsset: { rule: 'asset', verdict: 'skip', text: 'No order to compare the asset with.' },
  rightAsset: { rule: 'asset', verdict: 'pass', text: 'The asset is the expected one.' },
  noRecipient: { rule: 'recipient', verdict: 'skip', text: 'The order does not say who should be paid.' },
  rightRecipient: { rule: 'recipient', verdict: 'pass', text: 'The payment went to the expected wallet.' },
} as const;

/** The receiver rules' result for a well-formed transfer. All of these are answered with 2xx. */
export interface Judgment {
  verdict: Extract<
    Verdict,
    'accepted' | 'repeat' | 'unknown-order' | 'mismatch' | 'transfer-failed' | 'unknown-status'
  >;
  /** Null only if accepted. */
  reason: string | null;
  rules: RuleResult[];
  warnings: string[];
  /** The order's new state, once the journal has it. */
  outcome: 'paid' | 'failed' | null;
}

/**
 * Applies the receiver rules to a well-formed `transfer.completed`, in the documented order. Rules after the deciding
 * one are still evaluated, so that all faults show at once.
 *
 * @param coin additional name of the native coin
 */
export function judgeTransfer(data: TransferData, orders: OrderLookup, coin?: string): Judgment {
  const order = orders.order(data.reference);
  const rules = [
    fixed.rightEvent,
    judgeReference(orders, order),
    judgeAmount(data, order, coin),
    judgeAsset(data, order, coin),
    judgeRecipient(data, order),
    judgeStatus(data),
    judgeRepeat(data, orders),
  ];
  const warnings = transferWarnings(data, coin);
  for (const { verdict, text } of rules) {
    if (verdict === 'warn') {
      warnings.push(text);
    }
  }
  const deciding = rules.find((rule) => rule.verdict === 'fail');
  const repeated = rules.find((rule) => rule.rule === 'repeat' && rule.verdict === 'fail');
  const verdict = deciding === undefined ? 'accepted' : verdictOf(deciding.rule, data);
  return {
    verdict,
    // Worth mentioning for a failure too: nothing changes.
    reason:
      deciding?.rule === 'status' && repeated !== undefined
        ? `${deciding.text} ${repeated.text}`
        : (deciding?.text ?? null),
    rules,
    warnings,
    outcome: repeated === undefined ? outcomeOf(verdict) : null,
  };
}

function verdictOf(rule: RuleName, data: TransferData): Exclude<Judgment['verdict'], 'accepted'> {
  switch (rule) {
    case 'reference':
      return 'unknown-order';
    case 'repeat':
      return 'repeat';
    case 'status':
      return data.status === 'failed' ? 'transfer-failed' : 'unknown-status';
    default:
      return 'mismatch';
  }
}

/** Only a payment for its order, or its failure, changes the order. */
function outcomeOf(verdict: Judgment['verdict']): 'paid' | 'failed' | null {
  if (verdict === 'accepted') {
    return 'paid';
  }
  return verdict === 'transfer-failed' ? 'failed' : null;
}

function judgeReference(orders: OrderLookup, order: Order | undefined): RuleResult {
  if (!orders.hasOrders) {
    return fixed.noOrders;
  }
  return order === undefined ? fixed.unknownReference : fixed.knownReference;
}

/** A failed transfer may be followed by a successful one; nothing follows a payment. */
function judgeRepeat(data: TransferData, orders: OrderLookup): RuleResult {
  const state = orders.state(data.reference);
  if (state === undefined || (state === 'failed' && data.status !== 'failed')) {
    return fixed.firstTime;
  }
  return state === 'paid' && data.status !== 'success'
    ? fixed.paidBefore
    : fail('repeat', `This reference was already processed (${state}): nothing to do.`);
}

function judgeStatus(data: TransferData): RuleResult {
  if (data.status === 'success') {
    return fixed.succeeded;
  }
  const compared = { expected: 'success', got: data.status };
  if (data.status !== 'failed') {
    return fail(
      'status',
      'The status is neither success nor failed: recorded, not processed.',
      compared.expected,
      compared.got,
    );
  }
  const code = data.errorCode === undefined ? '' : ` with error ${data.errorCode}`;
  const message = data.errorMessage === undefined ? '' : `: ${data.errorMessage}`;
  return fail('status', `The transfer failed${code}${message}.`, compared.expected, compared.got);
}

/** Exact integers only: the decimals of a known asset, else the order's, else those implied by the payload. */
function judgeAmount(data: TransferData, order: Order | undefined, coin?: string): RuleResult {
  const got = `${data.rawAmount} (${data.amount})`;
  const implied = decimalsBetween(data.amount, data.rawAmount);
  const known = knownDecimals(data.asset, coin) ?? decimalsOf(order, data.asset);
  const agrees = known === undefined ? implied !== undefined : implied === null || implied === known;
  if (!agrees) {
    const rule =
      known === undefined
        ? 'no number of decimals makes them equal'
        : `with ${known} decimals ${data.rawAmount} is ${fromBaseUnits(BigInt(data.rawAmount), known)}`;
    const text = `amount ${data.amount} and rawAmount ${data.rawAmount} disagree: ${rule}.`;
    return { rule: 'amount', verdict: order === undefined ? 'warn' : 'fail', got, text };
  }
  if (order === undefined) {
    return fixed.noAmount;
  }
  const decimals = order.decimals ?? knownDecimals(order.asset, coin) ?? implied ?? 0;
  const units =
    order.rawAmount === undefined ? toBaseUnits(order.amount ?? '', decimals) : BigInt(order.rawAmount);
  const expected =
    units === undefined ? (order.amount ?? '') : `${units} (${fromBaseUnits(units, decimals)})`;
  if (units === BigInt(data.rawAmount)) {
    return {
      rule: 'amount',
      verdict: 'pass',
      text: 'The amount is exactly as expected.',
      expected,
      got,
    };
  }
  const swapped =
    order.rawAmount === undefined && order.amount === data.rawAmount
      ? " If the order's amount is in base units, use rawAmount instead of amount."
      : '';
  return fail(
    'amount',
    `The amount is ${inUnits(BigInt(data.rawAmount), known ?? implied ?? undefined, data.asset)}, expected ${
      units === undefined ? expected : inUnits(units, decimals, order.asset)
    }.${swapped}`,
    expected,
    got,
  );
}

/** `6.9 TON`, or in base units if the decimals are not known. */
function inUnits(units: bigint, decimals: number | undefined, asset: string): string {
  return decimals === undefined
    ? `${groupDigits(units)} base units`
    : `${fromBaseUnits(units, decimals)} ${visibleText(assetName(asset, undefined), 20)}`;
}

function decimalsOf(order: Order | undefined, asset: string): number | undefined {
  return order !== undefined && sameAsset(order.asset, asset) ? order.decimals : undefined;
}

function judgeAsset(data: TransferData, order: Order | undefined, coin?: string): RuleResult {
  if (order === undefined) {
    return fixed.noAsset;
  }
  if (sameAsset(order.asset, data.asset, coin)) {
    return fixed.rightAsset;
  }
  const isOtherTicker =
    isNativeAsset(order.asset, coin) &&
    !isNativeAsset(data.asset, coin) &&
    canonicalAddress(data.asset) === undefined;
  const hint = isOtherTicker
    ? ` If ${data.asset} is the native coin's current name, set it as the coin label.`
    : '';
  const text = `The asset is ${data.asset}, expected ${order.asset}.${hint}`;
  return fail('asset', text, order.asset, data.asset);
}

function judgeRecipient(data: TransferData, order: Order | undefined): RuleResult {
  if (order?.recipient === undefined) {
    return fixed.noRecipient;
  }
  return sameAddress(order.recipient, data.recipientAddr)
    ? fixed.rightRecipient
    : fail(
        'recipient',
        `The payment went to ${data.recipientAddr}, expected ${order.recipient}.`,
        order.recipient,
        data.recipientAddr,
      );
}

function fail(rule: RuleName, text: string, expected?: string, got?: string): RuleResult {
  return {
    rule,
    verdict: 'fail',
    text,
    ...(expected === undefined ? {} : { expected }),
    ...(got === undefined ? {} : { got }),
  };
}

/**
 * Oddities of a transfer that matches the schema: warnings, never rejections, since a rejected payment would be
 * missed.
 *
 * @param coin additional name of the native coin
 */
function transferWarnings(data: TransferData, coin?: string): string[] {
  const warnings: string[] = [];
  for (const field of ['senderAddr', 'recipientAddr'] as const) {
    if (canonicalAddress(data[field]) === undefined) {
      warnings.push(`data.${field} is not an address in a known format.`);
    }
  }
  if (!isNativeAsset(data.asset, coin) && canonicalAddress(data.asset) === undefined) {
    warnings.push("data.asset is neither a known ticker of the native coin nor a jetton master's address.");
  }
  if (!isBase64Hash(data.bodyBase64Hash)) {
    warnings.push('data.bodyBase64Hash is not a hash in base64.');
  }
  for (const field of ['txHash', 'traceId'] as const) {
    if (canonicalHash(data[field]) === undefined) {
      warnings.push(`data.${field} is not a hash in a known format.`);
    }
  }
  return data.status === 'success' || data.status === 'failed'
    ? [...warnings, ...aboutError(data)]
    : warnings;
}

/** Only a failed transfer may have an error. */
function aboutError(data: TransferData): string[] {
  const hasFailed = data.status === 'failed';
  return (['errorCode', 'errorMessage'] as const)
    .filter((field) => (data[field] === undefined) === hasFailed)
    .map((field) =>
      hasFailed
        ? `data.${field} is missing, although the transfer failed.`
        : `data.${field} is set, although the transfer succeeded.`,
    );
}

function isBase64Hash(text: string): boolean {
  return text.length <= 44 && canonicalHash(text) !== undefined;
}
