import { WorkbenchError } from '../../base/errors';
import { groupBy } from '../../base/collections';
import type { WebhookProvider } from '../provider/webhookProvider';
import type { FixPart, ReceiverCode, ReceiverFramework } from '../receiver/receiverSource';
import { receiverPart } from '../receiver/receiverSource';
import { isOneOf } from '../send/headersToSend';
import type { ScenarioName } from '../send/scenarios';
import { isHttpSuccess } from '../values/isHttpSuccess';

type Carrying = Pick<WebhookProvider, 'carries'>;

/** A rule that only the orders themselves show. */
export interface ShopRuleText extends Pick<CheckRow, 'scenario' | 'rule' | 'expected'> {
  /** What would go wrong in production. */
  consequence: string;
}

const rules: Readonly<Record<ShopRule, ShopRuleText>> = {
  paid: {
    scenario: 'success',
    rule: 'mark an order as paid once its payment is on the chain',
    expected: 'paid',
    consequence: 'No payment would be noticed. The other rules about orders could not be tested.',
  },
  once: {
    scenario: 'duplicate',
    rule: 'count a payment once, however often it is delivered',
    expected: 'paid once',
    consequence: 'Repeats are not recognized: after each retry, the customer gets the goods again.',
  },
  status: {
    scenario: 'failed',
    rule: 'check the status: a failed transfer pays nothing',
    expected: 'not paid',
    consequence: 'transfer.completed also comes for failed transfers: they would get the goods for nothing.',
  },
  amount: {
    scenario: 'amount-off-by-one',
    rule: 'compare integers: one base unit less does not pay',
    expected: 'not paid',
    consequence: 'Amounts are compared as floating-point numbers, or not at all: too little is enough.',
  },
  chain: {
    scenario: 'success',
    rule: 'check the chain: what is not there pays nothing',
    expected: 'not paid',
    consequence:
      'The delivery alone is trusted: anyone with the secret, or an error of the service, can open every order.',
  },
  account: {
    scenario: 'other-account',
    rule: 'check the recipient: a payment to somebody else pays nothing',
    expected: 'not paid',
    consequence:
      'The transaction is checked, but not its recipient: people who pay themselves get the goods for nothing.',
  },
};

/** Where no delivery tells the status, a failed transfer is one that the chain has sent back. */
const bouncedRule: Pick<ShopRuleText, 'scenario' | 'rule' | 'consequence'> = {
  scenario: 'success',
  rule: 'check that the coins stayed: a payment that bounced pays nothing',
  consequence: 'A payment that bounces goes back to its sender, who would get the goods for nothing.',
};

/** Whether deliveries say themselves what was paid; otherwise the receiver must read it on the chain. */
export function tellsAmount({ carries }: Carrying): boolean {
  return carries.includes('amount');
}

/** Whether a service's deliveries pay orders: they say what was paid, or which account has a new transaction. */
export function canCheckOrders(provider: Carrying): boolean {
  return tellsAmount(provider) || provider.carries.includes('account');
}

/** The rules about a shop's orders that make sense for a service, in the order of a check. */
export function shopRulesOf({ carries }: Carrying): ReadonlyMap<ShopRule, ShopRuleText> {
  const names = Object.keys(rules) as ShopRule[];
  return new Map(
    names
      .filter((name) => name !== 'account' || carries.includes('account'))
      .map((name) => [
        name,
        name === 'status' && !carries.includes('status') ? { ...rules.status, ...bouncedRule } : rules[name],
      ]),
  );
}

/** @throws WorkbenchError `shop-orders-unusable` (input) if a service's deliveries pay no orders */
export function requireOrderChecks(provider: Pick<WebhookProvider, 'carries' | 'title'>): void {
  if (!canCheckOrders(provider)) {
    throw new WorkbenchError({
      code: 'shop-orders-unusable',
      kind: 'input',
      message: `The orders of a shop cannot be checked with ${provider.title}, whose deliveries pay no orders of a given amount.`,
      hint: "Check without the URL of the shop's orders.",
    });
  }
}

const partOf: Readonly<Record<ScenarioName, FixPart>> = {
  success: 'signature',
  failed: 'order',
  duplicate: 'once',
  concurrent: 'once',
  retry: 'once',
  'wrong-secret': 'signature',
  altered: 'signature',
  reserialized: 'rawBody',
  'no-signature': 'signature',
  'unknown-reference': 'order',
  'amount-off-by-one': 'order',
  'wrong-asset': 'order',
  refunded: 'event',
  'not-json': 'event',
  huge: 'rawBody',
  slow: 'rawBody',
  stale: 'signature',
  'other-account': 'order',
};

const partOfShop: Readonly<Record<ShopRule, FixPart>> = {
  paid: 'order',
  once: 'once',
  status: 'order',
  amount: 'order',
  chain: 'chain',
  account: 'order',
};

/** Code that keeps some of the broken rules. */
interface ReceiverFix {
  rows: readonly CheckRow[];
  code: string;
}

/**
 * The code of a service's receiver that follows each broken rule, once for all rules that it keeps. What only follows from
 * another rule needs no code of its own.
 */
export function fixesOf(
  rows: readonly CheckRow[],
  framework: ReceiverFramework,
  code: ReceiverCode,
): ReceiverFix[] {
  const broken = rows.filter(({ ok, follows }) => !ok && follows !== true);
  const parts = broken.flatMap((row) => partsFor(row).map((part) => ({ row, part })));
  const byCode = groupBy(parts, ({ part }) => receiverPart(part, framework, code));
  return [...byCode].map(([fix, kept]) => ({
    rows: kept.map(({ row }) => row),
    code: fix,
  }));
}

