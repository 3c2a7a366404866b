import type { Delivery } from '../toolkit/webhook/delivery/delivery';

/** A delivery in the format described in output.ts. */
export function deliveryLine(delivery: Delivery): object {
  const { id, receivedAt, status, verdict, reason, rules, warnings, secret, forwarded } = delivery;
  const { event, reference, transfer, payment, onPurpose } = delivery;
  return {
    ...{ id, receivedAt, status, verdict, reason, rules, warnings },
    ...{ event, reference, transfer, payment, secret, forwarded },
    ...(onPurpose === undefined ? {} : { onPurpose }),
  };
}
