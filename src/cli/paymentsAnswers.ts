import * as z from 'zod';
import { canonicalAddress } from '../toolkit/address/canonicalAddress';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import type { PaymentChange, PaymentWebhook } from '../toolkit/payments/mockPayment';

const attemptSchema = z.strictObject({
  at: jsonFacts.isoTime,
  status: jsonFacts.httpStatus,
  reason: z.string().nullable().describe('Why there is no status.'),
  ms: jsonFacts.milliseconds,
  receiverExpects: z.string().optional(),
});

const changeSchema = z
  .strictObject({
    at: jsonFacts.isoTime,
    change: z.enum([
      'created',
      'settled',
      'failed',
      'wrong-amount',
      'paid-again',
      'bounced',
      'undone',
      'restored',
      'attempt',
      'delivered',
      'undelivered',
      'late',
      'withheld',
      'no-url',
    ]),
    reference: z.string(),
    status: z.enum(['pending', 'success', 'failed']),
    amount: jsonFacts.paymentAmount,
    rawAmount: jsonFacts.units,
    asset: z.string().describe('`TON`, or the jetton master as given.'),
    bodyHash: jsonFacts.hash,
    sender: jsonFacts.account.nullable(),
    recipient: jsonFacts.account,
    txHash: jsonFacts.hash.nullable(),
    traceId: jsonFacts.hash.nullable(),
    problem: z
      .strictObject({
        kind: z.enum(['wrong-amount', 'paid-again', 'bounced']),
        at: jsonFacts.isoTime.describe("The network's time."),
        rawAmount: jsonFacts.units.nullable(),
        txHash: jsonFacts.hash,
        seenAt: jsonFacts.isoTime.optional(),
      })
      .nullable()
      .describe('The last message that did not settle it.'),
    webhook: z
      .strictObject({
        state: z.enum(['sending', 'delivered', 'failed', 'late', 'never', 'no-url', 'undone']),
        attempt: attemptSchema.nullable().describe('The last one.'),
      })
      .nullable(),
  })
  .meta({ title: 'A change of a payment' });

/** The schema of what `payments --json` prints: its address, then each change. */
export const paymentsAnswerSchema = z.union([
  z.strictObject({ url: z.string(), webhookSecret: z.string().nullable() }).meta({
    title: 'The first line',
    description: 'A secret that you gave is null, so that it is in no log.',
  }),
  changeSchema,
  jsonFacts.leftOut,
]);

function attemptAnswer({ attempts }: PaymentWebhook): z.infer<typeof attemptSchema> | null {
  const last = attempts.at(-1);
  if (last === undefined) {
    return null;
  }
  const { error, ...attempt } = last;
  return { ...attempt, reason: error };
}

/** A change of a payment for programs. @param now milliseconds since the Unix epoch */
export function changeAnswer({ change, payment }: PaymentChange, now: number): z.infer<typeof changeSchema> {
  const { reference, status, amount, rawAmount, asset, problems, webhook } = payment;
  return {
    at: new Date(now).toISOString(),
    ...{ change, reference, status, amount, rawAmount, asset },
    bodyHash: Buffer.from(payment.bodyBase64Hash, 'base64').toString('hex'),
    sender: canonicalAddress(payment.senderAddr) ?? null,
    recipient: payment.recipient,
    txHash: payment.txHash || null,
    traceId: payment.traceId || null,
    problem: problems.at(-1) ?? null,
    webhook: webhook === undefined ? null : { state: webhook.state, attempt: attemptAnswer(webhook) },
  };
}
