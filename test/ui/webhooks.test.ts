// Takes more than 20 s: one window goes through every command of the webhook listener.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NextFunction, Request, Response } from 'express';
import express from 'express';
import { verifySignature } from '@ton-pay/api';
import { signBody } from '../../src/toolkit/webhook/delivery/signature';
import { samplePayload } from '../../src/toolkit/webhook/payload/samplePayload';
import { freePort } from '../support/freePort';
import { deployJetton } from '../support/jetton';
import type { Locator } from 'playwright-core';
import { patience } from './support/patience';
import { DebugPane } from './support/debugPane';
import { pressLens } from './support/pressLens';
import type { TreeView } from './support/treeView';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

const secret = 'whsec_ui_test_0001';

/** A receiver as many write it: it verifies parsed JSON, and answers 500 to what it does not expect. */
function careless(): Promise<Server> {
  const app = express();
  app.use(express.json({ limit: '1mb' }));
  app.post('/pay', (request, response) => {
    const body = request.body as { event?: string; data?: { reference?: string } };
    const signature = request.get('x-pay-signature') ?? request.get('x-tonpay-signature') ?? '';
    if (!verifySignature(body, signature, secret)) {
      response.status(401).end();
      return;
    }
    response.status(body.event === 'transfer.completed' ? 200 : 500).json({ seen: body.data?.reference });
  });
  // As express answers by itself, without its words on the console.
  app.use((error: { status?: number }, _request: Request, response: Response, _next: NextFunction) => {
    response.status(error.status ?? 500).end();
  });
  return new Promise((resolve) => {
    const server = createServer(app).listen(0, '127.0.0.1', () => resolve(server));
  });
}

