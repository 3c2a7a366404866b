import type { ScenarioName } from '../send/scenarios';
import { isHttpSuccess } from '../values/isHttpSuccess';

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
