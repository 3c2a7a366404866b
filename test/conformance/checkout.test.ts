import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { pace } from '../../scripts/lib/pace.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { launchBrowser } from '../../scripts/browser.mjs';
import { freePort } from '../support/freePort';
import { startCheckoutShop } from '../support/checkoutShop';
import type { CheckoutShop } from '../support/checkoutShop';
import { runCommandLine, startCommandLine } from '../support/commandLine';
import type { RunningCommand } from '../support/commandLine';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { until } from '../support/until';
import { startWalletCommand } from '../support/walletCommand';
import type { WalletCommand } from '../support/walletCommand';

describe('the example shop, with the payment service’s client and the TON Connect window in a browser', () => {
  let network: LocalnetCommand;
  let wallet: WalletCommand;
  let payments: RunningCommand;
  let shop: CheckoutShop;
  let secret: string;
  let settings: NodeJS.ProcessEnv;
  let browser: Browser;
  let page: Page;
  let folder: string;

  before(async () => {
    network = await startLocalnetCommand();
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-checkout-'));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    [wallet, payments, browser] = await Promise.all([
      startWalletCommand(network.origin, '--account', 'bob', '--approve', 'ask'),
      startCommandLine([
        ...['payments', '--json', '--network', network.origin, '--webhook-url', `${url}/webhooks/ton-pay`],
      ]),
      launchBrowser(),
    ]);
    const { url: api, webhookSecret } = JSON.parse(payments.firstLine) as {
      url: string;
      webhookSecret: string;
    };
    secret = webhookSecret;
    settings = {
      TONPAY_BASE_URL: api,
      WEBHOOK_SECRET: webhookSecret,
      SHOP_ADDRESS: network.ready.accounts.find(({ name }) => name === 'alice')?.address,
      TON_LOCAL_V3: network.ready.v3,
      WALLETS_LIST: wallet.ready.walletsList,
      ORDERS_FILE: path.join(folder, 'orders.json'),
      PORT: String(port),
      TEST_ORDERS: '1',
    };
    shop = await startCheckoutShop(settings);
    page = await browser.newPage();
    page.setDefaultTimeout(60_000 * pace);
    await page.goto(shop.url);
  });
  after(async () => {
    await browser.close();
    shop.child.kill();
    payments.child.kill();
    await payments.ended;
    await wallet.stop();
    await network.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('answers a body that is not JSON with 400 and words', async () => {
    for (const body of ['not JSON', '7', 'null', '']) {
      const answer = await fetch(`${shop.url}/orders`, { method: 'POST', body });
      assert.deepEqual(
        [answer.status, await answer.json()],
        [400, { error: 'Say what to buy, and who pays.' }],
      );
    }
  });

  it('connects the test wallet, once it is approved', async () => {
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByRole('button', { name: /TON Workb/ }).click();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Desktop' }).click();
    await (await opened).close();
    const asked = await wallet.take(({ request, method }) => request !== undefined && method === 'connect');
    assert.equal(asked.dApp?.name, 'Checkout');
    wallet.type('approve');
    await page.getByRole('button', { name: /^[UE]Q/ }).waitFor();
  });

  it('has paid, when the payment was approved, delivered, and found on the chain', async () => {
    await page.getByRole('button', { name: 'Buy for 1.5 TON' }).click();
    const asked = await wallet.take(
      ({ request, method }) => request !== undefined && method === 'sendTransaction',
    );
    assert.match(asked.asks ?? '', /1\.5/);
    wallet.type('approve');
    await page.getByRole('status').filter({ hasText: 'Paid. Thank you!' }).waitFor();
    const [order] = JSON.parse(await readFile(path.join(folder, 'orders.json'), 'utf8')) as {
      state: string;
      txHash: string;
    }[];
    assert.equal(order?.state, 'paid');
    const answer = await fetch(`${network.ready.v3}/transactions?hash=${order.txHash}`);
    const { transactions } = (await answer.json()) as { transactions: { in_msg: { value: string } }[] };
    assert.deepEqual(
      transactions.map((transaction) => transaction.in_msg.value),
      ['1500000000'],
    );
  });

  it('leaves the order open when the wallet refuses', async () => {
    await page.getByRole('button', { name: 'Buy for 0.05 TON' }).click();
    await wallet.take(({ request, method }) => request !== undefined && method === 'sendTransaction');
    wallet.type('reject');
    await page
      .getByRole('status')
      .filter({ hasText: /reject/i })
      .waitFor();
    const orders = JSON.parse(await readFile(path.join(folder, 'orders.json'), 'utf8')) as {
      state: string;
    }[];
    assert.deepEqual(
      orders.map(({ state }) => state),
      ['paid', 'open'],
    );
  });

  it('says paid when the wallet’s answer is lost', async () => {
    await page.reload();
    await page.getByRole('button', { name: /^[UE]Q/ }).waitFor();
    await page.getByRole('button', { name: 'Buy for 1.5 TON' }).click();
    await wallet.take(({ request, method }) => request !== undefined && method === 'sendTransaction');
    wallet.type('approve-lose-answer');
    await page.getByRole('status').filter({ hasText: 'Paid. Thank you!' }).waitFor();
  });

  it('finds out by itself that an order is paid, when no webhook comes', async () => {
    const other = await startCheckoutShop({
      ...settings,
      ORDERS_FILE: path.join(folder, 'others.json'),
      PORT: '0',
      ASK_AFTER_SECONDS: '0.2',
    });
    try {
      const post = async (url: string, body: object): Promise<Response> =>
        fetch(url, { method: 'POST', body: JSON.stringify(body) });
      const created = await post(`${other.url}/orders`, { item: 'mug', sender: settings.SHOP_ADDRESS });
      const { reference } = (await created.json()) as { reference: string };
      const stateOf = async (): Promise<string> => {
        const answer = await fetch(`${other.url}/orders/${reference}`);
        return ((await answer.json()) as { state: string }).state;
      };
      assert.equal(await stateOf(), 'open');
      const paid = await post(`${settings.TONPAY_BASE_URL}/control/pay`, { reference, scenario: 'never' });
      assert.equal(paid.status, 200);
      const decided = async (): Promise<string | false> => {
        const state = await stateOf();
        return state !== 'open' && state;
      };
      assert.equal(await until(decided, 'the end of an open order'), 'paid');
    } finally {
      other.child.kill();
    }
  });

  for (const [what, environment, sentence] of [
    [
      'an address that is none',
      { SHOP_ADDRESS: 'bob' },
      /^SHOP_ADDRESS is not an address: bob\. Set it to .*\n$/,
    ],
    ['a setting that is missing', { WALLETS_LIST: '' }, /^Set WALLETS_LIST\. .*\n$/],
    ['a port that is no number', { PORT: 'abc' }, /^PORT is not a number from 0 to 65535: abc\.\n$/],
    [
      'a wait that is none',
      { ASK_AFTER_SECONDS: '-1' },
      /^ASK_AFTER_SECONDS is not a number from 0 to 3600: -1\.\n$/,
    ],
    [
      'orders that are not JSON',
      { ORDERS_FILE: path.join(root, 'README.md') },
      /^The orders in .* cannot be read: .* set ORDERS_FILE to another\.\n$/,
    ],
    ['a port in use', {}, /^Port \d+ is in use\. .*\n$/],
  ] as const) {
    it(`says in a sentence that it cannot start with ${what}`, () => {
      const { status, stderr } = spawnSync(process.execPath, ['server.mjs'], {
        cwd: path.join(root, 'examples/checkout'),
        env: { ...process.env, ...settings, ...environment },
        encoding: 'utf8',
      });
      assert.equal(status, 1);
      assert.match(stderr, sentence);
    });
  }

  it('takes no forged, changed, or repeated notification for a payment', async () => {
    const body = JSON.stringify({ event: 'transfer.completed', data: { reference: 'x', status: 'success' } });
    const post = (signature: string): Promise<Response> =>
      fetch(`${shop.url}/webhooks/ton-pay`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'x-pay-signature': signature },
      });
    assert.equal((await post(`sha256=${'0'.repeat(64)}`)).status, 401);
  });

  it('passes the check of receivers, with its own orders', async () => {
    const secretFile = path.join(folder, 'secret.txt');
    await writeFile(secretFile, secret);
    const { status, stdout } = await runCommandLine([
      ...['webhook', 'check', '--url', `${shop.url}/webhooks/ton-pay`, '--secret-file', secretFile],
      ...['--orders-url', `${shop.url}/test-orders`, '--network', network.origin, '--time-scale', '0.01'],
    ]);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /✓ orders-once +expected paid once, got paid once/);
    assert.match(stdout, /✓ orders-chain +expected not paid, got not paid/);
  });
});
