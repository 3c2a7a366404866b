// Takes more than 20 s: there are two windows: one is in Restricted Mode.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { closeServer } from '../unit/webhook/support/receiver';
import { signBody } from '../../src/toolkit/webhook/delivery/signature';
import { samplePayload } from '../../src/toolkit/webhook/payload/samplePayload';
import { freePort } from '../support/freePort';
import { attempt, patience } from './support/patience';
import type { TreeView } from './support/treeView';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

const first = 'whsec_list_first_0001';
const second = 'whsec_list_second_0002';

describe('the list of webhooks', () => {
  let workbench: Workbench;
  let view: TreeView;
  let url: string;

  const post = async (reference: string, secret = first): Promise<number> => {
    const payload = samplePayload();
    const body = JSON.stringify({ ...payload, data: { ...payload.data, reference } });
    const headers = {
      'Content-Type': 'application/json',
      'X-Pay-Signature': signBody(Buffer.from(body), secret),
    };
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/webhook`;
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { webhooks: port },
        'tonWorkbench.startWithWindow': { webhooks: true },
        'tonWorkbench.webhooks.allowedHosts': ['pay-test.example.com'],
      },
    });
  });
  after(async () => {
    await workbench?.close();
  });

  it('starts with the window, and warns that a tunnel is allowed', async () => {
    const item = workbench.statusBar.item(/Webhooks \d+: 0/);
    await item.waitFor();
    assert.match((await item.getAttribute('class')) ?? '', /warning-kind/);
    assert.match(
      (await item.locator('a').first().getAttribute('aria-label')) ?? '',
      /reachable from outside/,
    );
    const body = '{}';
    const tunnelled = await fetchAs('pay-test.example.com', url, body);
    assert.deepEqual([tunnelled, await fetchAs('other.example.com', url, body)], [401, 421]);
  });

  it('rotates a secret: both are accepted, or a refusal names the old one', async () => {
    view = await workbench.showView('Webhooks');
    for (const other of ['Contracts', 'Traces', 'Local Network']) {
      await workbench.view(other).collapse();
    }
    await workbench.runCommand('TON: Webhook Secrets…');
    await workbench.quickInput.pick('Add…');
    await workbench.quickInput.pick('Paste a secret');
    await workbench.quickInput.fill('shop');
    await workbench.quickInput.asks('TON: Secret shop');
    await workbench.quickInput.fill(first);
    await workbench.quickInput.closed();
    await workbench.runCommand('TON: Webhook Secrets…');
    await workbench.quickInput.pick('Remove…');
    await workbench.quickInput.pick('test');
    await workbench.messages.dialog();
    await workbench.messages.pressInDialog('Remove');
    await expectStatus(() => post('before'), 200);
    await workbench.runCommand('TON: Webhook Secrets…');
    await workbench.quickInput.pick('Replace…');
    await workbench.quickInput.asks('TON: Replace Webhook Secret');
    await workbench.quickInput.pick('shop');
    await workbench.quickInput.asks('TON: New Secret for shop');
    await workbench.quickInput.fill(second);
    await workbench.quickInput.pick('Accept both');
    await workbench.messages.waitForNotification(/kept as "shop \(old\)", and still accepted/);
    assert.deepEqual([await post('old'), await post('new', second)], [200, 200]);
    await view.row(/ref old/).waitFor();
    await view.toggle(/ref old/);
    await view.pane.locator('.label-description', { hasText: /matches the secret shop \(old\)/ }).waitFor();
    await view.toggle(/ref old/);
    await workbench.runCommand('TON: Webhook Secrets…');
    await workbench.quickInput.pick('Remove…');
    await workbench.quickInput.pick('shop (old)');
    await workbench.messages.dialog();
    await workbench.messages.pressInDialog('Remove');
    await expectStatus(() => post('removed'), 401);
    // The newest, however often that was tried.
    assert.equal(await post('fresh', second), 200);
  });

  it('copies a delivery as curl, without its secret', async () => {
    await view.contextMenu(/ref fresh/, 'Copy as curl');
    let copied = '';
    for (const end = Date.now() + patience; !copied.startsWith('curl') && Date.now() < end;) {
      copied = await workbench.page.evaluate(() => navigator.clipboard.readText());
    }
    assert.match(copied, /^curl /);
    assert.ok(copied.includes(url) && copied.includes('X-Pay-Signature') && !copied.includes(second));
  });

  it('resends a delivery to another server, byte for byte', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          bodies.push(Buffer.concat(chunks).toString());
          response.writeHead(202).end();
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await view.contextMenu(/ref fresh/, 'Resend to…');
    await workbench.quickInput.shown();
    await workbench.quickInput.fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mine`);
    await workbench.messages.waitForNotification(/202/);
    assert.equal((JSON.parse(bodies[0] ?? '') as { data: { reference: string } }).data.reference, 'fresh');
    await closeServer(server);
  });

  it('sends retries with shortened waits, and can be canceled during real ones', async () => {
    let attempts = 0;
    const server = createServer((request, response) => {
      attempts += 1;
      request.resume().on('end', () => response.writeHead(500).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mine`;
    const send = async (): Promise<void> => {
      await workbench.runCommand('TON: Send Test Webhook…');
      await workbench.quickInput.pick('success');
      await workbench.quickInput.fill(own);
      await workbench.quickInput.row('Send').waitFor();
    };
    await send();
    await workbench.quickInput.type('Waits');
    await workbench.quickInput.pick('Waits between attempts');
    await workbench.quickInput.row('Send').waitFor();
    const started = Date.now();
    await workbench.quickInput.pick('Send');
    await workbench.messages.pressInNotification(/4 attempts/, 'Show Attempts');
    assert.ok(Date.now() - started < attempt(15_000), 'the waits of 21 s were compressed');
    await workbench.editor.waitForTitle(/test success/);
    await workbench.screenshot('webhooks attempts dark');
    assert.equal(attempts, 4);
    await workbench.messages.clearNotifications();
    await send();
    await workbench.quickInput.pick('Send');
    await workbench.messages.pressInNotification(/Webhook "success"/, 'Cancel');
    await workbench.messages.notification(/Webhook "success"/).waitFor({ state: 'hidden' });
    assert.ok(attempts < 8, `${attempts} attempts, although it was canceled`);
    await closeServer(server);
  });

  it('shows 200 deliveries at a time, searches all of them, and filters by verdict', async () => {
    for (let n = 0; n < 210; n++) {
      await post(`bulk-${n}`, second);
    }
    await post('forged', 'whsec_of_a_stranger');
    await workbench.statusBar.item(/Webhooks \d+: [2-9]\d\d/).waitFor();
    await workbench.runCommand('TON: Search Deliveries…');
    await workbench.quickInput.fill('bulk-7');
    await view.pane.locator('.message', { hasText: /"bulk-7" \(11 of [2-9]\d\d\)/ }).waitFor();
    assert.equal((await view.rows()).length, 11);
    await workbench.runCommand('TON: Filter Deliveries…');
    await workbench.quickInput.type('bad-signature');
    await workbench.page.locator('.quick-input-list .monaco-list-row').first().click();
    await workbench.quickInput.accept();
    await workbench.quickInput.closed();
    assert.match(await view.welcomeText(), /No deliveries match the filter/);
    await workbench.screenshot('webhooks nothing fits dark');
    await view.pane.locator('.monaco-button', { hasText: 'Show All Deliveries' }).click();
    await view.row(/ref bulk-209/).waitFor();
    await view.pane
      .locator('.monaco-list')
      .first()
      .click({ position: { x: 60, y: 12 } });
    await workbench.page.keyboard.press('End');
    await view.row(/^\d+ older$/).waitFor();
    await workbench.screenshot('webhooks older dark');
    await view.click(/^\d+ older$/);
    await view.row(/^\d+ older$/).waitFor({ state: 'hidden' });
  });

  it('exports what the view shows, and deletes everything on request', async () => {
    await workbench.runCommand('TON: Search Deliveries…');
    await workbench.quickInput.fill('bulk-20');
    await view.pane.locator('.message', { hasText: /"bulk-20" \(11 of/ }).waitFor();
    await workbench.runCommand('TON: Export Deliveries…');
    const file = path.join(workbench.folder, 'deliveries.jsonl');
    await workbench.page.waitForFunction(
      (wanted) => document.querySelector<HTMLInputElement>('.quick-input-box input')?.value === wanted,
      file,
    );
    await workbench.quickInput.accept();
    await workbench.messages.waitForNotification(/11 deliveries exported/);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    assert.equal(lines.length, 11);
    assert.ok(lines.every((line) => line.includes('bulk-20') && !line.includes(second)));
    await workbench.runCommand('TON: Show All Deliveries');
    await workbench.runCommand('TON: Clear Deliveries…');
    assert.match((await workbench.messages.dialog()).message, /Delete all [2-9]\d\d deliveries\?/);
    await workbench.messages.pressInDialog('Delete');
    await workbench.statusBar.item(/Webhooks \d+: 0/).waitFor();
    assert.match(await view.welcomeText(), /Nothing has arrived yet/);
  });
});

describe('webhooks in Restricted Mode', () => {
  let workbench: Workbench;
  after(async () => {
    await workbench?.close();
  });

  it('verify and keep deliveries, and say that the orders file of an untrusted workspace is not read', async () => {
    const port = await freePort();
    workbench = await openWorkbench({ trust: false, settings: { 'tonWorkbench.ports': { webhooks: port } } });
    await workbench.stayRestricted();
    // Whoever wrote it could have declared any payment as expected.
    await writeFile(path.join(workbench.folder, 'webhook-orders.json'), JSON.stringify({ orders: [] }));
    const view = await workbench.showView('Webhooks');
    await workbench.runCommand('TON: Start Webhook Listener');
    await workbench.statusBar.item(/Webhooks \d+: 0/).waitFor();
    await workbench.runCommand('TON: Webhook Secrets…');
    await workbench.quickInput.pick('Add…');
    await workbench.quickInput.pick('Paste a secret');
    await workbench.quickInput.fill('shop');
    await workbench.quickInput.asks('TON: Secret shop');
    await workbench.quickInput.fill(first);
    await workbench.quickInput.closed();
    const body = JSON.stringify(samplePayload());
    const send = async (): Promise<number> => {
      const headers = { 'X-Pay-Signature': signBody(Buffer.from(body), first) };
      return (await fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', body, headers })).status;
    };
    await expectStatus(send, 200);
    await view.row(/completed 10.5 TON/).waitFor();
    await view.row('orders file is not read').waitFor();
    await workbench.screenshot('webhooks restricted dark');
    assert.match((await view.rows())[0]?.description ?? '', /Restricted Mode/);
  });
});

/** Sends under another host name, as a tunnel does. */
async function fetchAs(host: string, url: string, body: string): Promise<number> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end(body);
  });
}

async function expectStatus(send: () => Promise<number>, wanted: number): Promise<void> {
  let status = await send();
  for (const end = Date.now() + patience; status !== wanted && Date.now() < end;) {
    status = await send();
  }
  assert.equal(status, wanted);
}
