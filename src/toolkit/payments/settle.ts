import { Address } from '@ton/core';
import { limits } from '../limits';
import { sameAddress } from '../address/canonicalAddress';
import type { Arrival } from './judgeArrival';
import type { MockPayment, PaymentProblem, PaymentWebhook } from './mockPayment';
import type { Clock } from '../time';
import { hasUndone, restoreUndone } from './undoVanished';
import type { PaymentStore } from './paymentStore';

/** Makes the webhook of a payment as settled, at that time. */
export type WebhookOf = (settled: MockPayment) => PaymentWebhook;

/**
 * Applies a transaction to its payment: settled, failed, or a problem. The same transaction changes nothing twice.
 * The settlement and its webhook are one entry of the journal, so that neither is kept without the other.
 */
export async function settle(
  arrival: Arrival,
  store: PaymentStore,
  webhookOf: WebhookOf,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const seenAt = new Date(clock.now()).toISOString();
  const { payment, arrived, units, txHash } = arrival;
  if (payment.txHash === txHash || payment.problems.some((problem) => problem.txHash === txHash)) {
    return;
  }
  if (hasUndone(payment) && payment.undone.txHash === txHash) {
    await restoreUndone(payment, store);
    return;
  }
  const isRight = units !== null && units.toString() === payment.rawAmount;
  if (payment.status === 'success') {
    await addProblem(arrival, arrived ? 'paid-again' : 'bounced', store, seenAt);
  } else if (arrived && isRight) {
    await finish(arrival, 'success', store, webhookOf, seenAt);
  } else if (arrived) {
    await addProblem(arrival, 'wrong-amount', store, seenAt);
  } else if (payment.status === 'failed') {
    await addProblem(arrival, 'bounced', store, seenAt);
  } else {
    await finish(arrival, 'failed', store, webhookOf, seenAt);
  }
}

async function finish(
  arrival: Arrival,
  status: 'success' | 'failed',
  store: PaymentStore,
  webhookOf: WebhookOf,
  seenAt: string,
): Promise<void> {
  const { payment, sender, txHash, traceId, at, code } = arrival;
  const senderAddr =
    sender === undefined || sameAddress(sender, payment.senderAddr)
      ? payment.senderAddr
      : Address.parseRaw(sender).toString({ bounceable: false });
  const failed = status === 'failed';
  const set = {
    ...{ status, senderAddr, txHash, traceId, date: at, settledAt: seenAt, undone: null },
    ...(failed && code !== undefined ? { errorCode: code } : {}),
    ...(failed ? { errorMessage: 'The message was not accepted, and the payment was returned.' } : {}),
  };
  const settled: MockPayment = { ...payment, ...set };
  await store.change(payment, { ...set, webhook: webhookOf(settled) }, failed ? 'failed' : 'settled');
}

function addProblem(
  arrival: Arrival,
  kind: PaymentProblem['kind'],
  store: PaymentStore,
  seenAt: string,
): Promise<void> {
  const { payment, units, txHash, at } = arrival;
  const problem = { kind, at, rawAmount: units?.toString() ?? null, txHash, seenAt };
  // The newest are kept: of a thousand repeats, the first say nothing more.
  const problems = [...payment.problems, problem].slice(-limits.paymentProblems.most);
  return store.change(payment, { problems }, kind);
}
