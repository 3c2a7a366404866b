import { Address, Cell, beginCell } from '@ton/core';
import type { V3Transaction } from '../../../../src/toolkit/api/v3Objects';
import { createPayment } from '../../../../src/toolkit/payments/createPayment';
import type { PaymentJettons } from '../../../../src/toolkit/payments/paymentJettons';
import type { MockPayment } from '../../../../src/toolkit/payments/mockPayment';
import { opcodeOf } from '../../../../src/toolkit/contracts/opcodes/opcodes';
import { systemClock } from '../../../../src/toolkit/base/time';

const alice = `0:${'a1'.repeat(32)}`;
const bob = `0:${'b0'.repeat(32)}`;

/** Any address is that of a jetton, whose wallets have the addresses of their owners with another beginning. */
const jettons: Pick<PaymentJettons, 'facts'> = {
  facts: () =>
    Promise.resolve({
      ...{ decimals: 6, ticker: 'TEST' },
      walletOf: (owner) => Promise.resolve(`0:ff${owner.slice(4)}`),
    }),
};

/** The body with which a payment's jettons reach the recipient's jetton wallet (TEP-74). */
export function jettonTransferBody({ message, rawAmount, senderAddr }: MockPayment): Cell {
  const [forward = Cell.EMPTY] = Cell.fromBase64(message.payload).refs;
  return beginCell()
    .storeUint(opcodeOf('jetton_internal_transfer'), 32)
    .storeUint(0, 64)
    .storeCoins(BigInt(rawAmount))
    .storeAddress(Address.parse(senderAddr))
    .storeAddress(null)
    .storeCoins(1)
    .storeBit(true)
    .storeRef(forward)
    .endCell();
}

/** A new payment of alice to bob. */
export async function makePayment(fields: Readonly<Record<string, unknown>> = {}): Promise<MockPayment> {
  const created = await createPayment(
    JSON.stringify({
      amount: 1.5,
      asset: 'TON',
      senderAddr: Address.parseRaw(alice).toString(),
      recipientAddr: bob,
      ...fields,
    }),
    { clock: systemClock, jettons, recipientAddr: undefined },
  );
  if ('problem' in created) {
    throw new Error(created.problem);
  }
  return created.payment;
}

let number = 0;

/** The transaction in which a payment's message arrives. */
export function arrivalOf(
  payment: MockPayment,
  more: Partial<V3Transaction> = {},
  value = payment.rawAmount,
): V3Transaction {
  number += 1;
  return {
    account: payment.recipient,
    hash: number.toString(16).padStart(64, '0'),
    now: 1_800_000_000,
    trace_id: 'c0'.repeat(32),
    description: { type: 'ord', aborted: false, bounce: null },
    in_msg: {
      source: alice,
      destination: payment.recipient,
      value: BigInt(value),
      bounced: false,
      message_content: { hash: Buffer.from(payment.bodyBase64Hash, 'base64').toString('hex') },
    },
    ...more,
  };
}
