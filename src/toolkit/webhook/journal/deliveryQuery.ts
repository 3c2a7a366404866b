import type { Verdict } from '../delivery/delivery';

/** Which deliveries to list. */
export interface DeliveryQuery {
  /** Only these verdicts. */
  verdicts?: readonly Verdict[];
  /** Only those whose summary contains this text, ignoring case: reference, address, hash, comment, reason. */
  text?: string;
  /** Only those older than this id. */
  before?: string;
  /** Maximum number; default 500. */
  limit?: number;
}

/** Whether a delivery, given by its verdict and its summary as JSON, matches. */
export function matchesQuery(
  delivery: { verdict: Verdict; json: string },
  { verdicts, text }: Pick<DeliveryQuery, 'verdicts' | 'text'>,
): boolean {
  if (verdicts !== undefined && !verdicts.includes(delivery.verdict)) {
    return false;
  }
  return (
    text === undefined || text === '' || delivery.json.toLowerCase().includes(inJson(text).toLowerCase())
  );
}

/** As it appears inside a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
