import * as z from 'zod';
import { canonicalHash } from '../toolkit/address/canonicalAddress';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import type { BoardOrder } from '../toolkit/webhook/board/paymentBoard';
import type { ChainReport } from '../toolkit/webhook/chain/checkAgainstChain';
import type { CheckRow } from '../toolkit/webhook/check/shopRules';
import type { Delivery, ForwardResult } from '../toolkit/webhook/delivery/delivery';
import { verdicts } from '../toolkit/webhook/delivery/delivery';
import type { Order } from '../toolkit/webhook/orders/parseOrders';
import { parseOrders } from '../toolkit/webhook/orders/parseOrders';
import type { Attempt } from '../toolkit/webhook/send/sendHttpRequest';
import type { SendResult } from '../toolkit/webhook/send/sendScenario';
import { writeNote } from './output';
import { readGivenText } from './readGivenFile';

const ruleSchema = z.strictObject({
  rule: z.enum(['event', 'reference', 'amount', 'asset', 'recipient', 'status', 'repeat']),
  verdict: z
    .enum(['pass', 'fail', 'warn', 'skip'])
    .describe('skip: nothing to compare with; warn: wrong, but no reason to reject.'),
  expected: z.string().optional(),
  got: z.string().optional(),
  text: z.string(),
});

const paymentSchema = z
  .strictObject({
    amount: jsonFacts.paymentAmount,
    rawAmount: z.string(),
    asset: z.string(),
    ticker: z.string().nullable(),
    sender: z.string(),
    recipient: z.string(),
    txHash: z.string(),
    traceId: z.string(),
    bodyBase64Hash: z.string().nullable(),
    date: z.string(),
    comment: z.string().nullable(),
    errorCode: z.int().nullable(),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: 'PayloadPayment', description: 'Spelled as in the payload, whatever it says.' });

const onPurpose = { number: z.int(), of: z.int() };

const forwardSchema = z.strictObject({
  url: z.string(),
  status: jsonFacts.httpStatus,
  ms: jsonFacts.milliseconds,
  reason: z.string().nullable().describe('Why there is no status.'),
  answer: z.string().describe('The beginning of the body.'),
  at: jsonFacts.isoTime.optional(),
});

function forwardAnswer({ error, ...answered }: ForwardResult): z.infer<typeof forwardSchema> {
  return { ...answered, reason: error };
}

const deliverySchema = z
  .strictObject({
    id: z.string(),
    receivedAt: jsonFacts.isoTime,
    status: z.int().describe('The HTTP status answered; 0 if the sender was already gone.'),
    verdict: z.enum(verdicts),
    reason: z.string().nullable(),
    rules: z.array(ruleSchema),
    warnings: z.array(z.string()),
    event: z.string().nullable(),
    reference: z.string().nullable(),
    transfer: z.string().nullable().describe('`data.status` of the payload.'),
    payment: paymentSchema.nullable(),
    secret: z.string().nullable().describe('Name of the secret that matches.'),
    forwarded: forwardSchema.nullable(),
    onPurpose: z
      .union([
        z.strictObject({ how: z.literal('status'), status: z.int(), ...onPurpose }),
        z.strictObject({ how: z.literal('delay'), ms: jsonFacts.milliseconds, ...onPurpose }),
        z.strictObject({ how: z.literal('cut'), ...onPurpose }),
      ])
      .optional(),
  })
  .meta({ title: 'A delivery' });

/** A delivery for programs. */
export function deliveryAnswer(delivery: Delivery): z.infer<typeof deliverySchema> {
  const { id, receivedAt, status, verdict, reason, rules, warnings, secret, forwarded } = delivery;
  const { event, reference, transfer, payment, onPurpose: refused } = delivery;
  return {
    ...{ id, receivedAt, status, verdict, reason, rules: [...rules], warnings: [...warnings] },
    ...{ event, reference, transfer, payment, secret },
    forwarded: forwarded === null ? null : forwardAnswer(forwarded),
    ...(refused === undefined ? {} : { onPurpose: refused }),
  };
}

/** The schema of what `webhook listen --json` prints: its address, then each delivery. */
export const listenAnswerSchema = z.union([
  z.strictObject({ url: z.string() }).meta({ title: 'The first line' }),
  deliverySchema,
  jsonFacts.leftOut,
]);

const orderSchema = z
  .strictObject({
    reference: z.string(),
    amount: jsonFacts.paymentAmount.optional(),
    rawAmount: jsonFacts.units.optional(),
    asset: z.string().optional(),
    decimals: z.int().optional(),
    recipient: z.string().optional().describe('As in the orders file.'),
    state: z.enum(['open', 'paid', 'failed']),
    txHash: jsonFacts.hash.nullable(),
    traceId: jsonFacts.hash.nullable(),
    time: z.string().nullable(),
    deliveryId: z.string().nullable(),
    summary: z.string(),
    deliveries: z.array(z.string()).describe('Their ids, the newest first.'),
  })
  .meta({ title: 'With --orders: an order' });

/** The schema of what `webhook list --json` prints. */
export const listAnswerSchema = z.union([
  deliverySchema,
  orderSchema,
  z
    .strictObject({ exported: z.int(), file: z.string() })
    .meta({ title: 'With --export: how many deliveries are in the file' }),
]);

