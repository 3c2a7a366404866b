import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running shop with a webhook. */
export interface TestShop {
  /** Of the webhook. */
  url: URL;
  /** Of its orders, for tests. */
  ordersUrl: URL;
  close(): Promise<void>;
}

/** An order of a {@link TestShop}. */
export interface ShopOrder {
  rawAmount: string;
  /** How often the goods were sent. */
  paid: number;
}

/** What a {@link TestShop} does itself; by reference are its orders, oldest first. */
export interface ShopBehavior {
  /** Who is paid. */
  recipient: string;
  /** @returns the status that answers a delivery */
  receive: (
    body: Buffer,
    headers: IncomingHttpHeaders,
    orders: ReadonlyMap<string, ShopOrder>,
  ) => Promise<number>;
  /** Default: as the order says. */
  timesPaid?: (reference: string) => Promise<number>;
}

/** Starts a shop that tells of its orders, on a free port. */
export async function startTestShop({ recipient, receive, timesPaid }: ShopBehavior): Promise<TestShop> {
  const orders = new Map<string, ShopOrder>();
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
        void receive(body, request.headers, orders).then((status) => answer(status, {}));
        return;
      }
      if (request.method === 'POST') {
        const { rawAmount } = JSON.parse(body.toString()) as { rawAmount: string };
        const reference = randomUUID();
        orders.set(reference, { rawAmount, paid: 0 });
        answer(201, { reference, rawAmount, asset: 'TON', recipient });
        return;
      }
      const reference = request.url?.split('/').at(-1) ?? '';
      const order = orders.get(reference);
      if (order === undefined) {
        answer(404, {});
        return;
      }
      const paid = timesPaid === undefined ? Promise.resolve(order.paid) : timesPaid(reference);
      void paid.then((times) => answer(200, { paid: times }));
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
