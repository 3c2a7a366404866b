import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { signBody } from '../../src/toolkit/webhook/delivery/signature';
import { samplePayload, withFields } from '../../src/toolkit/webhook/payload/samplePayload';
import { freePort } from '../support/freePort';
import { closeServer } from '../unit/webhook/support/receiver';
import type { TreeView } from './support/treeView';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

const titles = ['Local Network', 'Contracts', 'Traces', 'Webhooks'];

/** Pixels of a row, and rows that are of use. */
const rowHeight = 22;
const fewestRows = 5;

describe('the view of webhooks', () => {
  let workbench: Workbench;
  let view: TreeView;
  let url: string;
  /** The developer's own server, which takes a delivery at the second attempt. */
  let server: Server;
  let asked = 0;

  const post = async (body: string, key: string): Promise<number> => {
    const headers = { 'X-Pay-Signature': signBody(Buffer.from(body), key) };
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };
  const described = (text: RegExp): Promise<void> =>
    view.pane.locator('.label-description', { hasText: text }).first().waitFor();

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/webhook`;
    server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead((asked += 1) === 1 ? 500 : 200).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { webhooks: port, localNetwork: await freePort() },
      },
    });
    const orders = [{ reference: 'order-3', amount: '7', asset: 'TON' }];
    await writeFile(path.join(workbench.folder, 'webhook-orders.json'), JSON.stringify({ orders }, null, 2));
  });
  after(async () => {
    await workbench?.close();
    await closeServer(server);
  });

  it('comes to the front when its listener starts, and no view leaves another less than five rows', async () => {
    await workbench.showView('Local Network');
    view = workbench.view('Webhooks');
    await view.pane.locator('.pane-header[aria-expanded=false]').waitFor();
    await workbench.runCommand('TON: Start Webhook Listener');
    await view.row('order-3').waitFor();
    for (const title of titles) {
      const { pane } = await workbench.showView(title);
      const body = await pane.locator('.pane-body').boundingBox();
      assert.ok((body?.height ?? 0) >= fewestRows * rowHeight, `${title}: ${body?.height} pixels`);
    }
    await workbench.screenshot('webhooks four views dark');
  });

  it('has a refused delivery inside the order that it claims, with the reason on its row', async () => {
    await workbench.messages.clearNotifications();
    for (const title of titles.slice(0, 3)) {
      await workbench.view(title).collapse();
    }
    const payload = withFields(samplePayload(), { reference: 'order-3', amount: '7' });
    assert.equal(await post(JSON.stringify(payload), 'whsec_of_a_stranger'), 401);
    await described(/^●✗○○○ no secret matches, answered 401 {3}1 refused {3}7 TON/);
    await view.row('order-3').locator('.codicon-warning').waitFor();
    await view.expand('order-3');
    await view.row(/^claims order-3, not verified: no secret matches$/).waitFor();
    await workbench.screenshot('webhooks refused order dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('webhooks refused order light');
    await workbench.setPictureTheme('dark');
    // One step to the whole story.
    await view.click('delivered');
    await workbench.editor.waitForTitle(/bad-signature/);
  });

  it("keeps a test of the developer's own server as a row with its attempts", async () => {
    const { port } = server.address() as AddressInfo;
    await workbench.runCommand('TON: Send Test Webhook…');
    await workbench.quickInput.pick('success');
    await workbench.quickInput.fill(`http://127.0.0.1:${port}/hook`);
    await workbench.quickInput.row('Send').waitFor();
    await workbench.quickInput.pick('Send');
    const row = /^success: failed once \(500\), then answered 200 in/;
    await view.row(row).waitFor();
    await view.row(row).locator('.codicon-warning').waitFor();
    await view.row('tests of your server').waitFor();
    await view.expand(row);
    await view.row('attempt 1').locator('.codicon-error').waitFor();
    await view.row('attempt 2').locator('.codicon-pass').waitFor();
    await workbench.messages.pressInNotification(/failed once/, 'Show Attempts');
    await workbench.editor.waitForTitle(/test success/);
    await workbench.screenshot('webhooks own server dark');
  });
});