describe('payment webhooks', () => {
  let workbench: Workbench;
  let view: TreeView;
  let receiver: Server;
  let url: string;
  let localPort: number;

  const post = (body: string, headers: Record<string, string> = {}): Promise<{ status: number }> =>
    fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });

  const lens = (text: RegExp): Locator =>
    workbench.page
      .locator('.codelens-decoration:visible')
      .locator('a, span')
      .filter({ hasText: text })
      .first();

  before(async () => {
    const port = await freePort();
    localPort = await freePort();
    url = `http://127.0.0.1:${port}/webhook`;
    receiver = await careless();
    workbench = await openWorkbench({
      settings: { 'tonWorkbench.ports': { webhooks: port, localNetwork: localPort } },
    });
    await writeFile(
      path.join(workbench.folder, 'webhook-orders.json'),
      JSON.stringify({
        orders: [
          { reference: 'order-1', amount: '10.5', asset: 'TON' },
          { reference: 'order-2', amount: '3', asset: 'TON' },
        ],
      }),
    );
  });
  after(async () => {
    await workbench?.close();
    receiver?.close();
  });

  it('start with one click, with a test secret that can be copied', async () => {
    view = await workbench.showView('Webhooks');
    for (const other of ['Contracts', 'Traces', 'Local Network']) {
      await workbench.view(other).collapse();
    }
    assert.match(await view.welcomeText(), /Start Listening/);
    await workbench.screenshot('webhooks stopped dark');
    await view.pane.locator('.monaco-button', { hasText: 'Start Listening' }).click();
    await workbench.messages.notification(/Made a test secret, named “test”/).waitFor();
    await workbench.statusBar.item(/Webhooks \d+: 0/).waitFor();
    await view.pane.locator('.pane-header .description', { hasText: /^\d+, test secret$/ }).waitFor();
    assert.deepEqual(
      (await view.rows()).map(({ label, description }) => `${label}: ${description}`),
      ['order-1: ○ open   10.5 TON', 'order-2: ○ open   3 TON'].map((row) => row.replace('○', '●○○○○')),
    );
    await workbench.screenshot('webhooks first start dark');
    await workbench.messages.pressInNotification(/Made a test secret/, 'Copy Secret');
    let copied = '';
    for (const end = Date.now() + patience; !copied.startsWith('whsec_') && Date.now() < end;) {
      copied = await workbench.page.evaluate(() => navigator.clipboard.readText());
    }
    assert.match(copied, /^whsec_[0-9a-f]{48}$/);
    const body = Buffer.from('{"a": 1}');
    assert.equal((await post(body.toString(), { 'X-Pay-Signature': signBody(body, copied) })).status, 400);
    await view.row(/^event is missing|^the payload|malformed|event/).waitFor();
  });

  it('are all refused without a secret', async () => {
    await workbench.runCommand('TON: Webhook Secrets…');
    await workbench.quickInput.pick('Remove…');
    await workbench.quickInput.pick('test');
    await workbench.messages.dialog();
    await workbench.messages.pressInDialog('Remove');
    await view.row(/every delivery is refused: there is no secret/).waitFor();
    await workbench.screenshot('webhooks without secret dark');
    const answer = await post('{}', { 'X-Pay-Signature': signBody(Buffer.from('{}'), '') });
    assert.equal(answer.status, 401);
    await view.row(/signature: no secret is set/).waitFor();
    await view.row(/^other deliveries$/).waitFor();
  });

  it('keep a secret without showing it', async () => {
    await view.click(/every delivery is refused: there is no secret/);
    await workbench.quickInput.pick('Paste a secret');
    await workbench.quickInput.asks('Name of the Webhook Secret');
    await workbench.quickInput.fill('shop');
    await workbench.quickInput.asks('TON: Secret shop');
    assert.equal(await workbench.quickInput.input.getAttribute('type'), 'password');
    await workbench.quickInput.fill(secret);
    await workbench.quickInput.closed();
    await view.row(/every delivery is refused/).waitFor({ state: 'hidden' });
  });

  it('include a test webhook that pays an open order', async () => {
    await workbench.runCommand('TON: Send Test Webhook…');
    await workbench.quickInput.asks('TON: Send Test Webhook');
    await workbench.screenshot('webhooks scenarios dark');
    await workbench.quickInput.pick('success');
    await workbench.quickInput.pick("This window's listener");
    await workbench.quickInput.row('Send').waitFor();
    await workbench.screenshot('webhooks payload dark');
    await workbench.quickInput.pick('Send');
    await view.pane.locator('.label-description', { hasText: /^●●○○● paid {3}10.5 TON/ }).waitFor();
    await workbench.statusBar.item(/Webhooks \d+: 3/).waitFor();
    await view.toggle('order-1');
    await view.row(/success: completed 10.5 TON/).waitFor();
    const rows = await view.rows();
    assert.deepEqual(
      rows.slice(0, 7).map(({ label }) => label),
      ['order-1', 'open', 'delivered', 'on chain', 'application', 'paid', rows[6]?.label],
    );
    assert.match(rows[2]?.description ?? '', /^200 in/);
    assert.match(rows[3]?.description ?? '', /^not checked: click to check$/);
    assert.match(rows[6]?.description ?? '', / 200 in/);
    await workbench.screenshot('webhooks board order dark');
  });

  it('show signature, rules, payload, and headers below a delivery', async () => {
    await view.toggle(/completed 10.5 TON/);
    await view.row(/^signature$/).waitFor();
    const rows = await view.rows();
    assert.match(rows.find((row) => row.label === 'signature')?.description ?? '', /matches the secret shop/);
    assert.match(rows.find((row) => row.label === 'amount')?.description ?? '', /exactly as expected/);
    await view.toggle('payload');
    await view.row('rawAmount').waitFor();
    await workbench.screenshot('webhooks delivery rows dark');
    await view.toggle(/completed 10.5 TON/);
  });

  it('open as documents', async () => {
    await view.click(/completed 10.5 TON/);
    await workbench.editor.waitForTitle(/accepted order-1/);
    await lens(/Check against the chain$/).waitFor();
    await workbench.screenshot('webhooks delivery document dark');
    const text = await workbench.openDocumentText();
    assert.match(text, /^✓ Success: completed 10.5 TON/);
    assert.match(text, /matches the secret shop/);
    assert.match(text, /raw bytes/);
    assert.ok(!text.includes(secret));
  });

  it('can be edited and resent', async () => {
    await view.rowAction(/completed 10.5 TON/, 'Edit and Resend');
    await workbench.editor.waitForTitle(/Edit accepted order-1/);
    const edited = JSON.stringify(
      { ...samplePayload(), data: { ...samplePayload().data, reference: 'order-2' } },
      null,
      2,
    );
    await lens(/Send$/).waitFor();
    await workbench.screenshot('webhooks edit dark');
    await workbench.page.keyboard.press('ControlOrMeta+A');
    await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), edited);
    await workbench.page.keyboard.press('ControlOrMeta+V');
    await lens(/Send$/).click();
    await view.pane
      .locator('.label-description', { hasText: /^●●○○✗ not paid: the amount is 10.5 TON/ })
      .waitFor();
    await lens(/^answered 200 in/).waitFor();
    await workbench.screenshot('webhooks edited dark');
    await lens(/^Cancel$/).click();
    await workbench.editor.waitForTitle(/accepted order-1/);
  });

  it('say what is wrong with a forged delivery', async () => {
    const body = JSON.stringify(samplePayload());
    const signature = signBody(Buffer.from(body), secret);
    const pretty = JSON.stringify(JSON.parse(body), null, 2);
    assert.equal((await post(pretty, { 'X-TonPay-Signature': signature })).status, 401);
    await view.row(/^claims test-\w+, not verified: body was re-serialized/).waitFor();
  });

  it('check an endpoint rule by rule', async () => {
    const { port } = receiver.address() as AddressInfo;
    await workbench.runCommand('TON: Check My Webhook Endpoint…');
    await workbench.quickInput.fill(`http://127.0.0.1:${port}/pay`);
    await workbench.quickInput.pick('A sample payment');
    await workbench.editor.waitForTitle(/check 127.0.0.1/);
    await lens(/Check again$/).waitFor();
    await workbench.screenshot('webhooks check dark');
    const text = await workbench.openDocumentText();
    assert.match(text, /^✗ .*\/pay breaks \d+ of 19 rules/);
    assert.match(text, /✗ verify the raw bytes: refuse re-serialized JSON with 401 +401 +200/);
    assert.match(text, /✗ answer an unexpected event with 400 +400 +500/);
    await workbench.runCommand(/Focus on Test Explorer View$/);
    const group = workbench.page.locator('.test-explorer .monaco-list-row', { hasText: /pay/ }).first();
    await group.locator('.monaco-tl-twistie').click();
    await workbench.page
      .locator('.test-explorer .monaco-list-row[aria-label*="Failed"]', { hasText: 'verify the raw bytes' })
      .waitFor();
    await workbench.screenshot('webhooks test explorer dark');
  });

  it('can be made from a transfer of the local network, and found on the chain', async () => {
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await deployJetton(`http://127.0.0.1:${localPort}/api/v2`);
    await workbench.showView('Webhooks');
    await workbench.runCommand('TON: Send Test Webhook…');
    await workbench.quickInput.pick('success');
    await workbench.quickInput.pick("This window's listener");
    await workbench.quickInput.pick('A transfer on the local network…');
    await workbench.quickInput.asks('A Transfer on the Local Network');
    await workbench.quickInput.row(/ TON$/).waitFor();
    await workbench.screenshot('webhooks local transfers dark');
    await workbench.quickInput.pick(/ TON$/);
    await workbench.quickInput.pick('reference');
    await workbench.quickInput.fill('from-the-chain');
    await workbench.quickInput.pick('Send');
    await view.click(/unknown order/);
    await workbench.editor.waitForTitle(/unknown-order/);
    await lens(/Check against the chain$/).click();
    await workbench.editor.waitForTitle(/chain unknown-order/);
    await lens(/On Local; switch…$/).waitFor();
    await workbench.screenshot('webhooks chain dark');
    const text = await workbench.openDocumentText();
    assert.match(
      text,
      /^✓ as recorded on Local: (?:10 fields equal, 0 different, 0 unknown|9 fields equal, 0 different)/,
    );
  });

  it('are debugged: the transaction that the payment names, with the others of its trace', async () => {
    await view.click(/unknown order/);
    await workbench.editor.waitForTitle(/unknown-order/);
    const debug = new DebugPane(workbench);
    await pressLens(lens(/Debug$/), debug.button('step-back'));
    await workbench.page.locator('.debug-call-stack .thread', { hasText: /^\d+ / }).first().waitFor();
    await workbench.screenshot('webhooks debug dark');
    await debug.stop();
    await workbench.showView('Webhooks');
  });

  it('are forwarded, with the answer beside them', async () => {
    const { port } = receiver.address() as AddressInfo;
    await workbench.runCommand('TON: Forward Webhooks…');
    await workbench.quickInput.pick('Verified deliveries');
    await workbench.quickInput.fill(`http://127.0.0.1:${port}/pay`);
    await workbench.quickInput.closed();
    await view.pane.locator('.pane-header .description', { hasText: '→ app' }).waitFor();
    await view.rowAction(/completed 10.5 TON/, 'Resend');
    await view.row(/repeat of order-1, nothing to do/).waitFor();
    await view.pane.locator('.label-description', { hasText: /app 200 in/ }).waitFor();
    await workbench.inBothThemes('webhooks forwarded');
  });
});
