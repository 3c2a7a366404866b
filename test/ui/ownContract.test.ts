// Takes more than 20 s: a contract of the user is written, compiled, deployed, and called in one window.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pickySource } from '../support/pickySource';
import { vaultSource } from '../support/vaultSource';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

/** A folder with two sources and nothing else: no build, no ABI, no script. */
describe("a contract of one's own", () => {
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-own-'));
    await writeFile(path.join(folder, 'vault.tolk'), vaultSource);
    await writeFile(path.join(folder, 'picky.tolk'), pickySource);
    workbench = await openWorkbench({ folder });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('asks for the fields of its storage on deployment in one form', async () => {
    await workbench.runCommand('TON: Deploy Contract…');
    await workbench.quickInput.pick('vault.tolk');
    await workbench.quickInput.asks('TON: Deploy Vault');
    const rows = await workbench.quickInput.readItems();
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['owner:', 'limits: {daily: 0ton, single: 1ton}', 'guardians: {}', 'Deploy'],
    );
    assert.match(rows[0]?.description ?? '', /address, to be filled in/);
    assert.equal(rows.at(-1)?.description, 'fill in owner first');
    // The first row that lacks a value is the active one.
    await workbench.quickInput.accept();
    await workbench.quickInput.asks('TON: owner of Vault Storage');
    const [first] = await workbench.quickInput.readItems();
    assert.equal(first?.label, 'alice');
    await workbench.screenshot('own contract owner dark');
    await workbench.quickInput.accept();
    await workbench.quickInput.row('owner: alice').waitFor();
    await workbench.quickInput.edit('limits');
    await workbench.quickInput.asks('TON: limits of Vault Storage');
    assert.equal(await workbench.quickInput.input.inputValue(), '{daily: 0ton, single: 1ton}');
    await workbench.quickInput.type('{dayly: 5ton}');
    assert.match(await workbench.quickInput.errorText(), /Limits has no field “dayly”/);
    await workbench.screenshot('own contract limits dark');
    await workbench.quickInput.fill('{daily: 5ton}');
    await workbench.quickInput.row('limits: {daily: 5ton}').waitFor();
    await workbench.quickInput.edit('limits');
    assert.equal(await workbench.quickInput.input.inputValue(), '{daily: 5ton}');
    await workbench.quickInput.type('{daily: 6ton}');
    await workbench.page.locator('.quick-input-widget .codicon-quick-input-back').click();
    await workbench.quickInput.row('limits: {daily: 5ton}').waitFor();
    // Escape leads from a box to the rows, too, and not out.
    await workbench.quickInput.edit('guardians');
    await workbench.quickInput.asks('TON: guardians of Vault Storage');
    await workbench.page.keyboard.press('Escape');
    await workbench.quickInput.asks('TON: Deploy Vault');
    await workbench.quickInput.row('Deploy').waitFor();
  });

  it('shows which get-methods fail on the data before it is deployed', async () => {
    await workbench.page.getByRole('button', { name: 'Type All Fields as Text' }).click();
    await workbench.quickInput.asks('TON: Vault Storage');
    await workbench.quickInput.fill('b()');
    await workbench.quickInput.asks('TON: Deploy Vault');
    await workbench.page
      .getByText(/daily\(\) fails with exit 9, .* on this data/)
      .first()
      .waitFor();
    await workbench.quickInput.row('Deploy Anyway').waitFor();
    await workbench.screenshot('own contract failing data dark');
    await workbench.quickInput.edit('Vault Storage');
    await workbench.quickInput.asks('TON: Vault Storage');
    await workbench.quickInput.fill('{owner: alice, limits: {daily: 5ton}, guardians: {bob: 3}}');
    await workbench.quickInput.asks('TON: Deploy Vault');
    await workbench.quickInput.rows.last().getByText('✓ daily() works on this data').waitFor();
    const last = (await workbench.quickInput.readItems()).at(-1);
    assert.equal(`${last?.label} ${last?.description}`, 'Deploy ✓ daily() works on this data');
    await workbench.screenshot('own contract deploy form dark');
    await workbench.quickInput.accept();
  });

  it('is listed among the contracts, with its answers and messages', async () => {
    const view = workbench.view('Contracts');
    await view.row('Vault').waitFor();
    await view.row('reads').waitFor();
    await view.row('messages').waitFor();
    await view.row('AddGuardian(queryId, who, weight)').waitFor();
    const rows = await view.rows();
    const labels = rows.map(({ label, level }) => `${level} ${label}`);
    assert.deepEqual(labels, [
      '1 Vault',
      '2 reads',
      '3 weightOf(who)',
      '3 daily()',
      '2 messages',
      '3 AddGuardian(queryId, who, weight)',
      '3 Drop(who)',
    ]);
    await view.pane.locator('.monaco-list-row.selected', { hasText: 'Vault' }).waitFor();
    // Nobody ran it: methods without arguments are kept current.
    await view.row('daily()').getByText(/^5/).waitFor();
    await workbench.screenshot('own contract tree dark');
  });

  it('is known to the command line, too', async () => {
    const text = await readFile(path.join(workbench.folder, '.ton/compiled.json'), 'utf8');
    const { codes } = JSON.parse(text) as { codes: { name: string; file: string }[] };
    assert.deepEqual(
      codes.map(({ name, file }) => [name.toLowerCase(), file]),
      [['vault', 'vault.tolk']],
    );
  });

  it('runs a get-method by name and type, and shows the argument with the answer', async () => {
    const view = workbench.view('Contracts');
    await view.click('weightOf(who)');
    await workbench.quickInput.asks('TON: who of weightOf (3/3)');
    // The digits occur in an account's address, which must not select that account.
    await workbench.quickInput.type('42');
    const [first] = await workbench.quickInput.readItems();
    assert.match(first?.label ?? '', /Position 1/);
    await workbench.quickInput.fill('bob');
    await workbench.editor.waitForTitle(/weightOf on/);
    assert.match(await workbench.openDocumentText(), /out\s+0\s+int\s+3/);
    await view.row('weightOf(bob)').getByText(/^→ 3 /).waitFor();
  });

  it("opens a row's source at the declaration", async () => {
    const view = workbench.view('Contracts');
    await view.contextMenu('AddGuardian(queryId, who, weight)', 'Go to Source');
    await workbench.editor.waitForTitle('vault.tolk');
    await workbench.statusBar.item('Ln 7, Col 1').waitFor();
    await view.contextMenu('daily()', 'Go to Source');
    await workbench.statusBar.item(/Ln 23, Col \d+/).waitFor();
  });

  it('sends a message from above its struct, by keyboard alone', async () => {
    await workbench.openFile('vault.tolk', 7);
    await workbench.editor.lens('Send AddGuardian to Vault…').waitFor();
    await workbench.editor.lens('Send Drop to Vault…').waitFor();
    await workbench.editor.lens('Deploy Vault…').waitFor();
    await workbench.inBothThemes('own contract lenses');
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.type('>Show CodeLens Commands For Current Line');
    await workbench.quickInput.row(/Show CodeLens Commands/).waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.row(/Send AddGuardian to Vault/).waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.asks('TON: Send AddGuardian to Vault');
    const labels = async (): Promise<string[]> =>
      (await workbench.quickInput.readItems()).map(({ label }) => label);
    assert.deepEqual(await labels(), [
      'queryId: 0',
      'who:',
      'weight: 0',
      'value: 0.1ton',
      'from: alice',
      'Rehearse and Send',
    ]);
    // The row that lacks a value is the active one.
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.asks('TON: who of Vault AddGuardian');
    await workbench.page.keyboard.type('dave');
    await workbench.screenshot('own contract who dark');
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.row('who: dave').waitFor();
    const verdict = workbench.quickInput.rows.last();
    await verdict.getByText(/✓ succeeds, fees 0\.\d+.* TON/).waitFor();
    // From the last row up to the third.
    for (let row = 6; row > 3; row--) {
      await workbench.page.keyboard.press('ArrowUp');
    }
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.asks('TON: weight of Vault AddGuardian');
    await workbench.quickInput.fill('-1');
    assert.match(await workbench.quickInput.errorText(), /uint32/);
    await workbench.quickInput.fill('7');
    await workbench.quickInput.row('weight: 7').waitFor();
    await workbench.quickInput.fillForm({ value: '0.000001ton' });
    await verdict.getByText(/✗ Vault would /).waitFor();
    await workbench.quickInput.row('Rehearse and Send').waitFor();
    await workbench.quickInput.fillForm({ value: '0.1ton', from: 'bob' });
    await workbench.quickInput.fillForm({ from: 'alice' });
    await verdict.getByText(/✓ succeeds/).waitFor();
    const from = (await workbench.quickInput.readItems()).find(({ label }) => label === 'from: alice');
    assert.match(from?.description ?? '', /^sender, [\d ]+.* TON, signs$/);
    await workbench.screenshot('own contract form passing dark');
    await workbench.page.keyboard.press('Enter');
    // The rehearsal succeeds, so there is no question, and its row is selected.
    await workbench
      .view('Traces')
      .row(/AddGuardian/)
      .and(workbench.page.locator('.selected'))
      .waitFor();
  });

  it('says in the form of a message that it would fail, and as what', async () => {
    await workbench.setPictureTheme('light');
    await workbench.page.locator('.tab', { hasText: 'vault.tolk' }).click();
    await workbench.editor.lens('Send Drop to Vault…').click();
    // It begins in the box of the only field.
    await workbench.quickInput.asks('TON: who of Vault Drop');
    await workbench.quickInput.fill('bob');
    await workbench.quickInput.asks('TON: Send Drop to Vault');
    await workbench.quickInput.rows
      .last()
      .getByText(/^✗ Vault would refuse Drop: ERR_NOT_ALLOWED, 777, vault\.tolk:15/)
      .waitFor();
    await workbench.screenshot('own contract form failing light');
    // The list is read aloud as it is seen.
    const spoken = await workbench.quickInput.rows.last().getAttribute('aria-label');
    assert.match(
      spoken ?? '',
      /^Rehearse and Send, ✗ Vault would refuse Drop: ERR_NOT_ALLOWED, 777, vault\.tolk:15/,
    );
    await workbench.quickInput.cancel();
    await workbench.setPictureTheme('dark');
  });

  it('gets coins from its row, and opens its page on a click', async () => {
    const view = workbench.view('Contracts');
    await view.contextMenu('Vault', 'Faucet…');
    await workbench.quickInput.asks('TON: Faucet');
    await workbench.quickInput.cancel();
    await view.click('Vault');
    await workbench.editor.waitForTitle(/^Vault on/);
    await workbench.inBothThemes('own contract account');
  });

  it('offers its messages in the steps of composing, with the last values', async () => {
    await workbench.runCommand('TON: Compose Message…');
    await workbench.quickInput.fill('Vault');
    await workbench.quickInput.asks(/Message to Vault \(2\/4\)/);
    await workbench.quickInput.accept();
    await workbench.quickInput.asks(/of 0\.1ton to Vault \(3\/4\)/);
    await workbench.quickInput.row('AddGuardian(queryId, who, weight)').waitFor();
    await workbench.screenshot('own contract compose dark');
    await workbench.quickInput.pick('AddGuardian(queryId, who, weight)');
    await workbench.quickInput.asks('TON: Send AddGuardian to Vault (4/4)');
    await workbench.quickInput.row('who: dave').waitFor();
    await workbench.quickInput.row('weight: 7').waitFor();
    await workbench.quickInput.cancel();
  });

  it('accepts a message by name and fields, and shows them in the trace', async () => {
    await workbench.compose('send Vault AddGuardian {who: carol, weight: 5} 0.1ton from alice');
    const view = await workbench.showView('Traces');
    // It is the second of them. Until it is selected, rows are read again, and a menu of one finds nothing.
    const rows = view.pane.locator('.monaco-list-row', { hasText: 'AddGuardian' });
    await rows.nth(1).waitFor();
    await view
      .row(/AddGuardian/)
      .and(workbench.page.locator('.selected'))
      .waitFor();
    await workbench.setPictureTheme('light');
    await workbench.screenshot('own contract trace light');
  });

  it('returns to the state before the trace', async () => {
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

  it('asks before a message that would fail, and names the exit code in its row', async () => {
    await workbench.compose('send Vault Drop {who: bob} 0.1ton from alice');
    const dialog = await workbench.messages.dialog();
    assert.match(dialog.message, / would refuse Drop: ERR_NOT_ALLOWED, 777/);
    assert.deepEqual(dialog.buttons.sort(), ['Cancel', 'Send Anyway', 'Show Rehearsal']);
    await workbench.screenshot('own contract would fail light');
    await workbench.messages.pressInDialog('Send Anyway');
    const view = workbench.view('Traces');
    await view.row('Drop').and(workbench.page.locator('.selected')).waitFor();
    await view
      .row('Drop')
      .getByText(/ERR_NOT_ALLOWED.* {2}alice → Vault/)
      .waitFor();
    await workbench.screenshot('own contract failed row light');
  });

  it('asks for the first message of a contract that would refuse an empty one', async () => {
    const { quickInput, messages } = workbench;
    const begin = async (level: string): Promise<void> => {
      await workbench.openFile('picky.tolk');
      await workbench.editor.lens('Deploy Picky…').click();
      await quickInput.asks('TON: level of Picky Storage');
      await quickInput.fill(level);
      await quickInput.asks('TON: Deploy Picky');
      await quickInput.rows.last().getByText('✓ level() works on this data').waitFor();
      await quickInput.accept();
      await quickInput.row('Init(level)').waitFor();
    };
    await workbench.setPictureTheme('dark');
    await begin('5');
    const rows = await quickInput.readItems();
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['Init(level)', 'Another Body…', 'No Message'],
    );
    assert.match(
      rows.at(-1)?.description ?? '',
      /^deployed anyway, ✗ Picky would fail on .*65535, picky\.tolk:11/,
    );
    await workbench.screenshot('own contract first message dark');
    await quickInput.accept();
    await quickInput.asks('TON: level of Picky Init');
    await quickInput.fill('100');
    await quickInput.asks('TON: Deploy Picky With Init');
    const verdict = quickInput.rows.last();
    await verdict.getByText(/✗ Picky would refuse Init: exit code 77, picky\.tolk:8/).waitFor();
    await quickInput.fillForm({ level: '9' });
    await verdict.getByText(/✓ succeeds/).waitFor();
    const labels = (await quickInput.readItems()).map(({ label }) => label);
    assert.deepEqual(labels, ['level: 9', 'value: 1ton', 'from: alice', 'Rehearse and Deploy']);
    await workbench.screenshot('own contract first message form dark');
    await quickInput.accept();
    const contracts = workbench.view('Contracts');
    await contracts.row('Picky').and(workbench.page.locator('.selected')).waitFor();
    await contracts.row('level()').getByText(/^9/).waitFor();
    await begin('6');
    await quickInput.pick('No Message');
    await messages.waitForNotification('Picky-2 is deployed, and it refused the empty message.');
    await contracts.row('Picky-2').waitFor();
  });
});