/** An order, and how far its payment has come. */
export function orderAnswer({ order, summary, deliveries }: BoardOrder): z.infer<typeof orderSchema> {
  const { reference, amount, rawAmount, asset, decimals, recipient, state, time, deliveryId } = order;
  const hash = (text: string | null): string | null => (text === null ? null : (canonicalHash(text) ?? null));
  return {
    ...{ reference, amount, rawAmount, asset, decimals, recipient, state },
    ...{ txHash: hash(order.txHash), traceId: hash(order.traceId), time, deliveryId },
    ...{ summary, deliveries: deliveries.map(({ id }) => id) },
  };
}

const attemptShape = {
  ms: jsonFacts.milliseconds,
  status: jsonFacts.httpStatus,
  error: jsonFacts.error.nullable().describe('Why there is no status.'),
  answer: z.string().describe('The beginning of the body.'),
};

/** The schema of what `webhook send --json` prints. */
export const scenarioAnswerSchema = z
  .strictObject({
    scenario: z.string(),
    url: z.string(),
    reference: z.string().describe('Of the first delivery.'),
    expected: z.string(),
    ok: z.boolean().describe('Every delivery was answered as expected.'),
    delivered: z.boolean().describe('The service would count every delivery as delivered.'),
    status: jsonFacts.httpStatus.describe('The last one of the last delivery.'),
    attempts: z.array(
      z.strictObject({
        delivery: z.int(),
        attempt: z.int(),
        startedAt: jsonFacts.isoTime,
        ...attemptShape,
      }),
    ),
  })
  .meta({ title: 'A scenario' });

/** A scenario that was sent. */
export function scenarioAnswer(result: SendResult): z.infer<typeof scenarioAnswerSchema> {
  return result;
}

/** The schema of what `webhook resend --json` prints. */
export const resendAnswerSchema = z
  .strictObject({ id: z.string(), url: z.string(), ...attemptShape, delivered: z.boolean() })
  .meta({ title: 'A delivery that was sent again' });

/** A delivery that was sent again. */
export function resendAnswer(
  id: string,
  url: URL,
  { status, ms, answer, error }: Attempt,
  delivered: boolean,
): z.infer<typeof resendAnswerSchema> {
  return { id, url: url.href, status, ms, answer, delivered, error };
}

/** The schema of what `webhook check --json` prints. */
export const rulesAnswerSchema = z
  .strictObject({
    rules: z.array(
      z.strictObject({
        scenario: z.string(),
        rule: z.string().describe('What a receiver should do.'),
        expected: z.string(),
        got: z.string().describe('The statuses, or why there was none.'),
        ms: jsonFacts.milliseconds.describe('Of the slowest answer.'),
        ok: z.boolean().describe('The rule is kept, or broken harmlessly.'),
        tolerated: z.boolean().describe('It differs from the expected answer harmlessly.'),
        follows: z.literal(true).optional().describe('Broken only because an earlier row is.'),
        header: z.string().optional().describe('The one header that carried the signature.'),
        shop: z.enum(['paid', 'once', 'status', 'amount', 'chain', 'account']).optional(),
      }),
    ),
  })
  .meta({ title: 'The rules' });

/** The rules that were checked. */
export function rulesAnswer(rows: readonly CheckRow[]): z.infer<typeof rulesAnswerSchema> {
  return { rules: rows.map(({ note: _note, statuses: _statuses, ...row }) => row) };
}

/** The schema of what `webhook verify --json` prints: each payment. */
export const verifyAnswerSchema = z
  .strictObject({
    id: z.string().nullable(),
    reference: z.string(),
    network: z.string(),
    ok: z.boolean(),
    traceId: jsonFacts.hash.nullable(),
    fields: z.array(
      z.strictObject({
        field: z.enum([
          'txHash',
          'traceId',
          'amount',
          'asset',
          'sender',
          'recipient',
          'bodyHash',
          'comment',
          'success',
          'time',
        ]),
        verdict: z.enum(['equal', 'differs', 'unknown']),
        payload: z.string(),
        chain: z.string().nullable(),
        note: z.string(),
      }),
    ),
  })
  .meta({ title: 'A payment, and the blockchain' });

/** A payment that was compared with the blockchain. */
export function verifyAnswer(
  id: string | null,
  reference: string,
  { traceId, ok, fields }: ChainReport,
  network: string,
): z.infer<typeof verifyAnswerSchema> {
  return { id, reference, network, ok, traceId: traceId ?? null, fields };
}

/** The schema of what `webhook new --json` prints. */
export const receiverAnswerSchema = z
  .strictObject({
    service: z.string(),
    files: z.array(z.string()),
    packages: z.array(z.string()).describe('What the receiver needs from npm.'),
    variables: z.array(z.string()).describe('The environment variables that it reads.'),
    check: z.string().describe('The command that checks it.'),
  })
  .meta({ title: 'A receiver' });

/** What `webhook new --json` prints. */
export type ReceiverAnswer = z.infer<typeof receiverAnswerSchema>;

/**
 * The orders of `--orders`; what is suspicious in them is noted.
 * @param coin another name of the native coin
 * @throws WorkbenchError `orders-unreadable`, `orders-invalid` (input)
 */
export async function readOrdersFile(file: string, coin: string | undefined): Promise<Order[]> {
  const hint = 'Give a JSON file with an array of orders.';
  const given = { path: file, what: 'The orders file', code: 'orders-unreadable', hint } as const;
  const text = await readGivenText(given, 'ordersFile');
  const { orders, warnings } = parseOrders(text, coin);
  warnings.forEach(writeNote);
  return orders;
}
