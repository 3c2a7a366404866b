import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Address } from '@ton/core';

/** Five classic mistakes of shops. */
export const mistakes = ['parseFloat', 'status', 'repeats', 'parsedBody', 'chain'] as const;

export type Mistake = (typeof mistakes)[number];

export interface NaiveShop {
  /** Of the webhook. */
  url: URL;
  /** Of its orders, for tests. */
  ordersUrl: URL;
  close(): Promise<void>;
}

interface ShopOrder {
  rawAmount: string;
  /** How often the goods were sent. */
  paid: number;
}

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
): Promise<NaiveShop> {
  const orders = new Map<string, ShopOrder>();
  const makes = (mistake: Mistake): boolean => made.includes(mistake);
  const equals = (one: string, other: string): boolean =>
    makes('parseFloat') ? parseFloat(one) === parseFloat(other) : BigInt(one) === BigInt(other);

  const isSigned = (body: Buffer, header: string | undefined): boolean => {
    const signed = makes('parsedBody') ? JSON.stringify(JSON.parse(body.toString())) : body;
    const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`);
    const given = Buffer.from(header ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  };

  const isOnChain = async ({ txHash }: Transfer, order: ShopOrder): Promise<boolean> => {
    const answer = await fetch(`${v3}/transactions?hash=${encodeURIComponent(txHash)}`);
    const { transactions } = (await answer.json()) as { transactions: { in_msg: { value: string } }[] };
    return transactions[0] !== undefined && equals(transactions[0].in_msg.value, order.rawAmount);
  };

  const receive = async (body: Buffer, header: string | undefined): Promise<number> => {
    let json: { event: string; data: Transfer };
    try {
      if (!isSigned(body, header)) {
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

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    let length = 0;
    request.on('data', (part: Buffer) => {
      length += part.length;
      parts.push(part);
      if (length > 1024 * 1024) {
        request.removeAllListeners('data').removeAllListeners('end').resume();
        response.writeHead(413, { connection: 'close' }).end();
      }
    });
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const answer = (status: number, json: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
      };
      if (request.url === '/webhook') {
        const { 'x-pay-signature': own, 'x-tonpay-signature': sdk } = request.headers;
        void receive(body, String(own ?? sdk)).then((status) => answer(status, {}));
        return;
      }
      if (request.method === 'POST') {
        const { rawAmount } = JSON.parse(body.toString()) as { rawAmount: string };
        const reference = randomUUID();
        orders.set(reference, { rawAmount, paid: 0 });
        answer(201, { reference, rawAmount, asset: 'TON', recipient });
        return;
      }
      answer(200, { paid: orders.get(request.url?.split('/').at(-1) ?? '')?.paid });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: new URL('/webhook', origin),
    ordersUrl: new URL('/orders', origin),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
