// Takes more than 20 s: deliveries are forwarded and tried again, and the window is reloaded.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { signBody } from '../../src/toolkit/webhook/delivery/signature';
import { samplePayload, withFields } from '../../src/toolkit/webhook/payload/samplePayload';
import { freePort } from '../support/freePort';
import { closeServer } from '../unit/webhook/support/receiver';
import type { Locator } from 'playwright-core';
import { patience } from './support/patience';
import type { TreeView } from './support/treeView';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

describe('the payment board', () => {
  let workbench: Workbench;
  let view: TreeView;
  let shop: Server;
  let url: string;
  let secret: string;

  /** An application that cannot handle one of its orders. */
  const openShop = (): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((request, response) => {
        let body = '';
        request
          .on('data', (chunk: Buffer) => (body += chunk.toString()))
          .on('end', () => response.writeHead(body.includes('order-broken') ? 500 : 200).end());
      }).listen(0, '127.0.0.1', () => resolve(server));
    });

  const pay = async (reference: string, amount: string, key = secret): Promise<number> => {
    const body = JSON.stringify(withFields(samplePayload(), { reference, amount }));
    const headers = {
      'Content-Type': 'application/json',
      'X-Pay-Signature': signBody(Buffer.from(body), key),
    };
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };

  const described = (text: RegExp): Promise<void> =>
    view.pane.locator('.label-description', { hasText: text }).first().waitFor();

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/webhook`;
    shop = await openShop();
    const shopPort = (shop.address() as AddressInfo).port;
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { webhooks: port, localNetwork: await freePort() },
        'tonWorkbench.webhooks.forward': {
          deliveries: 'verified',
          url: `http://127.0.0.1:${shopPort}/webhook`,
        },
      },
    });
    const references = ['order-open', 'order-paid', 'order-broken', 'order-short'];
    await writeFile(
      path.join(workbench.folder, 'webhook-orders.json'),
      JSON.stringify(
        { orders: references.map((reference) => ({ reference, amount: '2.5', asset: 'TON' })) },
        null,
        2,
      ),
    );
    view = await workbench.showView('Webhooks');
    for (const other of ['Contracts', 'Traces', 'Local Network']) {
      await workbench.view(other).collapse();
    }
  });
  after(async () => {
    await workbench?.close();
    await closeServer(shop);
  });

  it('shows each order as open, once the listener has started', async () => {
    await view.pane.locator('.monaco-button', { hasText: 'Start Listening' }).click();
    await workbench.messages.pressInNotification(/Made a test secret/, 'Copy Secret');
    for (const end = Date.now() + patience; !secret?.startsWith('whsec_') && Date.now() < end;) {
      secret = await workbench.page.evaluate(() => navigator.clipboard.readText());
    }
    await view.row('order-open').waitFor();
    assert.equal((await view.rows()).length, 4);
  });

  it('shows how far each payment has come', async () => {
    assert.equal(await pay('order-paid', '2.5'), 200);
    assert.equal(await pay('order-broken', '2.5'), 200);
    assert.equal(await pay('order-short', '2.4'), 200);
    assert.equal(await pay('order-open', '2.5', 'whsec_of_a_stranger'), 401);
    assert.equal(await pay('from-elsewhere', '1'), 200);
    await described(/^●●○●● paid {3}2.5 TON/);
    await described(/^●●○✗✗ valid payment, but your application answered 500/);
    await described(/^●●○●✗ not paid: the amount is 2\.4 TON, expected 2\.5 TON/);
    await described(/^●✗○○○ no secret matches, answered 401 {3}1 refused {3}2.5 TON/);
    await view.row('other deliveries').waitFor();
    await workbench.statusBar.item(/Webhooks \d+: 5/).waitFor();
    await view.toggle('order-broken');
    await view.row(/^on chain$/).waitFor();
    await workbench.messages.clearNotifications();
    await workbench.screenshot('payment board dark');
  });

  it('keeps its orders while their file is being written, and says what is wrong with it', async () => {
    const file = path.join(workbench.folder, 'webhook-orders.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"TON"', '"TON", "recipient": "bob"'));
    await described(/^Order 1 of the orders file: recipient is not an address of a wallet/);
    await described(/^●●○●● paid {3}2.5 TON/);
    await workbench.openFile('webhook-orders.json');
    await workbench.page.locator('.squiggly-warning').first().waitFor();
    await workbench.screenshot('payment board orders file broken dark');
    await writeFile(file, text);
    await view.row(/orders file cannot be used/).waitFor({ state: 'detached' });
    await workbench.runCommand('View: Close All Editors');
  });

  it('refuses deliveries on purpose, visibly, until that is ended with a click', async () => {
    await workbench.runCommand('TON: Refuse Next Deliveries…');
    await workbench.quickInput.pick('Answer 503');
    await workbench.quickInput.fill('2');
    await view.row(/^on purpose: answered 503$/).waitFor();
    await described(/^0 of 2 so far, click to end$/);
    assert.equal(await pay('order-open', '2.5'), 503);
    await described(/^1 of 2 so far, click to end$/);
    await described(/^●✗○○○ open, refused on purpose 1 of 2/);
    await workbench.screenshot('payment board on purpose dark');
    await view.click(/^on purpose: answered 503/);
    await view.row(/^on purpose/).waitFor({ state: 'hidden' });
    await workbench.statusBar.item(/Webhooks \d+: 6/).waitFor();
  });

  it('delays one, or cuts its connection, as chosen', async () => {
    const refuseNext = async (how: string, typed?: string): Promise<void> => {
      await workbench.runCommand('TON: Refuse Next Deliveries…');
      await workbench.quickInput.pick(how);
      if (typed !== undefined) {
        await workbench.quickInput.fill(typed);
      }
      await workbench.quickInput.asks(/^TON: Refuse Next Deliveries: /);
      await workbench.quickInput.fill('1');
      await described(/^0 of 1 so far, click to end$/);
    };
    await view.expand('order-paid');
    await refuseNext('Another status or delay…', '1s');
    await view.row(/^on purpose: answered after 1 s$/).waitFor();
    const start = Date.now();
    assert.equal(await pay('order-paid', '2.5'), 200);
    assert.ok(Date.now() - start >= 990, `answered after ${Date.now() - start} ms`);
    await described(/200, delayed on purpose 1 of 1/);
    await refuseNext('Cut the connection');
    await assert.rejects(pay('order-paid', '2.5'), /fetch failed/);
    await view.row(/^refused on purpose 1 of 1/).waitFor();
    await view.row(/^on purpose/).waitFor({ state: 'hidden' });
    await workbench.statusBar.item(/Webhooks \d+: 8/).waitFor();
    await workbench.screenshot('payment board delayed and cut dark');
  });

  it('pays an order from its file: with a test, forged, and on the local network', async () => {
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await workbench.openFile('webhook-orders.json');
    const lens = (text: RegExp): Locator =>
      workbench.page.locator('.codelens-decoration:visible a').filter({ hasText: text }).first();
    const nth = (text: string, index: number): Locator =>
      workbench.page.locator('.codelens-decoration:visible a').filter({ hasText: text }).nth(index);
    await lens(/^✓ paid$/).waitFor();
    await workbench.screenshot('payment board lenses dark');
    // The orders file lists order-open first.
    await nth('Send Forged', 0).click();
    await view.expand('order-open');
    await view.row(/^wrong-secret: refused, as expected$/).waitFor();
    await view.row('order-open').filter({ hasText: '2 refused' }).waitFor();
    // The last one has got too little so far.
    await nth('Send Payment', 3).click();
    await view.row('order-short').filter({ hasText: '●●○●● paid' }).waitFor();
    await nth('Pay on Local', 0).click();
    await workbench.quickInput.asks('TON: Pay order-open');
    await workbench.quickInput.pick('bob');
    await workbench.statusBar.item(/Webhooks \d+: 11/).waitFor();
    // A payment on the local network is found there by itself.
    await view.row('order-open').filter({ hasText: '●●●●● paid' }).waitFor();
    await workbench.screenshot('payment board paid for real dark');
  });

  it('keeps everything when the listener stops, also after a reload', async () => {
    const before = await view.rows();
    await workbench.runCommand('TON: Stop Webhook Listener');
    await view.pane.locator('.pane-header .description', { hasText: /^stopped$/ }).waitFor();
    assert.deepEqual(await view.rows(), before);
    await workbench.screenshot('payment board stopped dark');
    await workbench.page.reload();
    view = await workbench.showView('Webhooks');
    await described(/^●●○●● paid {3}2.5 TON/);
    await workbench.runCommand('TON: Search Deliveries…');
    await workbench.quickInput.fill('elsewhere');
    await view.pane.locator('.message', { hasText: /"elsewhere" \(1 of 11\)/ }).waitFor();
    await view.row(/unknown order, 1 TON/).waitFor();
    await workbench.screenshot('payment board stopped search dark');
    await workbench.runCommand('TON: Show All Deliveries');
    await described(/^●●○✗✗ valid payment, but your application answered 500/);
    await workbench.setPictureTheme('light');
    await workbench.screenshot('payment board light');
    await workbench.setPictureTheme('hcDark');
    await workbench.screenshot('payment board high contrast');
    await workbench.setPictureTheme('dark');
  });
});
