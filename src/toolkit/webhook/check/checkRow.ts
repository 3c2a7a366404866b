import type { ScenarioName } from '../send/scenarios';

/** One rule, and how the receiver did. */
export interface CheckRow {
  scenario: ScenarioName;
  /** What a receiver should do. */
  rule: string;
  /** Status wanted: `2xx`, `400`, `401` or `413`. */
  expected: string;
  /** Statuses answered, or why there was none; in words. */
  got: string;
  /** The statuses; null where nothing was answered. */
  statuses: readonly (number | null)[];
  /** Milliseconds of the slowest answer. */
  ms: number;
  /** The rule is kept, or broken without harm. */
  ok: boolean;
  /** It answers something else than is wanted, which does no harm: `note` says why. */
  tolerated: boolean;
  /** What would have gone wrong in production; for a row that is ok, a remark. Null: nothing to say. */
  note: string | null;
  /** The one header that carried the signature, where the row is about that. */
  header?: string;
}

/** Whether the first of these answers takes the delivery. */
export function areAccepted([first]: CheckRow['statuses']): boolean {
  return first != null && first >= 200 && first <= 299;
}

/** Passed, passed in another way than is wanted, failed. */
export function checkSymbol({ ok, tolerated }: Pick<CheckRow, 'ok' | 'tolerated'>): string {
  return tolerated ? '!' : ok ? '✓' : '✗';
}
