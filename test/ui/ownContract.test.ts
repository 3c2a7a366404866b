import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vaultSource } from '../support/vaultSource';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

/** A folder with one source and nothing else: no build, no ABI, no script. */
describe("one's own contract", function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-own-'));
    await writeFile(path.join(folder, 'vault.tolk'), vaultSource);
    workbench = await openWorkbench({ folder });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
  });
  afterEach(async function () {
    if (this.currentTest?.isFailed()) {
      await workbench.keepEvidence(this.currentTest.title);
    }
  });
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('asks for the fields of its storage when it is deployed', async () => {
    await workbench.runCommand('TON: Deploy to the Local Network…');
    await workbench.quickInput.pick('vault.tolk');
    await workbench.quickInput.asks('TON: Deploy Vault');
    assert.equal(
      await workbench.quickInput.input.inputValue(),
      '{owner: alice, limits: {daily: 0ton, single: 1ton}, guardians: {}}',
    );
    await workbench.screenshot('own contract storage dark');
    await workbench.quickInput.type('{owner: alice, limits: {daily: 5ton}, guardian: {}}');
    assert.match(await workbench.quickInput.errorText(), /Storage has no field “guardian”/);
    await workbench.quickInput.fill('{owner: alice, limits: {daily: 5ton}, guardians: {bob: 3}}');
    await workbench.messages.pressInNotification(/Deployed Vault at/, 'Run Get-Method…');
  });

  it('lists its get-methods by their names, though nothing was built', async () => {
    await workbench.quickInput.asks('(2/3)');
    const rows = await workbench.quickInput.readItems();
    const labels = rows.map(({ label }) => label).join('\n');
    assert.match(labels, /^daily$/m);
    assert.match(labels, /^weightOf$/m);
    assert.doesNotMatch(labels, /^\d+$/m);
    await workbench.screenshot('own contract methods dark');
    await workbench.quickInput.fill('weightOf');
    await workbench.quickInput.asks('(3/3)');
    // The digits are part of somebody's address: that does not mean them.
    await workbench.quickInput.type('42');
    const [first] = await workbench.quickInput.readItems();
    assert.match(first?.label ?? '', /Position 1/);
    await workbench.quickInput.fill('bob');
    await workbench.editor.waitForTitle(/weightOf on/);
    assert.match(await workbench.openDocumentText(), /out\s+0\s+int\s+3/);
  });

  it('takes a message by its name and fields, and shows them in the trace', async () => {
    await workbench.runCommand('TON: Compose Message…');
    await workbench.quickInput.asks('TON: Compose Message');
    await workbench.quickInput.fill('send Vault AddGuardian {who: carol, weight: 5} 0.1ton from alice');
    const dialog = await workbench.messages.dialog();
    assert.match(dialog.detail, /to Vault \(.*\), AddGuardian \{queryId: 0, who: carol, weight: 5\}/);
    await workbench.screenshot('own contract rehearsal dark');
    await workbench.messages.pressInDialog('Send');
    const view = await workbench.showView('Traces');
    await view.row(/AddGuardian/).waitFor();
    await workbench.setTheme('light');
    await workbench.screenshot('own contract trace light');
  });

  it('goes back to before the trace, and its contract is as it was', async () => {
    const view = workbench.view('Traces');
    await view.contextMenu(/AddGuardian/, 'Go Back to Before This Trace');
    const dialog = await workbench.messages.dialog();
    assert.match(dialog.detail, /everything after it/);
    await workbench.messages.pressInDialog('Go Back');
    await workbench.page
      .getByText(/Back at block \d+/)
      .first()
      .waitFor();
    await workbench.runCommand('TON: Run Get-Method…');
    await workbench.quickInput.asks('(1/3)');
    await workbench.quickInput.fill('Vault');
    await workbench.quickInput.asks('TON: Run Get-Method on Vault (2/3)');
    await workbench.quickInput.fill('weightOf');
    await workbench.quickInput.asks('(3/3)');
    await workbench.quickInput.fill('carol');
    await workbench.page.locator('.view-line', { hasText: /out\s+0\s+int\s+0/ }).waitFor();
  });
});
