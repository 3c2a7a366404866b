import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { access as lookAt, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beginCell } from '@ton/core';
import { root } from '../../scripts/lib/root.mjs';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import { checkName } from '../../src/toolkit/webhook/check/shopRules';
import { providerNames, providerOf } from '../../src/toolkit/webhook/provider/providerOf';
import type { ProviderChoice } from '../../src/toolkit/webhook/provider/providerOf';
import { checkedRows } from '../support/checkedRows';
import { startPaymentNetwork } from '../support/paymentNetwork';
import type { PaymentNetwork } from '../support/paymentNetwork';
import { startTestShop } from '../support/testShop';
import type { ShopOrder, TestShop } from '../support/testShop';
import { writeReceiver } from '../support/writeReceiver';

interface Service {
  choice: ProviderChoice;
  secret: string;
  /** The rules about orders that make sense for it. */
  rules: readonly string[];
}

const told = ['paid', 'once', 'status', 'amount', 'chain'];

const services: readonly Service[] = [
  { choice: { name: 'ton-pay' }, secret: 'whsec_shop_receivers_0001', rules: told },
  { choice: { name: 'tonapi' }, secret: 'a-token', rules: [...told, 'account'] },
  {
    choice: { name: 'standard-webhooks' },
    secret: 'whsec_cmVjZWl2ZXJzIG9mIHdlYmhvb2tz',
    rules: told,
  },
  {
    choice: {
      name: 'hmac',
      hmac: { header: 'X-Hub-Signature-256', prefix: 'sha256=', algorithm: 'sha256', encoding: 'hex' },
    },
    secret: 'a secret',
    rules: told,
  },
];

describe('the webhook receivers that are made, in a shop whose orders are paid on the local network', () => {
  let folder: string;
  let network: PaymentNetwork;
  let shop: TestShop;

  before(async () => {
    await mkdir(path.join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(path.join(root, '.cache/shop-receivers-'));
    network = await startPaymentNetwork();
  });
  afterEach(() => shop?.close());
  after(async () => {
    await network.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** What a made receiver needs to know of an order: its payment's body is the reference as a comment. */
  const known = ([reference, { rawAmount }]: [string, ShopOrder], recipient: string): [string, object] => {
    const body = beginCell().storeUint(0, 32).storeStringTail(reference).endCell();
    const bodyBase64Hash = body.hash().toString('base64');
    return [reference, { rawAmount, asset: 'TON', recipient, bodyBase64Hash }];
  };

  /** A shop whose receiver is a made one; its orders are paid where the receiver has stored that. */
  const start = async (choice: ProviderChoice, secret: string): Promise<TestShop> => {
    const [file = ''] = await writeReceiver(folder, choice, 'next');
    const { createReceiver } = (await import(pathToFileURL(file).href)) as {
      createReceiver: (options: object) => (request: Request) => Promise<Response>;
    };
    const { recipient } = network;
    const paid = path.join(folder, `${choice.name}-paid`);
    const fixed = { secret, account: recipient, v3: network.ready.v3, folder: paid, waitMs: 1 };
    return startTestShop({
      recipient,
      receive: async (body, headers, orders) => {
        const handle = createReceiver({
          ...fixed,
          orders: new Map([...orders].map((order) => known(order, recipient))),
        });
        const init = {
          method: 'POST',
          headers: headers as Record<string, string>,
          body: new Uint8Array(body),
        };
        return (await handle(new Request('http://localhost/webhook', init))).status;
      },
      timesPaid: (reference) => {
        const name = createHash('sha256').update(reference).digest('hex');
        return lookAt(path.join(paid, `${name}.json`)).then(
          () => 1,
          () => 0,
        );
      },
    });
  };

  for (const { choice, secret, rules } of services) {
    it(`keeps every rule: ${choice.name}`, async () => {
      shop = await start(choice, secret);
      const rows = await checkedRows({
        ...{ url: shop.url, secret, provider: providerOf(choice) },
        shop: { ordersUrl: shop.ordersUrl, access: network.access },
      });
      assert.deepEqual(
        rows.filter(({ ok }) => !ok),
        [],
      );
      assert.deepEqual(
        rows.flatMap((row) => (row.shop === undefined ? [] : [checkName(row)])),
        rules.map((rule) => `orders-${rule}`),
      );
    });
  }

  it('are of every service but the one whose deliveries pay no orders, which is refused before anything is sent', async () => {
    const checked = services.map(({ choice }) => choice.name);
    assert.deepEqual(
      providerNames.filter((name) => !checked.includes(name)),
      ['bicycle'],
    );
    const nowhere = new URL('http://127.0.0.1:9/');
    await assert.rejects(
      checkedRows({
        ...{ url: nowhere, secret: 'a-token', provider: providerOf({ name: 'bicycle' }) },
        shop: { ordersUrl: nowhere, access: network.access },
      }),
      (error) => WorkbenchError.is(error, 'shop-orders-unusable'),
    );
  });
});
