// Takes more than 20 s: one window follows the listener from one service to another.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { samplePayload, withFields } from '../../src/toolkit/webhook/payload/samplePayload';
import { bicycle } from '../../src/toolkit/webhook/provider/bicycle';
import type { WebhookProvider } from '../../src/toolkit/webhook/provider/webhookProvider';
import { standardWebhooks } from '../../src/toolkit/webhook/provider/providerOf';
import { freePort } from '../support/freePort';
import { patience } from './support/patience';
import type { TreeView } from './support/treeView';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

describe('webhooks of another service', () => {
  let workbench: Workbench;
  let view: TreeView;
  let url: string;
  let secret = '';

  const deliver = async (provider: WebhookProvider, key: string, reference: string): Promise<number> => {
    const body = provider.encode(withFields(samplePayload(), { reference, amount: '2.5' }));
    const headers = {
      'Content-Type': 'application/json',
      ...Object.fromEntries(provider.sign(body, key, [])),
    };
    return (await fetch(url, { method: 'POST', body: new Uint8Array(body), headers })).status;
  };
  const heading = (text: RegExp): Promise<void> =>
    view.pane.locator('.pane-header .description', { hasText: text }).waitFor();
  const described = (text: RegExp): Promise<void> =>
    view.pane.locator('.label-description', { hasText: text }).first().waitFor();

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/webhook`;
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { webhooks: port },
        'tonWorkbench.webhooks.service': 'standard-webhooks',
      },
    });
    const orders = ['order-1', 'order-2'].map((reference) => ({ reference, amount: '2.5', asset: 'TON' }));
    await writeFile(path.join(workbench.folder, 'webhook-orders.json'), JSON.stringify({ orders }, null, 2));
    view = await workbench.showView('Webhooks');
    for (const other of ['Contracts', 'Traces', 'Local Network']) {
      await workbench.view(other).collapse();
    }
  });
  after(() => workbench?.close());

  it('are received with a test secret of its form, and the heading says whose they are', async () => {
    await view.pane.locator('.monaco-button', { hasText: 'Start Listening' }).click();
    await workbench.messages.pressInNotification(/Made a test secret/, 'Copy Secret');
    for (const end = Date.now() + patience; !secret.startsWith('whsec_') && Date.now() < end;) {
      secret = await workbench.page.evaluate(() => navigator.clipboard.readText());
    }
    await heading(/^\d+, Standard Webhooks, test secret$/);
    await workbench.messages.clearNotifications();
  });

  it('are verified and judged by its rules, and shown on the board', async () => {
    assert.equal(await deliver(standardWebhooks, secret, 'order-1'), 200);
    await described(/^●●○○● paid {3}2.5 TON/);
    const stranger = standardWebhooks.secretForm.make();
    assert.equal(await deliver(standardWebhooks, stranger, 'order-2'), 401);
    await described(/^●✗○○○ no secret matches, answered 401/);
  });

  it('are tested with its scenarios, also from an order', async () => {
    await workbench.runCommand('TON: Send Test Webhook…');
    await workbench.quickInput.asks('TON: Send Test Webhook');
    await workbench.screenshot('webhook service scenarios dark');
    await workbench.quickInput.type('stale');
    await workbench.quickInput.pick('stale');
    await workbench.quickInput.pick("This window's listener");
    await workbench.quickInput.row('Send').waitFor();
    await workbench.quickInput.pick('Send');
    await view.toggle('order-2');
    await view.row(/^stale: refused, as expected$/).waitFor();
    await view.toggle('order-2');
    await workbench.openFile('webhook-orders.json');
    const sending = workbench.page.locator('.codelens-decoration:visible a', { hasText: 'Send Payment' });
    await sending.nth(1).click();
    await view.row('order-2').filter({ hasText: '●●○○● paid' }).waitFor();
    await workbench.inBothThemes('webhook service board');
  });

  it('are resent with a new signature, because the one of then expires', async () => {
    await view.toggle('order-1');
    await view.rowAction(/completed 2.5 TON/, 'Resend');
    await view.row(/repeat of order-1, nothing to do/).waitFor();
  });

  it('are followed when the setting changes: another service, with its own scenarios', async () => {
    await workbench.changeSettings({ 'tonWorkbench.webhooks.service': 'bicycle' });
    await heading(/^\d+, Bicycle, test token$/);
    // A secret that can be a token stays one.
    assert.equal(await deliver(bicycle, secret, 'order-1'), 200);
    assert.equal(await deliver(bicycle, 'a-stranger', 'order-1'), 401);
    await view.row(/^claims order-1, not verified: no secret matches/).waitFor();
    await workbench.runCommand('TON: Send Test Webhook…');
    await workbench.quickInput.row('wrong-secret').waitFor();
    const offered = (await workbench.quickInput.readItems()).map(({ label }) => label);
    assert.ok(!offered.includes('altered') && !offered.includes('stale'), offered.join());
    await workbench.quickInput.cancel();
    await workbench.runCommand('TON: Webhook Secrets…');
    await workbench.quickInput.pick('Copy Test Secret…');
    await workbench.statusBar.item('Copied the test token named “test”').waitFor();
  });

  it('are not received with settings that make no sense, which is said in words', async () => {
    await workbench.changeSettings({
      'tonWorkbench.webhooks.service': 'hmac',
      'tonWorkbench.webhooks.signature': { hmacPrefix: ' =' },
    });
    const words = /not running: " =" is not the prefix of an HMAC/;
    await view.pane.locator('.message', { hasText: words }).waitFor();
    await workbench.screenshot('webhook service invalid dark');
  });
});
