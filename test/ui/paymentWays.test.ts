// Takes more than 20 s: eight payments are followed until their webhooks arrive, and one window is in Restricted Mode.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { freePort } from '../support/freePort';
import { deployJetton } from '../support/jetton';
import type { TreeView } from './support/treeView';
import { openWorkbench } from './support/workbench';
import type { Workbench, WorkbenchOptions } from './support/workbench';

const orders = { orders: [{ reference: 'order-in-file', amount: '3', asset: 'TON' }] };

/** A window in a folder with an orders file, with the payment API running in it. */
async function openPayments(
  options: WorkbenchOptions,
  files: Record<string, object> = {},
): Promise<{ workbench: Workbench; network: string; url: string; view: TreeView }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-payment-ways-'));
  for (const [name, content] of Object.entries({ 'webhook-orders.json': orders, ...files })) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), JSON.stringify(content));
  }
  const [networkPort, port] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const workbench = await openWorkbench({
    ...options,
    folder,
    settings: {
      'tonWorkbench.ports': { localNetwork: networkPort, webhooks: await freePort(), payments: port },
    },
  });
  await rm(folder, { recursive: true });
  if (options.trust === false) {
    await workbench.stayRestricted();
  }
  const view = await workbench.showView('Local Network');
  for (const other of ['Contracts', 'Traces']) {
    await workbench.view(other).collapse();
  }
  await workbench.runCommand('TON: Start Payment API');
  await workbench.messages.waitForNotification(new RegExp(`payment API answers on ${url}`));
  await workbench.messages.clearNotifications();
  return { workbench, network: `http://127.0.0.1:${networkPort}`, url, view };
}