/** The fixes as text: the rules as comments, each above its code. */
export function describeFixes(
  rows: readonly CheckRow[],
  framework: ReceiverFramework,
  code: ReceiverCode,
): string {
  return fixesOf(rows, framework, code)
    .map((fix) => `${fix.rows.map(({ rule }) => `// ${rule}\n`).join('')}${fix.code}`)
    .join('\n');
}

/** Several, where the mistake may be in either. */
function partsFor({ scenario, header, shop, expected, statuses }: CheckRow): FixPart[] {
  if (shop !== undefined) {
    return [partOfShop[shop]];
  }
  if (expected === '200' && statuses.every((status) => status !== null && isHttpSuccess(status))) {
    // It does the right thing, and says it with another status.
    return ['status'];
  }
  if (scenario === 'success' && statuses.includes(404)) {
    return ['order'];
  }
  return header === undefined && scenario !== 'reserialized' ? [partOf[scenario]] : ['signature', 'rawBody'];
}

/** What a shop's own orders show, for one that tells how often each was marked as paid. */
export type ShopRule = 'paid' | 'once' | 'status' | 'amount' | 'chain' | 'account';

/** One rule, and the receiver's result. */
export interface CheckRow {
  scenario: ScenarioName;
  /** What a receiver should do. */
  rule: string;
  /** Expected status: `2xx`, `400`, `401`, or `413`. */
  expected: string;
  /** Actual statuses, or why there was none; as text. */
  got: string;
  /** The statuses; null where there was no answer. */
  statuses: readonly (number | null)[];
  /** Milliseconds of the slowest answer. */
  ms: number;
  /** The rule is kept, or broken harmlessly. */
  ok: boolean;
  /** It differs from the expected answer harmlessly: `note` says why. */
  tolerated: boolean;
  /** It is broken only because an earlier row is: there is nothing else to mend. */
  follows?: true;
  /** What would have gone wrong in production; for a passed row, a remark. Null: none. */
  note: string | null;
  /** The one header that carried the signature, if the row is about that. */
  header?: string;
  /** The rule about the shop's orders, if the row is about one. */
  shop?: ShopRule;
}

/** The short name of what was tested. */
export function checkName({
  scenario,
  header,
  shop,
}: Pick<CheckRow, 'scenario' | 'header' | 'shop'>): string {
  return shop === undefined ? (header ?? scenario) : `orders-${shop}`;
}

/** Whether the first of these answers accepts the delivery. */
export function areAccepted([first]: CheckRow['statuses']): boolean {
  return first != null && isHttpSuccess(first);
}

/** How many rules are broken, as words after "breaks": those that only follow from others are counted by themselves. */
export function brokenRules(rows: readonly CheckRow[]): string {
  const broken = rows.filter(({ ok }) => !ok);
  const following = broken.filter(({ follows }) => follows === true).length;
  return (
    `${broken.length - following} of ${rows.length} rules` +
    (following === 0 ? '' : `; ${following} more ${following === 1 ? 'follows' : 'follow'} from that`)
  );
}

/** Passed, passed differently than expected, failed. */
export function checkSymbol({ ok, tolerated }: Pick<CheckRow, 'ok' | 'tolerated'>): string {
  return tolerated ? '!' : ok ? '✓' : '✗';
}

/** A rule about one of the signature header names. */
export interface HeaderRule {
  header: string;
  rule: string;
  /** The consequence if it is broken. */
  consequence: string;
  /** Optional for a receiver. */
  optional: boolean;
}

/**
 * Tests each signature header name separately: a delivery with several at once would not reveal a receiver that reads
 * the wrong one. A single name needs no separate rule.
 */
export function headerRules(provider: WebhookProvider, names = provider.signatureHeaders): HeaderRule[] {
  if (names.length === 1) {
    return [];
  }
  const isDocumented = (name: string): boolean => isOneOf(name, provider.documentedHeaders);
  return names.map((header) => {
    const isOwn = !isDocumented(header) && isOneOf(header, provider.signatureHeaders);
    return {
      header,
      rule: `accept the signature in ${header}${isOwn ? ' (SDK)' : ''} alone`,
      consequence: isDocumented(header)
        ? `${header} is the documented header: every delivery that uses it would be refused, and no payment would be noticed.`
        : `Every delivery signed in ${header} would be refused.`,
      optional: isOwn && names.some(isDocumented),
    };
  });
}

/** Which headers a checked receiver reads, as one sentence; undefined if that was not tested. */
export function describeReadHeaders(rows: readonly CheckRow[]): string | undefined {
  const looked = rows.filter(({ header }) => header !== undefined);
  const read = looked.flatMap(({ header, statuses }) => (areAccepted(statuses) ? [header ?? ''] : []));
  // Who refuses every genuine delivery does not do so because of the header's name.
  if (looked.length === 0 || (read.length === 0 && rows.some(isRefusedSuccess))) {
    return undefined;
  }
  if (read.length === looked.length) {
    return `It reads the signature from ${read.join(' and from ')}.`;
  }
  return read.length === 0
    ? `It does not accept a signature in any one of ${looked.map(({ header }) => header).join(', ')} alone.`
    : `It reads the signature from ${read.join(' and from ')} only.`;
}

function isRefusedSuccess({ scenario, header, statuses }: CheckRow): boolean {
  return scenario === 'success' && header === undefined && !areAccepted(statuses);
}
