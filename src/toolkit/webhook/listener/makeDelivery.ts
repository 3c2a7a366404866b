import type { Delivery } from '../delivery/delivery';
import type { ReceiveOutcome } from './receive';

/** Facts about a request from its connection. */
export interface RequestFacts extends Pick<
  Delivery,
  'provider' | 'method' | 'target' | 'bodyBytes' | 'bodyHash' | 'elapsedMs' | 'forwarding' | 'test'
> {
  receivedAt: Date;
  /** Number within this listener, so that ids differ within a millisecond. */
  number: number;
}

/** The summary of a judged request. */
export function makeDelivery(outcome: ReceiveOutcome, facts: RequestFacts): Delivery {
  const { receivedAt, number } = facts;
  const delivery: Delivery = {
    id: `${receivedAt.getTime().toString(36)}-${number.toString(36).padStart(4, '0')}`,
    receivedAt: receivedAt.toISOString(),
    provider: facts.provider,
    method: facts.method,
    target: facts.target,
    status: outcome.status,
    verdict: outcome.verdict,
    reason: outcome.reason,
    signature: outcome.signature,
    secret: outcome.secret,
    rules: outcome.rules,
    warnings: outcome.warnings,
    unknownFields: outcome.unknownFields,
    event: outcome.event,
    reference: outcome.reference,
    transfer: outcome.transfer,
    payment: outcome.payment,
    bodyBytes: facts.bodyBytes,
    bodyHash: facts.bodyHash,
    elapsedMs: Math.round(facts.elapsedMs * 100) / 100,
    forwarding: facts.forwarding,
    forwarded: null,
    test: facts.test,
  };
  if (outcome.orderReference !== undefined) {
    delivery.orderReference = outcome.orderReference;
  }
  if (outcome.claimedReference !== undefined) {
    delivery.claimedReference = outcome.claimedReference;
  }
  if (outcome.onPurpose !== undefined) {
    delivery.onPurpose = outcome.onPurpose;
  }
  return delivery;
}
