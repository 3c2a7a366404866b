// Takes more than 20 s: one window goes through every command of the local network.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { callControl } from '../../src/toolkit/localnet/callControl';
import { faultPresets } from '../../src/toolkit/localnet/faults/faults';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { freePort } from '../support/freePort';
import type { Workbench } from './support/workbench';
import { pickFromMenu } from './support/pickFromMenu';
import { openWorkbench } from './support/workbench';

describe('the local network in the editor', () => {
  let workbench: Workbench;
  /** Another network, to read from. */
  let other: Localnet;
  let origin: string;

  before(async () => {
    other = await startLocalnet({ port: 0, log: silentLog });
    const { v2, v3 } = other;
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { localNetwork: port },
        'tonWorkbench.networks': [{ name: 'Other', v2, v3 }],
      },
    });
  });
  after(async () => {
    await workbench?.close();
    await other?.close();
  });

  const balanceOf = (name: string, coins: string): Promise<void> =>
    workbench
      .view('Local Network')
      .pane.locator('.monaco-list-row', { hasText: name })
      .filter({ hasText: coins })
      .waitFor();

  it('says what it is before it runs, and can be started there', async () => {
    const view = await workbench.showView('Local Network');
    assert.match(await view.welcomeText(), /a real TVM, ten funded wallets/);
    await workbench.screenshot('local network empty dark');
    await view.pane.locator('.monaco-button', { hasText: 'Start Local Network' }).click();
    await balanceOf('alice', '1 000 000 TON');
  });

  it('gives coins, saves a state, and restores it', async () => {
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
    await workbench.messages.pressInDialog('Restore');
    await balanceOf('bob', '1 000 000 TON');
  });

  it('deploys the example and runs its get-method', async () => {
    await workbench.runCommand('TON: Deploy Contract…');
    await workbench.quickInput.pick('Counter.compiled.json');
    await workbench.quickInput.asks('TON: Deploy Counter');
    await workbench.quickInput.fillForm({ owner: 'alice' });
    await workbench.quickInput.edit('value');
    await workbench.quickInput.asks('TON: value of Counter Storage');
    await workbench.quickInput.type('seven');
    assert.notEqual(await workbench.quickInput.errorText(), '');
    await workbench.quickInput.fill('7');
    await workbench.quickInput.asks('TON: Deploy Counter');
    await workbench.quickInput.accept();
    const contracts = workbench.view('Contracts');
    // All its rows are there, and no longer move.
    await contracts.pane.locator('.label-description', { hasText: /^alice/ }).waitFor();
    await contracts.row('Reset(queryId, value)').waitFor();
    await contracts.click('counterAfter(by)');
    await workbench.quickInput.asks('(3/3)');
    await workbench.quickInput.fill('35');
    await workbench.editor.waitForTitle(/counterAfter on/);
    assert.match(await workbench.openDocumentText(), /out\s+0\s+int\s+42[^]*types by Tolk source/);
    await workbench.screenshot('deployed counter dark');
  });

  it('calls the contract by name, and does not deploy it twice', async () => {
    await balanceOf('Counter', '0.9');
    await workbench.runCommand('TON: Deploy Contract…');
    await workbench.quickInput.pick('Counter.compiled.json');
    await workbench.quickInput.asks('TON: Deploy Counter');
    await workbench.quickInput.row('owner: alice').waitFor();
    await workbench.quickInput.row('value: 7').waitFor();
    await workbench.quickInput.accept();
    await workbench.messages.waitForNotification(/Counter is already deployed at .*Nothing was sent/);
    await workbench.messages.clearNotifications();
  });

  it('deploys the open source by its key', async () => {
    await workbench.runCommand('Go to File...');
    await workbench.quickInput.type('counter.tolk');
    await workbench.quickInput.pick('counter.tolk');
    await workbench.editor.waitForTitle('counter.tolk');
    await workbench.page.locator('.monaco-editor .view-line').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+Alt+d');
    await workbench.quickInput.asks('TON: Deploy Counter');
    await workbench.screenshot('deploy by key dark');
    await workbench.quickInput.cancel();
    await workbench.setPictureTheme('light');
    await workbench.screenshot('tolk source light');
    await workbench.setPictureTheme('dark');
    // The explorer would unfold the folder of an open file.
    await workbench.runCommand('View: Close All Editors');
  });

  it('deploys a source from the explorer once it compiles, and shows where it does not', async () => {
    const source = path.join(workbench.folder, 'contracts/answer.tolk');
    const write = (answer: string): Promise<void> =>
      writeFile(
        source,
        `fun onInternalMessage(in: InMessage) {}\nget fun answer(): int { return ${answer}; }\n`,
      );
    const deploy = async (): Promise<void> => {
      const row = workbench.page.locator('.explorer-folders-view .monaco-list-row', {
        hasText: 'answer.tolk',
      });
      await row.click({ button: 'right' });
      await pickFromMenu(workbench.page, 'Deploy Contract…');
    };
    await write('missing');
    await workbench.runCommand('View: Show Explorer');
    const folder = workbench.page.locator('.explorer-folders-view .monaco-list-row', {
      hasText: 'contracts',
    });
    await folder.first().click();
    await deploy();
    await workbench.messages.waitForNotification(/answer\.tolk does not compile: line 2, undefined symbol/);
    await workbench.messages.clearNotifications();
    await workbench.runCommand('Problems: Focus on Problems View');
    const problems = workbench.page.locator('.markers-panel .monaco-list-row');
    await problems
      .filter({ hasText: 'undefined symbol `missing`' })
      .filter({ hasText: 'Ln 2, Col 32' })
      .waitFor();
    await workbench.screenshot('tolk problem dark');
    await write('42');
    await deploy();
    await workbench.quickInput.asks('TON: Deploy Answer');
    await workbench.quickInput.accept();
    await workbench.view('Contracts').row('Answer').waitFor();
    await problems.first().waitFor({ state: 'detached' });
    await workbench.showView('Local Network');
    await balanceOf('Answer', '0.9');
  });

  it("sets a balance and undoes that, and sends in a contract's name", async () => {
    const view = workbench.view('Local Network');
    await view.contextMenu('Answer', 'Change Account…');
    await workbench.quickInput.pick('Set Balance…');
    await workbench.quickInput.asks('TON: Set Balance');
    await workbench.quickInput.type('1.5 coins');
    assert.notEqual(await workbench.quickInput.errorText(), '');
    await workbench.quickInput.fill('33');
    await balanceOf('Answer', '33 TON');
    await workbench.messages.pressInNotification(/Set the balance of Answer/, 'Undo');
    await balanceOf('Answer', '0.9');
    await view.contextMenu('Answer', 'Change Account…');
    await workbench.quickInput.pick('Send Without a Signature…');
    await workbench.quickInput.asks('TON: Compose Message');
    await workbench.quickInput.fill('dave');
    await workbench.quickInput.asks('to dave');
    await workbench.quickInput.fill('0.5ton');
    await workbench.quickInput.asks('of 0.5ton to dave');
    await workbench.quickInput.fill('comment "in its name"');
    await balanceOf('dave', '1 000 000.49');
  });

  it('lists the requests and sends one again', async () => {
    await workbench.runCommand('TON: Show Local Network Requests');
    await workbench.editor.waitForTitle('Requests to the local network');
    // Only the editor has used the network so far.
    assert.match(await workbench.openDocumentText(), /^No requests yet\..*\n\d+ of this editor hidden/);
    assert.equal((await fetch(`${origin}/api/v3/masterchainInfo`)).status, 200);
    const lens = (text: RegExp): Locator =>
      workbench.page.locator('.codelens-decoration a', { hasText: text }).first();
    await lens(/Refresh/).click();
    await workbench.page.getByText('masterchainInfo').first().waitFor();
    assert.match(
      await workbench.openDocumentText(),
      /^Requests to the local network: 1, 0 refused; .*\n\n✓ .*200 .* ms {2}GET {2}\/api\/v3\/masterchainInfo\n$/,
    );
    await lens(/Show \d+ of This Editor/).click();
    await workbench.page.getByText('accountStates').first().waitFor();
    assert.match(await workbench.openDocumentText(), /accountStates {2}address=\w+, \w+, … \d+ more/);
    // Bodies and parameters are folded, also where the document was open already.
    await workbench.page
      .locator('.editor-group-container.active .view-line', { hasText: /^\s*address=0:/ })
      .first()
      .waitFor({ state: 'hidden' });
    await workbench.screenshot('requests dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('requests light');
    await workbench.setPictureTheme('dark');
    await lens(/Send Again…/).click();
    await workbench.quickInput.asks('TON: Send Request Again');
    const [first] = await workbench.quickInput.readItems();
    assert.match(first?.label ?? '', /masterchainInfo/);
    await workbench.quickInput.accept();
    await workbench.editor.waitForTitle(/^Answer to request \d+/);
    assert.match(await workbench.openDocumentText(), /: status 200 \(200 at /);
  });

  it('misbehaves as chosen in the palette, until that is ended', async () => {
    const ask = (): Promise<Response> => fetch(`${origin}/api/v2/getMasterchainInfo`);
    assert.equal((await ask()).status, 200);
    await workbench.runCommand('TON: Inject Faults into the Local Network…');
    await workbench.quickInput.asks('TON: Inject Faults into the Local Network');
    const offered = (await workbench.quickInput.readItems()).map(({ label }) => label);
    assert.deepEqual(
      offered,
      faultPresets.map(({ title }) => title),
    );
    await workbench.screenshot('local network misbehave dark');
    await workbench.quickInput.pick('Always 429');
    const row = workbench.view('Local Network').row('Injects faults');
    await row.waitFor();
    assert.equal((await ask()).status, 429);
    await workbench.screenshot('local network misbehaves dark');
    await workbench.runCommand('TON: Stop Injecting Faults into the Local Network');
    await row.waitFor({ state: 'hidden' });
    assert.equal((await ask()).status, 200);
    await workbench.runCommand('TON: Inject Faults into the Local Network…');
    await workbench.quickInput.pick('Down');
    await row.waitFor();
    assert.equal((await ask()).status, 503);
    await row.click();
    await row.waitFor({ state: 'hidden' });
    assert.equal((await ask()).status, 200);
  });

  it("imports another network's configuration, forks it, and returns from the fork", async () => {
    const { pane } = await workbench.showView('Local Network');
    await workbench.runCommand('TON: Import Network Configuration…');
    await workbench.quickInput.pick('Other');
    assert.match((await workbench.messages.dialog()).message, /configuration of Other/);
    await workbench.messages.pressInDialog('Use Configuration');
    await workbench.page.locator('.statusbar-item', { hasText: 'Configuration of Other' }).waitFor();
    await workbench.runCommand('TON: Fork a Network Locally…');
    await workbench.quickInput.pick('Other');
    await workbench.quickInput.asks('TON: Fork a Network Locally: Other');
    await workbench.quickInput.type('newest');
    assert.notEqual(await workbench.quickInput.errorText(), '');
    await workbench.quickInput.fill('');
    await workbench.messages.dialog();
    await workbench.messages.pressInDialog('Fork');
    const header = pane.locator('.pane-header');
    await workbench.statusBar.item(/TON Local \(fork of Other\) \d+/).waitFor();
    await header.filter({ hasText: /fork of Other at \d+/ }).waitFor();
    await workbench.screenshot('fork dark');
    await workbench.runCommand('TON: Leave Fork…');
    await workbench.messages.dialog();
    await workbench.messages.pressInDialog('Leave It');
    await balanceOf('Counter', '0.9');
  });

  it('keeps messages pending in manual mode, until a block is made', async () => {
    await workbench.runCommand('TON: Blocks and Time…');
    await workbench.quickInput.pick('Set Block Mode…');
    await workbench.quickInput.pick('manual');
    const view = workbench.view('Local Network');
    await view.rowAction('carol', 'Faucet');
    await workbench.quickInput.asks('TON: Faucet');
    await workbench.quickInput.fill('1');
    while ((await callControl(`${origin}/control`, 'status', {})).pending === 0) {
      await workbench.page.waitForTimeout(50);
    }
    await balanceOf('carol', '1 000 000 TON');
    await workbench.runCommand('TON: Blocks and Time…');
    await workbench.quickInput.pick('Mine Block');
    await balanceOf('carol', '1 000 000.999');
  });
});
