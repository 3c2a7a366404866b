import { createHmac, timingSafeEqual } from 'node:crypto';
import { Address } from '@ton/core';

/** Whether the payment service signed these bytes. The bytes are those that arrived: parsed JSON would not do. */
export function isSigned(body, header, secret) {
  if (typeof header !== 'string' || secret === '') {
    return false;
  }
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The status that a delivery is answered with. */
export async function receive(text, orders, findTransaction, log) {
  const { event, data } = JSON.parse(text);
  return event === 'transfer.completed' ? settle(data, orders, findTransaction, log) : 400;
}

/**
 * Does what a transfer means for its order, and returns the status for a delivery. The service's word alone pays for
 * nothing, in a webhook or asked for: the transaction must be on the chain.
 *
 * @param findTransaction what the chain knows about a transaction's hash; undefined if it is not there
 */
export async function settle(data, orders, findTransaction, log) {
  const order = orders.find(data.reference);
  if (order === undefined) {
    log(`${data.reference}: no such order`);
    return 200;
  }
  if (!isPaymentOf(order, data)) {
    log(`${data.reference}: another amount, asset, or recipient than ordered`);
    return 200;
  }
  if (data.status === 'pending') {
    return 200;
  }
  if (data.status !== 'success') {
    log(`${data.reference}: ${data.status}`);
    await orders.change(order.reference, (now) =>
      now.state === 'open' && data.status === 'failed' ? { ...now, state: 'failed' } : undefined,
    );
    return 200;
  }
  const transaction = await findTransaction(data.txHash);
  if (transaction === undefined) {
    log(`${data.reference}: its transaction is not on the chain yet`);
    // The service tries again.
    return 503;
  }
  if (!isPaidBy(order, transaction)) {
    log(`${data.reference}: the transaction on the chain is not this payment`);
    return 200;
  }
  await orders.change(order.reference, (now) =>
    now.state === 'paid' ? undefined : { ...now, state: 'paid', txHash: data.txHash, paidAt: data.date },
  );
  return 200;
}

/** Amounts are compared as integers of the smallest unit, addresses as addresses. */
function isPaymentOf(order, { rawAmount, asset, recipientAddr }) {
  return (
    typeof rawAmount === 'string' &&
    /^\d{1,40}$/.test(rawAmount) &&
    BigInt(rawAmount) === BigInt(order.rawAmount) &&
    asset === order.asset &&
    isSameAddress(recipientAddr, order.recipient)
  );
}

function isPaidBy(order, { account, in_msg: message, description }) {
  return (
    description?.aborted !== true &&
    isSameAddress(account, order.recipient) &&
    message?.value != null &&
    BigInt(message.value) === BigInt(order.rawAmount) &&
    message.message_content?.hash === order.bodyHash
  );
}

function isSameAddress(one, other) {
  try {
    return Address.parse(one).equals(Address.parse(other));
  } catch {
    return false;
  }
}
