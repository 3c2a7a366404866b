import type { ScenarioName } from '../send/scenarios';

/** One rule, and how the receiver did. */
export interface CheckRow {
  scenario: ScenarioName;
  /** What a receiver should do. */
  rule: string;
  /** Status wanted: `2xx`, `400`, `401` or `413`. */
  expected: string;
  /** Statuses answered, or why there was none. */
  got: string;
  /** Milliseconds of the slowest answer. */
  ms: number;
  ok: boolean;
  /** What would have gone wrong in production; for a row that is ok, a remark. Null: nothing to say. */
  note: string | null;
  /** The one header that carried the signature, where the row is about that. */
  header?: string;
}
