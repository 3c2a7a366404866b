// Takes more than 20 s: one window goes through every command of the contracts view, and is reloaded.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Address, beginCell } from '@ton/core';
import type { Locator } from 'playwright-core';
import { attempt, patience } from './support/patience';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';
import { freePort } from '../support/freePort';
import { deployJetton, mintJetton } from '../support/jetton';
import type { DeployedJetton } from '../support/jetton';

describe('the view Contracts', () => {
  let workbench: Workbench;
  let v2: string;
  let jetton: DeployedJetton;

  before(async () => {
    const port = await freePort();
    v2 = `http://127.0.0.1:${port}/api/v2`;
    workbench = await openWorkbench({ settings: { 'tonWorkbench.ports': { localNetwork: port } } });
    await writeFile(
      path.join(workbench.folder, 'contracts/vault.fc'),
      'int total() method_id { return 1; }\n',
    );
  });
  after(() => workbench?.close());

  it('explains itself while it is empty, and shows what is pinned', async () => {
    const view = await workbench.showView('Contracts');
    assert.match(await view.welcomeText(), /Contracts that you deploy or pin appear here/);
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    jetton = await deployJetton(v2);
    await workbench.runCommand('TON: Pin Contract…');
    await workbench.quickInput.asks('TON: Pin Contract on Local');
    await workbench.quickInput.fill(jetton.minter.toString());
    await view.row('get_jetton_data()').waitFor();
    await view.pane.getByText(/jetton minter .* active/).waitFor();
    const [contract, ...methods] = await view.rows();
    assert.match(contract?.description ?? '', /jetton minter {2}[\d.]+ TON {2}active/);
    assert.ok(
      methods.some(({ label }) => label === 'get_wallet_address(owner_address)'),
      JSON.stringify(methods),
    );
  });

  it('shows the changes of a watched call until it is stopped', async () => {
    const view = await workbench.showView('Contracts');
    await view.rowAction('get_jetton_data()', 'Watch');
    await workbench.statusBar.item('1 call').waitFor();
    const row = view.row('get_jetton_data()');
    await row.getByText(/supply 1 000,/).waitFor();
    await mintJetton(v2, jetton.minter, 336n);
    await row.getByText(/total_supply 1 000 → 1 336/).waitFor();
    await workbench.screenshot('contracts watched dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('contracts watched light');
    await workbench.page.reload();
    await workbench.statusBar.item('1 call').waitFor();
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await mintJetton(v2, jetton.minter, 1n);
    await row.getByText(/total_supply (1 336 → )?1 337/).waitFor();
    await workbench.statusBar.click('1 call');
    await workbench.statusBar.item('1 call').waitFor({ state: 'hidden' });
  });

  it('runs a method from its row, asking by type, and marks what has changed', async () => {
    const view = await workbench.showView('Contracts');
    await view.click('get_jetton_data()');
    await workbench.editor.waitForTitle(/get_jetton_data on/);
    assert.match(await workbench.openDocumentText(), /supply .* 1 337/);
    await mintJetton(v2, jetton.minter, 3n);
    await view.click('get_jetton_data()');
    await workbench.page
      .getByText(/←\s+was/)
      .first()
      .waitFor();
    await workbench.screenshot('contracts changed light');
    const box = workbench.page.locator('.quick-input-widget:visible');
    // While VS Code refreshes a row, a click on it has no command, so click again as a user would.
    for (let tries = 3; tries > 0 && !(await box.isVisible()); tries -= 1) {
      await view.click('get_wallet_address(owner_address)');
      await box.waitFor({ timeout: attempt(3000) }).catch(() => undefined);
    }
    await workbench.quickInput.asks('TON: owner_address of get_wallet_address (3/3)');
    await workbench.screenshot('contracts typed prompt light');
    await workbench.quickInput.cancel();
  });

  it('runs a get-method from above its source', async () => {
    // Lenses are drawn where they are in sight: the get-methods stand at the end.
    await workbench.openFile('counter.tolk', 56);
    const lens = workbench.editor.lens(/Run \w+\(\) on…/);
    await lens.waitFor();
    await workbench.screenshot('contracts lens light');
    await lens.click();
    await workbench.quickInput.asks(/TON: Run \w+ on Local/);
    const rows = await workbench.quickInput.readItems();
    assert.ok(
      rows.some(({ label }) => label.includes('Deploy to the Local Network')),
      JSON.stringify(rows),
    );
    await workbench.quickInput.cancel();
  });

  it('marks above a contract what was built from an earlier text of it', async () => {
    const bundle = path.join(workbench.folder, 'sources/counter.source.json');
    await mkdir(path.dirname(bundle), { recursive: true });
    const file = 'contracts/counter.tolk';
    await writeFile(
      bundle,
      JSON.stringify({
        code_boc64: beginCell().storeUint(1, 8).endCell().toBoc().toString('base64'),
        bundle: { entrypoint: file, files: [{ path: file, content_hash: '00'.repeat(32) }] },
      }),
    );
    await workbench.openFile('counter.tolk', 1);
    const mark = workbench.editor.lens(/sources\/counter\.source\.json: of an earlier text/);
    await mark.waitFor();
    await workbench.screenshot('contracts stale build light');
    await rm(bundle);
    await mark.waitFor({ state: 'detached' });
  });

  it('says what to do if a FunC source cannot be compiled here', async () => {
    await workbench.openFile('vault.fc');
    await workbench.editor.lens(/Run \w+\(\) on…/).click();
    await workbench.quickInput.asks('TON: Run total on Local');
    // A project of Blueprint is told its command.
    const [why] = await workbench.quickInput.readItems();
    assert.match(why?.label ?? '', /Why Can It Not Be Deployed\?/);
    await workbench.screenshot('contracts not built dark');
    await workbench.quickInput.pick(/Why Can It Not Be Deployed\?/);
    await workbench.messages.waitForNotification(/compiled by @ton-community\/func-js/);
    await workbench.messages.clearNotifications();
  });

  it('names a contract, copies its address, and opens its traces', async () => {
    const view = await workbench.showView('Contracts');
    await view.contextMenu(/^EQ/, 'Rename…');
    await workbench.quickInput.asks('TON: Name of the Contract');
    await workbench.quickInput.type('alice');
    assert.match(await workbench.quickInput.errorText(), /alice is already the name of/);
    await workbench.quickInput.fill('minter');
    await view.row('minter').waitFor();
    await view.contextMenu('minter', 'Copy Address');
    const isCopied = (text: string): boolean => Address.isRaw(text) || Address.isFriendly(text);
    let copied = '';
    for (const end = Date.now() + patience; !isCopied(copied) && Date.now() < end;) {
      copied = await workbench.page.evaluate(() => navigator.clipboard.readText());
    }
    assert.ok(Address.parse(copied).equals(jetton.minter), copied);
    await view.contextMenu('minter', 'Recent Traces of an Account…');
    // The list is there, and then the page of the newest.
    await workbench.editor.waitForTitle(/^jetton mint 3 units/);
    // A page takes the focus once it is drawn, which closes a list that was opened before.
    await workbench.editor.webview().getByText('minter').first().waitFor();
  });

  const asked = (): Locator => workbench.quickInput.title('TON: Choose Contract Source');

  it('uses another source for a contract when told to, and undoes that', async () => {
    const view = await workbench.showView('Contracts');
    await view.contextMenu('minter', 'Choose Contract Source…', asked());
    await workbench.screenshot('contracts source light');
    await workbench.quickInput.pick('counter');
    await view.row('counterAfter(').waitFor();
    await view.contextMenu('minter', 'Choose Contract Source…', asked());
    await workbench.quickInput.pick('Recognize it by its code');
    await view.row('counterAfter(').waitFor({ state: 'hidden' });
  });

  it('undoes the choice of a source in one step', async () => {
    const view = await workbench.showView('Contracts');
    await view.contextMenu('minter', 'Choose Contract Source…', asked());
    await workbench.quickInput.pick('counter');
    await view.row('counterAfter(').waitFor();
    await view.contextMenu('minter', 'Recognize by Its Code Again');
    await view.row('counterAfter(').waitFor({ state: 'hidden' });
  });

  it('removes a contract from the view, and restores it', async () => {
    const view = await workbench.showView('Contracts');
    await view.contextMenu('minter', 'Unpin Contract');
    await view.row('minter').waitFor({ state: 'hidden' });
    await workbench.screenshot('contracts removed light');
    await workbench.messages.pressInNotification(/Unpinned minter/, 'Undo');
    await view.row('minter').waitFor();
    await workbench.setPictureTheme('hcDark');
    await workbench.screenshot('contracts high contrast');
    await workbench.setPictureTheme('light');
  });

  it('finds a call again in the history', async () => {
    await workbench.runCommand('TON: Show Get-Method History…');
    await workbench.quickInput.type('jetton');
    const [first] = await workbench.quickInput.readItems();
    assert.match(first?.label ?? '', /^get_jetton_data\(/);
    assert.match(first?.description ?? '', /on Local.*total_supply 1 340/);
    await workbench.setPictureTheme('dark');
    await workbench.runCommand('TON: Show Get-Method History…');
    await workbench.quickInput.asks('History');
    await workbench.screenshot('contracts history dark');
    await workbench.quickInput.accept();
    await workbench.editor.waitForTitle(/get_jetton_data on/);
    await workbench.screenshot('contracts result dark');
  });

  it('is unchanged after the window is reloaded, including the last answers', async () => {
    await workbench.page.evaluate(() => document.documentElement.setAttribute('data-before', ''));
    await workbench.runCommand('Developer: Reload Window');
    await workbench.page.locator('html:not([data-before]) .monaco-workbench').waitFor();
    const view = await workbench.showView('Contracts');
    await view.row('minter').waitFor();
    await view
      .row('get_jetton_data')
      .getByText(/total_supply 1 340/)
      .waitFor();
  });
});
