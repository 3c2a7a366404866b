// Takes more than 20 s: a jetton is written, compiled, deployed, minted, and transferred in one window.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

describe('an empty folder', () => {
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-empty-'));
    workbench = await openWorkbench({ folder });
  });
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is offered a new contract by Deploy, and by the view Contracts', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('TON: Deploy Contract…');
    await quickInput.asks('TON: Deploy Contract');
    assert.deepEqual(
      (await quickInput.readItems()).map(({ label }) => label),
      ['New Contract…'],
    );
    await quickInput.accept();
    await quickInput.asks('TON: New Contract');
    const rows = await quickInput.readItems();
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['Counter in Tolk', 'Counter in FunC', 'Counter in Tact', 'Jetton in Tolk'],
    );
    assert.match(rows[2]?.description ?? '', /needs @tact-lang\/compiler in node_modules/);
    await workbench.screenshot('new contract kinds dark');
    await quickInput.cancel();
    await workbench.showView('Contracts');
    await workbench.view('Contracts').pane.locator('a', { hasText: 'new contract' }).click();
    await quickInput.asks('TON: New Contract');
    await quickInput.pick('Jetton in Tolk');
    await workbench.editor.waitForTitle('jettonMinter.tolk');
    await workbench.messages.waitForNotification(
      'Made the contract, jetton.toncall, and tests/jetton.test.mjs.',
    );
    await workbench.screenshot('new contract made dark');
  });

  it('has a jetton deployed from its lens, with the code of its wallet', async () => {
    const { quickInput } = workbench;
    await workbench.editor.lens('Deploy JettonMinter…').click();
    await quickInput.asks('TON: Deploy JettonMinter');
    const labels = (await quickInput.readItems()).map(({ label }) => label);
    assert.deepEqual(labels, [
      'totalSupply: 0',
      'admin:',
      'content: b()',
      'walletCode: code jettonWallet',
      'Deploy',
    ]);
    await quickInput.accept();
    await quickInput.asks(/admin of/);
    await quickInput.accept();
    await quickInput.row('admin: alice').waitFor();
    await quickInput.rows
      .last()
      .getByText(/✓ .*get_jetton_data\(\).* on this data/)
      .waitFor();
    await workbench.screenshot('new contract jetton form dark');
    await quickInput.accept();
    await workbench.view('Contracts').row('JettonMinter').and(workbench.page.locator('.selected')).waitFor();
  });

  it('mints from above the message, and then knows the wallet that the minter deployed', async () => {
    const { quickInput } = workbench;
    await workbench.openFile('jettonShared.tolk', 30);
    await workbench.editor.lens('Send Mint to JettonMinter…').click();
    await quickInput.asks('TON: Send Mint to JettonMinter');
    await quickInput.fillForm({ to: 'bob', jettons: '1000', value: '0.05ton' });
    await workbench.screenshot('new contract mint form dark');
    await quickInput.rows
      .last()
      .getByText(/✓ succeeds/)
      .waitFor();
    await quickInput.accept();
    await workbench
      .view('Traces')
      .row(/^jetton mint 1 000/)
      .waitFor();
    await workbench
      .view('Contracts')
      .row('jettonWallet')
      .getByText(/^of bob/)
      .waitFor();
  });

  it('transfers from the wallet by its lens, and shows line and reason of a refused transfer', async () => {
    const { quickInput } = workbench;
    await workbench.editor.lens(/^\s*Send Transfer to jettonWallet…$/).click();
    await quickInput.asks(/TON: Send Transfer to /);
    await quickInput.fillForm({ jettons: '400', to: 'carol', from: 'bob' });
    await workbench.screenshot('new contract transfer form dark');
    await quickInput.rows
      .last()
      .getByText(/✓ succeeds/)
      .waitFor();
    await quickInput.accept();
    await workbench
      .view('Traces')
      .row(/^jetton transfer 400/)
      .waitFor();
    // There are two wallets now.
    await workbench.editor.lens(/^\s*Send Transfer…$/).click();
    await quickInput.asks('TON: Send Transfer on Local');
    await workbench.screenshot('new contract wallets dark');
    const wallets = (await quickInput.readItems()).map(({ description }) => description);
    assert.ok(wallets.some((text) => text.startsWith('of carol')));
    await quickInput.rows.filter({ hasText: 'of bob' }).click();
    await quickInput.asks(/TON: Send Transfer to /);
    await quickInput.fillForm({ jettons: '601', to: 'carol', from: 'bob' });
    await quickInput.rows
      .last()
      .getByText(/would refuse jetton_transfer: ERROR_NOT_ENOUGH_JETTONS, 706, jettonWallet\.tolk:\d+/)
      .waitFor();
    await workbench.screenshot('new contract refused transfer dark');
    await quickInput.accept();
    const dialog = await workbench.messages.dialog();
    assert.match(dialog.message, /would refuse jetton_transfer: ERROR_NOT_ENOUGH_JETTONS, 706/);
    assert.match(dialog.detail, /jettonWallet\.tolk:\d+\s+assert \(storage\.balance >= message\.jettons\)/);
    await workbench.screenshot('new contract refused dialog dark');
    await workbench.messages.pressInDialog('Cancel');
  });
});
