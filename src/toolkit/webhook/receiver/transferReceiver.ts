import { commonCode } from './commonCode';
import type { ReceiverCode } from './receiverCode';
import { transferReceiverTest } from './transferReceiverTest';

const event = `/** The transfer in a delivery; undefined for anything else, which is answered with 400. */
function transferIn(body) {
  try {
    const { event, data } = JSON.parse(body.toString('utf8'));
    return event === 'transfer.completed' && typeof data?.reference === 'string' ? data : undefined;
  } catch {
    return undefined;
  }
}
`;

const order = `${commonCode.accountOf}
/** Why a transfer does not pay an order; undefined if it does. All of these are logged and answered with 200. */
function objection(data, order) {
  if (order === undefined) {
    return 'no such order';
  }
  // Integers in base units: amounts as floating-point numbers are not exact.
  if (!/^\\d+$/.test(data.rawAmount) || BigInt(data.rawAmount) !== BigInt(order.rawAmount)) {
    return 'wrong amount';
  }
  if (accountOf(data.asset) !== accountOf(order.asset)) {
    return 'wrong asset';
  }
  if (order.recipient && accountOf(data.recipientAddr) !== accountOf(order.recipient)) {
    return 'wrong recipient';
  }
  return data.status === 'success' ? undefined : 'not successful';
}
`;

const chain = `/**
 * Whether the payment is on the chain, as the chain's v3 API tells: a delivery is a notification, not a proof. Coins only: for
 * jettons, look for the transfer into your own jetton wallet here.
 */
async function isOnChain(v3, { txHash }, order) {
  const answer = await fetch(v3 + '/transactions?hash=' + encodeURIComponent(txHash));
  if (!answer.ok) {
    throw new Error('The chain answered ' + answer.status);
  }
  const [transaction] = (await answer.json()).transactions ?? [];
  // The message must be the one that was asked for: bodyBase64Hash from creating the payment.
  return (
    order.asset === 'TON' &&
    transaction?.description.aborted === false &&
    (!order.recipient || accountOf(transaction.account) === accountOf(order.recipient)) &&
    BigInt(transaction.in_msg.value ?? 0) === BigInt(order.rawAmount) &&
    transaction.in_msg.message_content.hash === order.bodyBase64Hash
  );
}
`;

const calls = {
  signature: commonCode.refuseForged,
  event: `  const data = transferIn(body);
  if (data === undefined) {
    return 400;
  }
`,
  order: `  const order = orders.get(data.reference);
  const why = objection(data, order);
  if (why !== undefined) {
    console.log('not paid:', JSON.stringify(data.reference), why);
    return 200;
  }
`,
  chain: `  if (v3 && !(await isOnChain(v3, data, order))) {
    console.log('not on the chain:', JSON.stringify(data.reference));
    // It may be a moment late: this is delivered again.
    return 503;
  }
`,
  once: `  const { reference, txHash, traceId } = data;
  if (await storeOnce(folder, reference, { reference, txHash, traceId })) {
    console.log('paid:', JSON.stringify(reference));
  }
`,
};

const receive = `/** The status to answer a delivery with. */
async function receive(body, headers, { secret, orders, folder, v3 }) {
${calls.signature}${calls.event}${calls.order}${calls.chain}${calls.once}  return 200;
}
`;

/** How a service proves who sends its transfers, as code. */
export interface TransferProof {
  service: string;
  /** `isGenuine(body, headers, secret)`. */
  signature: string;
  /** Of the test: `sign(body, key?)`, with what it needs. */
  sign: string;
  /** What the secret is, after "Set WEBHOOK_SECRET to ". */
  secretIs: string;
  /** What makes a secret unusable, as an expression; default: that it is unset. */
  isUnusable?: string;
  /** A secret for the test, and another one. */
  secrets?: readonly [string, string];
  /** Further tests. */
  moreTests?: string;
}

/** A receiver of bodies with the payment service's fields, however they are signed. */
export function transferReceiver(proof: TransferProof): ReceiverCode {
  const { service, signature, secretIs, isUnusable = '!secret' } = proof;
  return {
    service,
    parts: {
      signature: { code: signature, call: calls.signature },
      event: { code: event, call: calls.event },
      order: { code: order, call: calls.order },
      chain: { code: chain, call: calls.chain },
      once: { code: commonCode.storeOnce, call: calls.once },
    },
    receive,
    example: 'reference=order-1',
    options: `/**
 * Your orders, by reference: take them from your database. Amounts are in base units; add your wallet as recipient, and
 * bodyBase64Hash from creating the payment.
 */
const orders = new Map([['order-1', { rawAmount: '10500000000', asset: 'TON' }]]);

/** What the receiver needs; without a secret it does not start. */
function readOptions() {
  const secret = process.env.WEBHOOK_SECRET;
  if (${isUnusable}) {
    throw new Error("Set WEBHOOK_SECRET to ${secretIs}.");
  }
  // Where payments are looked for, such as http://127.0.0.1:8081/api/v3 of a local network.
  const v3 = process.env.TON_V3?.replace(/\\/$/, '');
  if (!v3) {
    console.log('Payments are not looked for on the chain: set TON_V3 before you rely on them.');
  }
  // The references of paid orders are kept in this folder.
  return { secret, orders, folder: 'paid-orders', v3 };
}
`,
    variables: ['WEBHOOK_SECRET'],
    test: transferReceiverTest(proof),
  };
}
