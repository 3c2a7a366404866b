// Takes more than 20 s: the window is reloaded three times while payments are open.
import assert from 'node:assert/strict';
import { freePort } from '../support/freePort';
import { patience } from './support/patience';
import { pressLens } from './support/pressLens';
import type { TreeView } from './support/treeView';
import { forgetSecrets } from './support/windowPage';
import { openWorkbench } from './support/workbench';
import type { Workbench } from './support/workbench';

describe('the payment API in the editor', () => {
  let workbench: Workbench;
  let view: TreeView;
  let url: string;

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { localNetwork: await freePort(), webhooks: await freePort(), payments: port },
        'tonWorkbench.startWithWindow': { localNetwork: true },
      },
    });
    view = await workbench.showView('Local Network');
    for (const other of ['Contracts', 'Traces']) {
      await workbench.view(other).collapse();
    }
  });
  after(() => workbench?.close());

  const line = (text: RegExp): ReturnType<typeof workbench.page.locator> =>
    workbench.page.locator('.view-line').filter({ hasText: text }).first();
  const described = (pane: TreeView, text: RegExp): Promise<void> =>
    pane.pane.locator('.label-description', { hasText: text }).first().waitFor();

  /** What a shop is given, as the editor copies it. */
  const shopSettings = async (): Promise<{ env: string; key: string | undefined }> => {
    await workbench.page.evaluate(() => navigator.clipboard.writeText(''));
    await workbench.runCommand('TON: Copy Payment Settings…');
    assert.doesNotMatch(JSON.stringify(await workbench.quickInput.readItems()), /whsec_|test_/);
    await workbench.quickInput.pick(/All as \.env/);
    const copied = async (): Promise<string> => workbench.page.evaluate(() => navigator.clipboard.readText());
    for (const end = Date.now() + patience; !(await copied()).includes('TONPAY_') && Date.now() < end;);
    const env = await copied();
    return { env, key: /^TONPAY_API_KEY=(.+)$/m.exec(env)?.[1] };
  };

  it('starts from its row, and says what to do next', async () => {
    await view.row('Payment API').waitFor();
    await view.click('Payment API');
    await workbench.messages.waitForNotification(new RegExp(`payment API answers on ${url}`));
    await workbench.messages.clearNotifications();
    await view.row('No payments yet').waitFor();
    await workbench.screenshot('payments none dark');
  });

  it('gives a shop its URL, key, and secret, and shows no secret', async () => {
    const { env } = await shopSettings();
    assert.match(env, new RegExp(`^TONPAY_BASE_URL=${url}\n`));
    assert.match(env, /^TONPAY_API_KEY=test_.{20}/m);
    assert.match(env, /^WEBHOOK_SECRET=whsec_.{20}/m);
    assert.doesNotMatch(env, /TONPAY_WEBHOOK/);
    const wrong = { 'x-api-key': 'not this one' };
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${url}/api/merchant/v1/transfer?reference=x`, { headers });
    assert.deepEqual([(await ask({})).status, (await ask(wrong)).status], [404, 401]);
  });

  it('creates a payment with everything filled in, and refuses what cannot be paid as it is typed', async () => {
    await view.click('No payments yet');
    await workbench.quickInput.asks('TON: New Payment');
    await workbench.quickInput.type('2.0000000001');
    await workbench.page.getByText("The amount has more than the asset's 9 decimals.").waitFor();
    await workbench.quickInput.fill('2.5');
    await workbench.quickInput.pick('bob');
    await workbench.quickInput.fill('order 42');
    await line(/2\.5\sTON\sto\sbob:\swaiting\ssince/).waitFor();
    await view.row(/2\.5 TON to bob/).waitFor();
    await described(view, /^waiting since/);
    await workbench.screenshot('payment waiting dark');
  });

  it('leaves a payment open that was paid too little, and says why', async () => {
    const said = line(/not\spaid:\s2\.499999999\sTON\sarrived,\stoo\slittle/);
    await pressLens(workbench.editor.lens('Pay Too Little'), said);
    await described(view, /^not paid: 2\.499999999 TON arrived, too little/);
    await workbench.screenshot('payment too little dark');
  });

  it('settles a payment, and its webhook is an order of the board', async () => {
    await view.rowAction(/2\.5 TON to bob/, 'Pay');
    await described(view, /^paid [\d:]+, webhook 200 in/);
    await line(/✓\s2\.5\sTON\sto\sbob/).waitFor();
    const board = await workbench.showView('Webhooks');
    await workbench.messages.clearNotifications();
    await described(board, /^●●●○● paid {3}2.5 TON/);
    await workbench.screenshot('payment paid dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('payment paid light');
    await workbench.setPictureTheme('hcDark');
    await workbench.screenshot('payment paid high contrast');
    await workbench.setPictureTheme('dark');
  });

  it('opens the delivery and the trace of a payment', async () => {
    // They come by themselves, though the row's button took the focus while they were to be asked for.
    await workbench.editor.lens('Show Delivery').waitFor();
    await pressLens(workbench.editor.lens('Show Delivery'), line(/transfer\.completed/));
    await view.click(/2\.5 TON to bob/);
    await line(/✓\s2\.5\sTON\sto\sbob/).waitFor();
    const page = workbench.page.locator('iframe.webview').first();
    await pressLens(workbench.editor.lens('Show Trace'), page);
    await workbench.editor.webview().getByText('alice').first().waitFor();
    await workbench.screenshot('payment trace dark');
  });

  /** Opens the window again; its payments are in the view. */
  const reload = async (): Promise<void> => {
    await workbench.page.reload();
    await workbench.page.locator('.monaco-workbench').waitFor();
    view = await workbench.showView('Local Network');
    await view.row(/2\.5 TON to bob/).waitFor();
    await described(view, /^paid [\d:]+, webhook 200 in/);
  };

  it('is there again after the window was reloaded, with its payments and its key', async () => {
    const { key } = await shopSettings();
    await reload();
    assert.equal((await shopSettings()).key, key);
    assert.deepEqual(await workbench.messages.notifications(), []);
  });

  it('says so if the editor did not keep its secrets', async () => {
    await forgetSecrets(workbench.page);
    await reload();
    await workbench.messages.waitForNotification(
      /did not keep its webhook secrets: there is a new test secret/,
    );
    await workbench.messages.waitForNotification(/did not keep the API key of the payment API/);
    await workbench.screenshot('payments reloaded dark');
    await workbench.messages.clearNotifications();
  });

  it('leaves its orders on the board while it does not run, also after a reload', async () => {
    await workbench.runCommand('TON: Stop Payment API');
    await workbench.page.reload();
    await workbench.page.locator('.monaco-workbench').waitFor();
    const board = await workbench.showView('Webhooks');
    await described(board, /^●●●[●○]● paid {3}2.5 TON/);
    assert.equal(await board.row('other deliveries').count(), 0);
    await workbench.screenshot('payments orders after reload dark');
  });
});
