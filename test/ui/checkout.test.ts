// Takes more than 20 s: a shop, a wallet, and the payment API run beside the window.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { walletAddresses } from '../../src/toolkit/tonConnect/injectedScript';
import { startCheckoutShop } from '../support/checkoutShop';
import type { CheckoutShop } from '../support/checkoutShop';
import { startCommandLine } from '../support/commandLine';
import type { RunningCommand } from '../support/commandLine';
import { freePort } from '../support/freePort';
import { patience } from './support/patience';
import { pressLens } from './support/pressLens';
import type { TreeView } from './support/treeView';
import { openWorkbench } from './support/workbench';
import type { Workbench } from './support/workbench';

describe('a checkout from the order to paid, in a shop beside the editor', () => {
  let workbench: Workbench;
  let view: TreeView;
  let payments: RunningCommand;
  let shop: CheckoutShop;
  let page: Page;

  const described = (text: RegExp): Promise<void> =>
    view.pane.locator('.label-description', { hasText: text }).first().waitFor();
  const says = (text: string): Promise<void> => page.getByRole('status').filter({ hasText: text }).waitFor();
  const pictureOfShop = (name: string): Promise<void> =>
    workbench.screenshot(`checkout shop ${name}`, () => page.screenshot());

  before(async () => {
    const [listenerPort, networkPort, walletPort, shopPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const receiver = `http://127.0.0.1:${shopPort}/webhooks/ton-pay`;
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { webhooks: listenerPort, localNetwork: networkPort, wallet: walletPort },
        'tonWorkbench.webhooks.forward': { deliveries: 'verified', url: receiver },
      },
    });
    // The shop keeps its orders where the editor looks for them.
    const ordersFile = path.join(workbench.folder, 'webhook-orders.json');
    await writeFile(ordersFile, '[]');
    view = await workbench.showView('Webhooks');
    for (const other of ['Contracts', 'Traces']) {
      await workbench.view(other).collapse();
    }
    await view.pane.locator('.monaco-button', { hasText: 'Start Listening' }).click();
    await workbench.messages.pressInNotification(/Made a test secret/, 'Copy Secret');
    let secret = '';
    for (const end = Date.now() + patience; !secret.startsWith('whsec_') && Date.now() < end;) {
      secret = await workbench.page.evaluate(() => navigator.clipboard.readText());
    }
    await workbench.runCommand('TON: Start Test Wallet');
    await workbench.messages.waitForNotification(new RegExp(`listens on port ${walletPort}`));
    await workbench.messages.clearNotifications();
    const secretFile = path.join(workbench.folder, 'secret.txt');
    await writeFile(secretFile, secret);
    const origin = `http://127.0.0.1:${networkPort}`;
    payments = await startCommandLine([
      ...['payments', '--json', '--network', origin, '--secret-file', secretFile],
      ...['--webhook-url', `http://127.0.0.1:${listenerPort}/webhook`],
    ]);
    shop = await startCheckoutShop({
      TONPAY_BASE_URL: (JSON.parse(payments.firstLine) as { url: string }).url,
      WEBHOOK_SECRET: secret,
      SHOP_ADDRESS: namedAccounts[1]?.address,
      TON_LOCAL_V3: `${origin}/api/v3`,
      WALLETS_LIST: walletAddresses(walletPort).walletsList,
      ORDERS_FILE: ordersFile,
      PORT: String(shopPort),
    });
    page = await workbench.page.context().newPage();
    await page.setViewportSize({ width: 720, height: 640 });
    await page.goto(shop.url);
  });
  after(async () => {
    shop?.child.kill();
    payments?.child.kill();
    await workbench?.close();
  });

  it('connects the wallet of the editor, where the connection is approved', async () => {
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByRole('button', { name: /TON Workb/ }).click();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Desktop' }).click();
    await (await opened).close();
    await workbench.page.bringToFront();
    await workbench.messages.pressInNotification(/Checkout asks: connect/, 'Approve');
    await page.bringToFront();
    await page.getByRole('button', { name: /^[UE]Q/ }).waitFor();
    await pictureOfShop('connected');
  });

  it('has a row of the board for the order, before it is paid', async () => {
    await page.getByRole('button', { name: 'Buy for 1.5 TON' }).click();
    await says('Approve the payment in your wallet.');
    await workbench.page.bringToFront();
    await described(/^●○○○○ open {3}1.5 TON/);
    await workbench.messages.waitForNotification(/pay bob 1\.5 TON/);
    await workbench.screenshot('checkout 1 open dark');
  });

  it('turns through its five states once the payment was approved in the editor, with nothing else pressed', async () => {
    await workbench.messages.pressInNotification(/pay bob/, 'Review');
    const carriedOut = workbench.page.locator('.view-line').filter({ hasText: /Carried\sout\s\(Approve\)/ });
    await pressLens(workbench.editor.lens('Approve'), carriedOut.first());
    await described(/^●●●●● paid {3}1.5 TON/);
    await page.bringToFront();
    await says('Paid. Thank you!');
    await pictureOfShop('paid');
    await page.emulateMedia({ colorScheme: 'dark' });
    await pictureOfShop('paid-dark');
    await workbench.page.bringToFront();
    await workbench.screenshot('checkout 2 paid dark');
  });

  it('shows when each was reached, and what was found on the chain', async () => {
    await view.toggle(/^[\da-f]{6}…/);
    // Since when it is open is not in its file.
    for (const step of ['delivered', 'on chain', 'application', 'paid']) {
      await view
        .row(new RegExp(`^${step}$`))
        .filter({ hasText: /\d\d:\d\d:\d\d/ })
        .waitFor();
    }
    await view
      .row(/^on chain$/)
      .filter({ hasText: /as reported, on Local/ })
      .waitFor();
    await workbench.screenshot('checkout 3 five states dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('checkout 3 five states light');
  });
});
