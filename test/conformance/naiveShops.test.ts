import assert from 'node:assert/strict';
import { checkName, fixesOf } from '../../src/toolkit/webhook/check/shopRules';
import { tonPay } from '../../src/toolkit/webhook/provider/tonPay';
import type { CheckEndpointParameters } from '../../src/toolkit/workflows/checkEndpoint';
import { checkedRows } from '../support/checkedRows';
import type { Mistake } from '../support/naiveShop';
import { mistakes, startNaiveShop } from '../support/naiveShop';
import type { PaymentNetwork } from '../support/paymentNetwork';
import { startPaymentNetwork } from '../support/paymentNetwork';

const secret = 'whsec_naive_0001';

/** What the check calls each mistake. */
const names: Readonly<Record<Mistake, readonly string[]>> = {
  parseFloat: ['orders-amount'],
  status: ['orders-status'],
  repeats: ['orders-once'],
  // Genuine deliveries are refused, and altered ones accepted.
  parsedBody: ['reserialized', 'reserialized'],
  chain: ['orders-chain'],
};

describe('the check of a shop that takes payments with classic mistakes', () => {
  let network: PaymentNetwork;
  before(async () => {
    network = await startPaymentNetwork();
  });
  after(() => network.stop());

  /** The rules that a shop with these mistakes breaks. */
  const broken = async (
    made: readonly Mistake[],
    { orders, only }: { orders: boolean; only?: CheckEndpointParameters['only'] },
  ): Promise<string[]> => {
    const shop = await startNaiveShop(made, { secret, v3: network.ready.v3, recipient: network.recipient });
    try {
      const rows = await checkedRows({
        ...{ url: shop.url, secret, only },
        shop: orders ? { ordersUrl: shop.ordersUrl, access: network.access } : undefined,
      });
      const wrong = rows.filter(({ ok }) => !ok);
      // Each has a fix.
      const fixed = new Set(fixesOf(rows, 'express', tonPay.receiver()).flatMap((fix) => fix.rows));
      assert.deepEqual(
        wrong.filter((row) => !fixed.has(row)),
        [],
      );
      return wrong.map(checkName);
    } finally {
      await shop.close();
    }
  };

  it('finds nothing where there is none', async () => {
    assert.deepEqual(await broken([], { orders: true }), []);
  });

  for (const mistake of mistakes) {
    it(`names it alone: ${mistake}`, async () => {
      assert.deepEqual(
        await broken([mistake], { orders: true, only: ['success', 'reserialized'] }),
        names[mistake],
      );
    });
  }

  it('names all five of a shop that makes all', async () => {
    assert.deepEqual((await broken(mistakes, { orders: true })).sort(), Object.values(names).flat().sort());
  });

  it('sees only the parsed body in the answers alone, as its remark says', async () => {
    assert.deepEqual(await broken(mistakes, { orders: false }), names.parsedBody);
  });

  it('says of a shop that marks nothing as paid only that', async () => {
    const shop = await startNaiveShop([], {
      secret: 'another',
      v3: network.ready.v3,
      recipient: network.recipient,
    });
    try {
      const rows = await checkedRows({
        ...{ url: shop.url, secret, only: [] },
        shop: { ordersUrl: shop.ordersUrl, access: network.access },
      });
      assert.deepEqual(
        rows.map((row) => [checkName(row), row.got, row.ok]),
        [['orders-paid', 'not paid', false]],
      );
    } finally {
      await shop.close();
    }
  });
});
