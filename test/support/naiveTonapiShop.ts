import { timingSafeEqual } from 'node:crypto';
import { Address } from '@ton/core';
import { startTestShop } from './testShop';
import type { ShopBehavior, ShopOrder, TestShop } from './testShop';

/**
 * Classic mistakes of shops that are told of transactions, not of payments: `trust` looks at no chain, `toldAccount` looks
 * only which account the notification names, `anyAccount` only whether the transaction is of that account, `notFound`
 * says so of what pays no order.
 */
export const tonapiMistakes = [
  ...(['trust', 'toldAccount', 'anyAccount', 'parseFloat', 'bounced', 'repeats'] as const),
  'notFound',
] as const;

export type TonapiMistake = (typeof tonapiMistakes)[number];

interface ChainTransaction {
  account: string;
  description: { aborted: boolean };
  in_msg: {
    source: string | null;
    value: string;
    bounce: boolean;
    message_content: { decoded: { comment?: string } | null } | null;
  } | null;
}

/** A shop that does everything right with TONAPI's notifications but for the given mistakes. */
export async function startNaiveTonapiShop(
  made: readonly TonapiMistake[],
  { token, v3, recipient }: { token: string; v3: string; recipient: string },
): Promise<TestShop> {
  const makes = (mistake: TonapiMistake): boolean => made.includes(mistake);
  const seen = new Set<string>();
  const isSame = (one: string, other: string): boolean => Address.parse(one).equals(Address.parse(other));
  const isOurs = (account: string): boolean => isSame(account, recipient);
  const equals = (one: string, other: string): boolean =>
    makes('parseFloat') ? parseFloat(one) === parseFloat(other) : BigInt(one) === BigInt(other);

  const read = async (hash: string, lt: number): Promise<ChainTransaction | undefined> => {
    // Both: a notification whose lt is not the transaction's would find nothing.
    const answer = await fetch(`${v3}/transactions?hash=${hash}&start_lt=${lt}&end_lt=${lt}`);
    return ((await answer.json()) as { transactions: ChainTransaction[] }).transactions[0];
  };

  /** The order that a transaction pays. */
  const paidBy = (
    { account, description, in_msg: message }: ChainTransaction,
    told: string,
    orders: ReadonlyMap<string, ShopOrder>,
  ): ShopOrder | undefined => {
    const order = orders.get(message?.message_content?.decoded?.comment ?? '');
    const isRight =
      message?.source != null &&
      order !== undefined &&
      (makes('toldAccount') || isSame(account, told)) &&
      (makes('bounced') || !(description.aborted && message.bounce)) &&
      equals(message.value, order.rawAmount);
    return isRight ? order : undefined;
  };

  const receive: ShopBehavior['receive'] = async (body, headers, orders) => {
    const expected = Buffer.from(`Bearer ${token}`);
    const given = Buffer.from(headers.authorization ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return 401;
    }
    let told: { account_id: string; lt: number; tx_hash: string };
    try {
      told = JSON.parse(body.toString()) as typeof told;
    } catch {
      return 400;
    }
    if (!makes('anyAccount') && !isOurs(told.account_id)) {
      return 200;
    }
    if (makes('trust')) {
      const [oldest] = [...orders.values()].filter(({ paid }) => paid === 0);
      if (oldest !== undefined) {
        oldest.paid += 1;
      }
      return 200;
    }
    const transaction = await read(told.tx_hash, told.lt);
    if (transaction === undefined) {
      return 503;
    }
    const order = paidBy(transaction, told.account_id, orders);
    if (order !== undefined && (makes('repeats') || !seen.has(told.tx_hash))) {
      seen.add(told.tx_hash);
      order.paid += 1;
    }
    return order === undefined && makes('notFound') ? 404 : 200;
  };

  return startTestShop({ recipient, receive });
}