/** Creates a payment as a shop does. */
async function create(url: string, amount: number): Promise<{ reference: string }> {
  const answer = await fetch(`${url}/api/merchant/v1/create-transfer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ amount, asset: 'TON' },
      senderAddr: namedAccounts[0]?.address,
      recipientAddr: namedAccounts[1]?.address,
    }),
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as { reference: string };
}

const described = (pane: TreeView, row: RegExp, text: RegExp): Promise<void> =>
  pane.row(row).locator('.label-description', { hasText: text }).waitFor();

describe('every way in which a payment can go, by hand', () => {
  let workbench: Workbench;
  let view: TreeView;
  let url: string;
  let network: string;

  before(async () => {
    ({ workbench, view, url, network } = await openPayments({}));
  });
  after(() => workbench?.close());

  const pay = async (row: RegExp, way: string): Promise<void> => {
    await view.contextMenu(row, 'Pay Another Way…');
    await workbench.quickInput.asks('TON: Pay Another Way');
    await workbench.quickInput.pick(way);
  };
  const line = (text: RegExp): Promise<void> =>
    workbench.page.locator('.view-line').filter({ hasText: text }).first().waitFor();

  it('holds a webhook back, and says until when', async () => {
    await create(url, 1.1);
    await view.row(/1\.1 TON to bob/).waitFor();
    await pay(/1\.1 TON to bob/, 'Pay, Webhook Late');
    await described(view, /1\.1 TON to bob/, /^paid [\d:]+, webhook held back until [\d:]+$/);
  });

  it('sends no webhook on purpose', async () => {
    await create(url, 1.2);
    await view.row(/1\.2 TON to bob/).waitFor();
    await pay(/1\.2 TON to bob/, 'Pay, No Webhook');
    await described(view, /1\.2 TON to bob/, /^paid [\d:]+, no webhook, on purpose$/);
  });

  it('pays twice, and delivers once', async () => {
    await create(url, 1.3);
    await view.row(/1\.3 TON to bob/).waitFor();
    await pay(/1\.3 TON to bob/, 'Pay Twice');
    await described(view, /1\.3 TON to bob/, /^paid [\d:]+, paid again with 1\.3 TON, webhook 200 in/);
    await view.click(/1\.3 TON to bob/);
    await line(/paid\sagain\swith\s1\.3\sTON,\salthough/);
  });

  it('lets a payment bounce, which can be paid afterwards', async () => {
    await create(url, 1.4);
    await view.row(/1\.4 TON to bob/).waitFor();
    await pay(/1\.4 TON to bob/, 'Pay with Bounce');
    await described(view, /1\.4 TON to bob/, /^not paid: the payment bounced [\d:]+$/);
    await workbench.screenshot('payment ways bounced dark');
    await pay(/1\.4 TON to bob/, 'Pay');
    await described(view, /1\.4 TON to bob/, /^paid [\d:]+, webhook 200 in/);
  });

  it('keeps a payment open that was paid too little', async () => {
    await create(url, 1.6);
    await view.row(/1\.6 TON to bob/).waitFor();
    await pay(/1\.6 TON to bob/, 'Pay Too Little');
    await described(view, /1\.6 TON to bob/, /^not paid: 1\.599999999 TON arrived, too little/);
  });

  it('takes a payment in a jetton of the network', async () => {
    await deployJetton(`${network}/api/v2`);
    await workbench.runCommand('TON: New Payment…');
    await workbench.quickInput.asks('TON: New Payment');
    await workbench.quickInput.pick(/jetton/i);
    await workbench.quickInput.asks('TON: New Payment');
    await workbench.quickInput.fill('0.0000005');
    await workbench.quickInput.pick('bob');
    await workbench.quickInput.fill('a jetton');
    await view.row(/0\.0000005 .* to bob/).waitFor();
    await described(view, /0\.0000005 .* to bob/, /^waiting since/);
    await pay(/0\.0000005 .* to bob/, 'Pay Too Little');
    await described(view, /0\.0000005 .* to bob/, /^not paid: 0\.000000499 .* arrived, too little/);
    await pay(/0\.0000005 .* to bob/, 'Pay');
    await described(view, /0\.0000005 .* to bob/, /^paid [\d:]+, webhook 200 in/);
    await workbench.screenshot('payment ways jetton dark');
  });

  it('shows them as orders beside those of the file', async () => {
    const board = await workbench.showView('Webhooks');
    await workbench.view('Local Network').collapse();
    await described(board, /order-in-file/, /^●○○○○ open {3}3 TON/);
    for (const amount of ['1.1', '1.4', '0.0000005']) {
      await board.pane
        .locator('.label-description', {
          hasText: new RegExp(`●●●○● paid {3}${amount.replace('.', '\\.')} `),
        })
        .waitFor();
    }
    // What no webhook tells is the same as in the payment's own row.
    const short = /●○○○✗ not paid: 1\.599999999 TON arrived, too little [\d:]+ {3}1\.6 TON/;
    await board.pane.locator('.label-description', { hasText: short }).waitFor();
    await board.pane
      .locator('.label-description', { hasText: /paid, but paid again with 1\.3 TON/ })
      .waitFor();
    // The file's orders and the payments: nothing that was paid is unknown.
    assert.deepEqual(
      (await board.rows()).filter(({ label }) => /other deliveries/.test(label)),
      [],
    );
    await workbench.screenshot('payment ways board dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('payment ways board light');
    await workbench.setPictureTheme('dark');
  });

  it('says that a shop needs another secret, once it signs with another', async () => {
    await workbench.runCommand('TON: Webhook Secrets…');
    await workbench.quickInput.pick('Remove…');
    await workbench.quickInput.pick(/^(test|payments)/);
    await workbench.messages.pressInDialog('Remove');
    await workbench.messages.waitForNotification(/signed with a new secret now. Give it to your shop/);
    await workbench.screenshot('payment ways secret dark');
    await workbench.messages.clearNotifications();
  });

  it('delivers the late webhook in the end', async () => {
    await workbench.view('Webhooks').collapse();
    view = await workbench.showView('Local Network');
    await described(view, /1\.1 TON to bob/, /^paid [\d:]+, webhook 200 in/);
    await described(view, /1\.2 TON to bob/, /no webhook, on purpose$/);
    await workbench.screenshot('payment ways all dark');
  });

  describe("whose webhooks go to this window's listener, which expects another service", () => {
    it('say why they are refused, and are delivered once the listener expects them', async () => {
      await workbench.changeSettings({ 'tonWorkbench.webhooks.service': 'tonapi' });
      const warning = /this window's listener, which expects TONAPI webhooks: it refuses them/;
      await workbench.messages.waitForNotification(warning);
      await create(url, 3.1);
      await view.row(/3\.1 TON to bob/).waitFor();
      await view.rowAction(/3\.1 TON to bob/, 'Pay');
      const because = 'because the listener expects TONAPI webhooks';
      const refused = new RegExp(`webhook answered 401 \\(.*\\), ${because}; next attempt at [\\d:]+$`);
      await described(view, /3\.1 TON to bob/, refused);
      await view
        .row(/3\.1 TON to bob/)
        .locator('.codicon-warning')
        .waitFor();
      await workbench.screenshot('payment refused by the listener dark');
      await workbench.messages.pressInNotification(warning, 'Expect TON Pay');
      await described(view, /3\.1 TON to bob/, /^paid [\d:]+, webhook 200 in/);
      await view.click(/3\.1 TON to bob/);
      await workbench.page
        .locator('.view-line')
        .filter({ hasText: new RegExp(because.replaceAll(' ', '\\s')) })
        .first()
        .waitFor();
    });

    it('say so when the payment API starts', async () => {
      await workbench.runCommand('TON: Stop Payment API');
      await view.row('Payment API').locator('.label-description', { hasText: 'not running' }).waitFor();
      await workbench.changeSettings({ 'tonWorkbench.webhooks.service': 'bicycle' });
      await workbench.messages.clearNotifications();
      await workbench.runCommand('TON: Start Payment API');
      await workbench.messages.waitForNotification(/which expects Bicycle webhooks: it refuses them/);
      await workbench.screenshot('payments unfit listener dark');
    });
  });
});

describe('payments in Restricted Mode', () => {
  let workbench: Workbench;
  let view: TreeView;
  let url: string;

  before(async () => {
    // Whoever wrote the folder could send the webhooks elsewhere.
    const elsewhere = { 'tonWorkbench.payments.webhookUrl': 'https://elsewhere.invalid/webhook' };
    ({ workbench, view, url } = await openPayments({ trust: false }, { '.vscode/settings.json': elsewhere }));
  });
  after(() => workbench?.close());

  it('are paid, and delivered to this window only; the orders file is not read, and that is said', async () => {
    await create(url, 2.1);
    await view.row(/2\.1 TON to bob/).waitFor();
    await view.rowAction(/2\.1 TON to bob/, 'Pay');
    await described(view, /2\.1 TON to bob/, /^paid [\d:]+, webhook 200 in/);
    const board = await workbench.showView('Webhooks');
    await board.row('orders file is not read').waitFor();
    await workbench.screenshot('payments restricted dark');
    const rows = (await board.rows()).map(({ label }) => label);
    assert.ok(!rows.includes('order-in-file'), rows.join());
  });

  it('have a receiver made, but nothing of the folder is run', async () => {
    await workbench.messages.clearNotifications();
    await workbench.runCommand('TON: New Webhook Receiver…');
    await workbench.quickInput.pick('TON Pay');
    await workbench.quickInput.pick('Fastify');
    await workbench.quickInput.asks('(3/3)');
    await workbench.quickInput.fill('webhook-receiver.mjs');
    const toast = workbench.messages.notification(
      /This window is not trusted, so nothing of its folder is run/,
    );
    await toast.waitFor();
    assert.deepEqual(await toast.locator('.monaco-button').allInnerTexts(), ['Check']);
    await workbench.screenshot('payments restricted receiver dark');
  });
});
