import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Address } from '@ton/core';
import { startTestShop } from './testShop';
import type { ShopBehavior, ShopOrder, TestShop } from './testShop';

/** Five classic mistakes of shops. */
export const mistakes = ['parseFloat', 'status', 'repeats', 'parsedBody', 'chain'] as const;

export type Mistake = (typeof mistakes)[number];

interface Transfer {
  reference: string;
  rawAmount: string;
  asset: string;
  recipientAddr: string;
  status: string;
  txHash: string;
}

/** A shop that does everything right but for the given mistakes. */
export async function startNaiveShop(
  made: readonly Mistake[],
  { secret, v3, recipient }: { secret: string; v3: string; recipient: string },
): Promise<TestShop> {
  const makes = (mistake: Mistake): boolean => made.includes(mistake);
  const equals = (one: string, other: string): boolean =>
    makes('parseFloat') ? parseFloat(one) === parseFloat(other) : BigInt(one) === BigInt(other);

  const isGenuine = (body: Buffer, headers: IncomingHttpHeaders): boolean => {
    const signed = makes('parsedBody') ? JSON.stringify(JSON.parse(body.toString())) : body;
    const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`);
    const given = Buffer.from(String(headers['x-pay-signature'] ?? headers['x-tonpay-signature']));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };

  const isOnChain = async ({ txHash }: Transfer, order: ShopOrder): Promise<boolean> => {
    const answer = await fetch(`${v3}/transactions?hash=${encodeURIComponent(txHash)}`);
    const { transactions } = (await answer.json()) as { transactions: { in_msg: { value: string } }[] };
    return transactions[0] !== undefined && equals(transactions[0].in_msg.value, order.rawAmount);
  };

  const receive: ShopBehavior['receive'] = async (body, headers, orders) => {
    let json: { event: string; data: Transfer };
    try {
      if (!isGenuine(body, headers)) {
        return 401;
      }
      json = JSON.parse(body.toString()) as typeof json;
    } catch {
      return 400;
    }
    const { event, data } = json;
    if (event !== 'transfer.completed') {
      return 400;
    }
    const order = orders.get(data.reference);
    const isRight =
      order !== undefined &&
      equals(data.rawAmount, order.rawAmount) &&
      data.asset === 'TON' &&
      Address.parse(data.recipientAddr).equals(Address.parse(recipient)) &&
      (makes('status') || data.status === 'success') &&
      (makes('chain') || (await isOnChain(data, order)));
    if (isRight && (makes('repeats') || order.paid === 0)) {
      order.paid += 1;
    }
    return 200;
  };

  return startTestShop({ recipient, receive });
}
