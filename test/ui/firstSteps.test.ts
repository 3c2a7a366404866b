// Takes more than 20 s: one window goes through the first steps, each done as the walkthrough says.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { freePort } from '../support/freePort';
import { pressLens } from './support/pressLens';
import type { Workbench } from './support/workbench';
import { DebugPane } from './support/debugPane';
import { openWorkbench, takesPictures } from './support/workbench';

const steps = ['localNetwork', 'deploy', 'call', 'send', 'debug', 'wallet', 'webhooks'];

/** What a user sees who has never used the extension. */
describe('the first steps', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { localNetwork: await freePort(), webhooks: await freePort() },
      },
      theme: 'light',
    });
  });
  after(() => workbench?.close());

  const openWalkthrough = async (): Promise<void> => {
    await workbench.runCommand('TON: Get Started');
    await step('localNetwork').waitFor();
  };
  const step = (id: string): Locator =>
    workbench.page.locator(`button.getting-started-step[data-step-id$="#${id}"]`);
  const ticked = (id: string): Locator => step(id).locator('.codicon-getting-started-step-checked');

  it('start with the local network, and say in sentences what the other views are for', async () => {
    const { pane } = await workbench.showView('Local Network');
    const panes = workbench.page.locator('.sidebar .pane-header h3.title');
    assert.deepEqual(await panes.allTextContents(), ['Local Network', 'Contracts', 'Traces', 'Webhooks']);
    assert.ok(((await pane.boundingBox())?.width ?? 0) <= 300);
    const welcomes = workbench.page.locator('.sidebar .welcome-view-content');
    await welcomes.nth(2).waitFor();
    assert.equal(await workbench.page.locator('.sidebar .monaco-button:visible').count(), 1);
    const clipped = await workbench.page
      .locator('.sidebar .welcome-view-content, .sidebar .welcome-view-content *')
      .evaluateAll((all) =>
        all
          .filter(
            (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline',
          )
          .map((one) => one.textContent),
      );
    assert.deepEqual(clipped, []);
    await workbench.screenshot('first view light');
    await workbench.setPictureTheme('dark');
    await workbench.screenshot('first view dark');
    await workbench.setPictureTheme('light');
  });

  it('show all ten wallets', async () => {
    const view = workbench.view('Local Network');
    await view.pane.locator('.monaco-button', { hasText: 'Start Local Network' }).click();
    // Loading the emulator takes a while on a busy machine.
    await view.row('alice').waitFor();
    await view.row('judy').waitFor();
    const [body, row] = await Promise.all([
      view.pane.locator('.pane-body').boundingBox(),
      view.row('judy').boundingBox(),
    ]);
    assert.ok(body !== null && row !== null && row.y + row.height <= body.y + body.height);
    await workbench.screenshot('first wallets light');
  });

  it("check off the walkthrough's first step when the network runs, and have a picture for each", async () => {
    await openWalkthrough();
    await ticked('localNetwork').waitFor();
    for (const id of steps.slice(1)) {
      assert.equal(await ticked(id).count(), 0, id);
    }
    for (const theme of takesPictures ? (['light', 'dark', 'hcDark'] as const) : (['light'] as const)) {
      await workbench.setPictureTheme(theme);
      for (const id of steps) {
        await step(id).click();
        const picture = workbench.page
          .frameLocator('.getting-started-media iframe')
          .frameLocator('iframe#active-frame')
          .locator('svg');
        await picture.waitFor();
        // The frame of the step before may still be the one that is found.
        while (((await picture.boundingBox())?.width ?? 0) <= 100) {
          await workbench.page.waitForTimeout(20);
        }
        await workbench.screenshot(`walkthrough ${id} ${theme}`, async () => {
          await workbench.page.waitForTimeout(300);
          return workbench.page.screenshot();
        });
      }
    }
    await workbench.setPictureTheme('light');
  });

  it('check off each other step when it is done', async () => {
    await workbench.runCommand('TON: Deploy Contract…');
    await workbench.quickInput.pick('Counter.compiled.json');
    await workbench.quickInput.asks('TON: Deploy Counter');
    await workbench.quickInput.fillForm({ owner: 'alice', value: '7' });
    await workbench.quickInput.accept();
    const contracts = workbench.view('Contracts');
    // The first answer has arrived, so the row is not redrawn while it is clicked.
    await contracts.row('currentCounter()').getByText('7').waitFor();
    await contracts.click('currentCounter()');
    await workbench.editor.waitForTitle(/currentCounter on/);
    await workbench.runCommand('TON: Compose Message…');
    await workbench.quickInput.asks('TON: Compose Message');
    await workbench.quickInput.type('send Counter Increase {queryId: 0, by: 5} 0.1ton from alice');
    await workbench.quickInput.pick('Compose this message');
    await workbench
      .view('Traces')
      .row(/Counter/)
      .waitFor();
    await contracts.click('currentCounter()');
    await workbench.editor.waitForTitle(/currentCounter on/);
    const debug = new DebugPane(workbench);
    const lens = workbench.page.locator('.codelens-decoration :is(a, span):visible', { hasText: /Debug$/ });
    await pressLens(lens.first(), debug.button('step-back'));
    await debug.stop();
    await workbench.runCommand('TON: Start Test Wallet');
    await workbench.runCommand('TON: Start Webhook Listener');
    await openWalkthrough();
    for (const id of steps) {
      await ticked(id).waitFor();
    }
  });

  it("show a contract's new name in the other views at once", async () => {
    const contracts = await workbench.showView('Contracts');
    await contracts.contextMenu('Counter', 'Rename…');
    await workbench.quickInput.asks('TON: Name of the Contract');
    await workbench.quickInput.fill('Till');
    const showsName = async (view: string): Promise<void> => {
      await workbench.view(view).row('Till').waitFor();
      await workbench
        .view(view)
        .row(/^Counter$/)
        .waitFor({ state: 'hidden' });
    };
    await Promise.all(['Contracts', 'Local Network'].map(showsName));
    await workbench
      .view('Traces')
      .pane.getByText(/→ Till/)
      .first()
      .waitFor();
  });
});
