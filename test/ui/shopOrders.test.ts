// Takes more than 20 s: two shops are checked with payments on the local network.
import assert from 'node:assert/strict';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { freePort } from '../support/freePort';
import { startNaiveShop } from '../support/naiveShop';
import { startNaiveTonapiShop } from '../support/naiveTonapiShop';
import type { TestShop } from '../support/testShop';
import { openWorkbench } from './support/workbench';
import type { Workbench } from './support/workbench';

const secret = 'whsec_ui_shop_orders_0001';
const title = 'TON: Check My Webhook Endpoint';

describe('the check of a shop that tells of its orders', () => {
  let workbench: Workbench;
  let shop: TestShop;
  let tonapiShop: TestShop;

  before(async () => {
    const port = await freePort();
    const v3 = `http://127.0.0.1:${port}/api/v3`;
    const recipient = namedAccounts[0]?.address ?? '';
    shop = await startNaiveShop(['status', 'repeats'], { secret, v3, recipient });
    tonapiShop = await startNaiveTonapiShop(['toldAccount'], { token: secret, v3, recipient });
    workbench = await openWorkbench({ settings: { 'tonWorkbench.ports': { localNetwork: port } } });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await workbench.runCommand('TON: Webhook Secrets…');
    await workbench.quickInput.pick('Add…');
    await workbench.quickInput.pick('Paste a secret');
    await workbench.quickInput.fill('shop');
    await workbench.quickInput.asks('TON: Secret shop');
    await workbench.quickInput.fill(secret);
    await workbench.quickInput.closed();
  });
  after(async () => {
    await workbench?.close();
    await shop?.close();
    await tonapiShop?.close();
  });

  const begin = async ({ url }: TestShop = shop): Promise<void> => {
    await workbench.runCommand('TON: Check My Webhook Endpoint…');
    await workbench.quickInput.asks(title);
    await workbench.quickInput.fill(url.href);
    await workbench.quickInput.row('A sample payment').waitFor();
  };

  /** Resolves once the box asks for the URL of the orders, and has the one given before. */
  const untilRemembered = async (): Promise<void> => {
    // The list's own field is there until the box comes.
    await workbench.page.waitForFunction(
      (url) =>
        document.querySelector<HTMLInputElement>('.quick-input-widget input[type=text]')?.value === url,
      shop.ordersUrl.href,
    );
  };

  it('warns before it names an order, and sends nothing then', async () => {
    await begin();
    await workbench.quickInput.pick('An open order…');
    await workbench.quickInput.fill('order-7');
    const dialog = await workbench.messages.dialog();
    assert.equal(dialog.message, 'Check with the order order-7?');
    assert.match(dialog.detail, /marks the order as paid/);
    await workbench.screenshot('webhook check warning dark');
    await workbench.messages.pressInDialog('Cancel');
    assert.deepEqual(
      (await workbench.editor.titles()).filter((one) => one.startsWith('check ')),
      [],
    );
  });

  it('pays test orders on the local network, and names what the shop does wrong with them', async () => {
    await begin();
    await workbench.quickInput.pick(/my shop's test orders/);
    await workbench.quickInput.type('nowhere');
    assert.notEqual(await workbench.quickInput.errorText(), '');
    await workbench.quickInput.fill(shop.ordersUrl.href);
    await workbench.editor.waitForTitle(/check 127.0.0.1/);
    const text = await workbench.openDocumentText();
    assert.match(text, /✓ mark an order as paid once its payment is on the chain [^\n]* orders-paid\n/);
    assert.match(text, /✗ count a payment once, however often [^\n]* paid \d times [^\n]* orders-once\n/);
    assert.match(text, /✗ check the status: [^\n]* orders-status\n/);
    assert.match(text, /✓ compare integers[^\n]* orders-amount\n/);
    assert.match(text, /✓ check the chain: [^\n]* orders-chain\n/);
    assert.match(text.replaceAll(/\s+/g, ' '), /What your shop does with its orders was seen at http/);
    await workbench.inBothThemes('webhook check orders');
  });

  it('remembers the URL', async () => {
    await begin();
    await workbench.quickInput.pick(/my shop's test orders/);
    await untilRemembered();
    await workbench.screenshot('webhook check orders url dark');
    await workbench.quickInput.cancel();
  });

  it('pays them for the notifications of TONAPI, too, and names a shop that does not look who was paid', async () => {
    await begin(tonapiShop);
    await workbench.quickInput.pick('Deliveries of another service…');
    await workbench.quickInput.pick('TONAPI');
    await workbench.quickInput.pick(/my shop's test orders/);
    await untilRemembered();
    await workbench.quickInput.fill(tonapiShop.ordersUrl.href);
    await workbench.editor.waitForTitle(`check ${tonapiShop.url.host}`);
    const text = await workbench.openDocumentText();
    assert.match(text, /^✗ [^\n]* breaks 1 of \d+ rules\n/);
    assert.match(text, /✓ check that the coins stayed: [^\n]* orders-status\n/);
    assert.match(text, /✓ check the chain: [^\n]* orders-chain\n/);
    assert.match(text, /✗ check the recipient: [^\n]* orders-account\n/);
  });
});
