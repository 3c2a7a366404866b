import type { Delivery } from '../delivery/delivery';
import type { DeliveryPolicy } from '../provider/provider';
import { deliveryPolicyOf } from '../provider/deliveryPolicyOf';
import { groupBy } from '../../groupBy';

/** Which attempt of one delivery a request was. */
export interface AttemptNumber {
  /** From 1. */
  attempt: number;
  /** The most that the service makes. */
  of: number;
  /** Id of the first attempt. */
  series: string;
}

/** Milliseconds by which a retry may come later than its wait and the receiver's answer. */
const lateMs = 2_000;

/** The share of a wait, and the milliseconds, by which a repeat of something answered with 2xx may differ from it. */
const tightShare = 0.1;
const tightMs = 300;

/**
 * Recognizes the attempts of one delivery: the same bytes again, after about its service's wait. The sender does not
 * number them, so this is a conclusion. What came only once is not in the result.
 */
export function attemptNumbers(deliveries: readonly Delivery[]): ReadonlyMap<string, AttemptNumber> {
  const numbers = new Map<string, AttemptNumber>();
  for (const group of sameBytes(deliveries).values()) {
    let series: Delivery[] = [];
    const policy = deliveryPolicyOf(group[0]!);
    const of = policy.retryDelaysMs.length + 1;
    for (const delivery of group) {
      const last = series.at(-1);
      series =
        last !== undefined && follows(last, delivery, series.length, policy)
          ? [...series, delivery]
          : [delivery];
      if (series.length > 1) {
        series.forEach(({ id }, index) => numbers.set(id, { attempt: index + 1, of, series: series[0]!.id }));
      }
    }
  }
  return numbers;
}

/** Oldest first. */
function sameBytes(deliveries: readonly Delivery[]): Map<string, Delivery[]> {
  const byTime = deliveries.toSorted(
    (one, other) => one.receivedAt.localeCompare(other.receivedAt) || one.id.localeCompare(other.id),
  );
  // Deliveries kept by an older version have no hash; a body that was not read has none to compare.
  const comparable = byTime.filter(({ bodyHash, bodyBytes }) => bodyHash !== undefined && bodyBytes > 0);
  return groupBy(comparable, ({ bodyHash = '' }) => bodyHash);
}

/** @param made attempts so far */
function follows(last: Delivery, next: Delivery, made: number, policy: DeliveryPolicy): boolean {
  const delay = policy.retryDelaysMs[made - 1];
  if (delay === undefined || last.test?.run !== next.test?.run) {
    return false;
  }
  const gap = Date.parse(next.receivedAt) - Date.parse(last.receivedAt);
  if (last.test !== undefined && !policy.isDelivered(last.status)) {
    // A test may shorten its waits, but is one series.
    return gap <= delay + policy.timeoutMs + lateMs;
  }
  if (policy.isDelivered(last.status) && last.onPurpose === undefined) {
    // Its answer may have been lost on the way; anything less exact would be somebody sending it again.
    return Math.abs(gap - delay) <= Math.max(tightMs, delay * tightShare);
  }
  return gap >= delay * (1 - tightShare) && gap <= delay + policy.timeoutMs + lateMs;
}
