import assert from 'node:assert/strict';
import { freePort } from '../support/freePort';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

describe('the local network in the editor', function () {
  this.timeout(120_000);
  let workbench: Workbench;

  before(async () => {
    const port = await freePort();
    workbench = await openWorkbench({ settings: { 'tonWorkbench.localNetwork.port': port } });
  });
  afterEach(async function () {
    if (this.currentTest?.isFailed()) {
      await workbench.keepEvidence(this.currentTest.title);
    }
  });
  after(() => workbench?.close());

  const balanceOf = (name: string, coins: string): Promise<void> =>
    workbench
      .view('Local Network')
      .pane.locator('.monaco-list-row', { hasText: name })
      .filter({ hasText: coins })
      .waitFor();

  it('says what it is before it runs, and starts from there', async () => {
    const view = await workbench.showView('Local Network');
    assert.match(await view.welcomeText(), /a real TVM, ten funded wallets/);
    await workbench.screenshot('local network empty dark');
    await view.pane.locator('.monaco-button', { hasText: 'Start the Local Network' }).click();
    await balanceOf('alice', '1 000 000 TON');
  });

  it('gives coins, remembers a state and goes back to it', async () => {
    await workbench.runCommand('TON: Take Snapshot…');
    await workbench.quickInput.fill('before');
    const view = workbench.view('Local Network');
    await view.rowAction('bob', 'Faucet');
    await workbench.quickInput.asks('TON: Faucet');
    await workbench.quickInput.fill('250.5');
    // The wallet pays for looking at the message.
    await balanceOf('bob', '1 000 250.499');
    await workbench.screenshot('local network faucet dark');
    await workbench.runCommand('TON: Restore Snapshot…');
    await workbench.quickInput.pick('before');
    const dialog = await workbench.messages.dialog();
    assert.match(dialog.detail, /lost/);
    await workbench.messages.pressInDialog('Go Back');
    await balanceOf('bob', '1 000 000 TON');
  });

  it('deploys the example and runs its get-method', async () => {
    await workbench.runCommand('TON: Deploy to the Local Network…');
    await workbench.quickInput.pick('Counter.compiled.json');
    await workbench.quickInput.asks('TON: Deploy Counter.compiled.json');
    await workbench.quickInput.type('b(addr @alice, i64 seven)');
    assert.notEqual(await workbench.quickInput.errorText(), '');
    await workbench.quickInput.fill('b(addr @alice, i64 7)');
    await workbench.messages.pressInNotification(/^.*Deployed at/, 'Run Get-Method…');
    await workbench.quickInput.asks('(2/3)');
    await workbench.quickInput.fill('counterAfter');
    await workbench.quickInput.asks('(3/3)');
    await workbench.quickInput.fill('35');
    await workbench.editor.waitForTitle(/counterAfter on/);
    assert.match(await workbench.openDocumentText(), /out\s+0\s+number\s+42/);
    await workbench.screenshot('deployed counter dark');
  });

  it('keeps pending messages pending in manual mode, until a block is made', async () => {
    await workbench.runCommand('TON: When Blocks Are Made…');
    await workbench.quickInput.pick('manual');
    const view = workbench.view('Local Network');
    await view.rowAction('carol', 'Faucet');
    await workbench.quickInput.asks('TON: Faucet');
    await workbench.quickInput.fill('1');
    await workbench.page.waitForTimeout(500);
    await balanceOf('carol', '1 000 000 TON');
    await workbench.runCommand('TON: Make a Block');
    await balanceOf('carol', '1 000 000.999');
  });
});
