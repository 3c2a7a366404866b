import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CheckRow } from '../../src/toolkit/webhook/check/shopRules';
import { checkName, fixesOf } from '../../src/toolkit/webhook/check/shopRules';
import { tonapi } from '../../src/toolkit/webhook/provider/tonapi';
import type { CheckEndpointParameters } from '../../src/toolkit/workflows/checkEndpoint';
import { checkedRows } from '../support/checkedRows';
import { runCommandLine } from '../support/commandLine';
import type { TonapiMistake } from '../support/naiveTonapiShop';
import { startNaiveTonapiShop, tonapiMistakes } from '../support/naiveTonapiShop';
import type { PaymentNetwork } from '../support/paymentNetwork';
import { startPaymentNetwork } from '../support/paymentNetwork';

const token = 'a-token-of-a-shop';

/** What the check calls each mistake. */
const names: Readonly<Record<TonapiMistake, readonly string[]>> = {
  trust: ['orders-chain'],
  toldAccount: ['orders-account'],
  anyAccount: ['orders-account'],
  parseFloat: ['orders-amount'],
  bounced: ['orders-status'],
  repeats: ['orders-once'],
  notFound: ['success'],
};

describe('the check of a shop that TONAPI notifies, which must read the chain', () => {
  let network: PaymentNetwork;
  before(async () => {
    network = await startPaymentNetwork();
  });
  after(() => network.stop());

  /** The rows of a shop with these mistakes. */
  const rowsOf = async (
    made: readonly TonapiMistake[],
    only?: CheckEndpointParameters['only'],
  ): Promise<readonly CheckRow[]> => {
    const shop = await startNaiveTonapiShop(made, {
      token,
      v3: network.ready.v3,
      recipient: network.recipient,
    });
    try {
      return await checkedRows({
        ...{ url: shop.url, secret: token, provider: tonapi, only },
        shop: { ordersUrl: shop.ordersUrl, access: network.access },
      });
    } finally {
      await shop.close();
    }
  };

  it('finds nothing where the chain is read as it should be', async () => {
    const rows = await rowsOf([]);
    assert.deepEqual(
      rows.filter(({ ok, tolerated }) => !ok || tolerated),
      [],
    );
    assert.deepEqual(
      rows.flatMap((row) => (row.shop === undefined ? [] : [checkName(row)])),
      ['paid', 'once', 'status', 'amount', 'chain', 'account'].map((rule) => `orders-${rule}`),
    );
  });

  for (const mistake of tonapiMistakes) {
    it(`names it alone: ${mistake}`, async () => {
      const rows = await rowsOf([mistake], ['success']);
      const wrong = rows.filter(({ ok }) => !ok);
      assert.deepEqual(wrong.filter(({ follows }) => follows !== true).map(checkName), names[mistake]);
      // What only follows needs no fix; the mistake has one.
      const fixed = fixesOf(rows, 'express', tonapi.receiver()).flatMap((fix) => fix.rows);
      assert.deepEqual(fixed.map(checkName), names[mistake]);
    });
  }

  it('is there on the command line, and refused in words for a service that pays no orders', async () => {
    const shop = await startNaiveTonapiShop([], {
      token,
      v3: network.ready.v3,
      recipient: network.recipient,
    });
    const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-tonapi-'));
    const secretFile = path.join(folder, 'token.txt');
    await writeFile(secretFile, token);
    const check = (provider: string): ReturnType<typeof runCommandLine> =>
      runCommandLine([
        ...['webhook', 'check', '--provider', provider, '--url', shop.url.href, '--secret-file', secretFile],
        ...['--orders-url', shop.ordersUrl.href, '--network', network.origin],
      ]);
    try {
      const { status, stdout } = await check('tonapi');
      assert.equal(status, 0, stdout);
      assert.match(stdout, /✓ orders-chain +expected not paid, got not paid/);
      assert.match(stdout, /✓ orders-account +expected not paid, got not paid/);
      const refused = await check('bicycle');
      assert.equal(refused.stdout, '');
      assert.match(refused.stderr, /orders of a shop cannot be checked with Bicycle/);
    } finally {
      await shop.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('says that nothing which the notification leaves out is kept by a shop that trusts it', async () => {
    const rows = await rowsOf(['trust'], ['success']);
    assert.deepEqual(rows.filter(({ follows }) => follows === true).map(checkName), [
      'orders-status',
      'orders-amount',
      'orders-account',
    ]);
  });
});
