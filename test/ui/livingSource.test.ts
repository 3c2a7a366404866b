// Takes more than 20 s: a contract is compiled after each edit, and deployed anew.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { counterSource } from '../support/counterSource';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

describe('a source with the state of its contract', () => {
  let workbench: Workbench;
  let folder: string;

  /** Replaces the text of the source in its editor. */
  const edit = async (text: string): Promise<void> => {
    await workbench.page.locator('.tab', { hasText: 'counter.tolk' }).click();
    await workbench.page.evaluate((whole) => navigator.clipboard.writeText(whole), text);
    await workbench.page.keyboard.press('ControlOrMeta+A');
    await workbench.page.keyboard.press('ControlOrMeta+V');
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-living-'));
    await writeFile(path.join(folder, 'counter.tolk'), counterSource(1));
    workbench = await openWorkbench({ folder });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('deploys it from its lens', async () => {
    await workbench.openFile('counter.tolk');
    await workbench.editor.lens('Deploy Counter…').click();
    await workbench.quickInput.asks('TON: count of Counter Storage');
    await workbench.quickInput.fill('42');
    await workbench.quickInput.asks('TON: Deploy Counter');
    // The last row is active: two keystrokes after the lens.
    await workbench.quickInput.accept();
  });

  it("shows a get-method's answer above it, and opens the whole answer on a click", async () => {
    // The view may have run it already, to keep its row current.
    await workbench.editor.lens(/^\s*(Run )?currentCounter\(\).* on Counter/).click();
    await workbench.page.locator('.tab', { hasText: 'currentCounter on' }).waitFor();
    await workbench.editor.lens(/^\s*currentCounter\(\) = 42 on Counter, gas \d+$/).waitFor();
    await workbench.inBothThemes('living source answer');
    await workbench.page.locator('.tab', { hasText: 'currentCounter on' }).locator('.codicon-close').click();
    await workbench.editor.lens(/^\s*currentCounter\(\) = 42/).click();
    await workbench.page.locator('.tab', { hasText: 'currentCounter on' }).waitFor();
  });

  it('keeps the answer current when a block changes it, even without the view', async () => {
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.view('Contracts').row('Counter').waitFor({ state: 'hidden' });
    await workbench.compose('send Counter Increase {by: 5} 0.1ton from alice');
    await workbench.editor.lens(/^\s*currentCounter\(\) = 47 on Counter, gas \d+$/).waitFor();
  });

  it('marks the answer and the contract when the source is edited and saved', async () => {
    await edit(counterSource(2));
    await workbench.editor
      .lens(/^\s*currentCounter\(\) = 47 on Counter, gas \d+ \(source edited since\)$/)
      .waitFor();
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await workbench.editor.lens(/^\s*Counter runs older code$/).waitFor();
    await workbench.editor.lens('Redeploy…').waitFor();
    await workbench.inBothThemes('living source older');
  });

  it('sets the code, and the storage stays', async () => {
    await workbench.editor.lens('Set Code…').click();
    await workbench.editor.lens('Counter runs older code').waitFor({ state: 'detached' });
    await workbench.editor.lens(/^\s*currentCounter\(\) = 47 on Counter, gas \d+$/).waitFor();
    await workbench.messages.waitForNotification('Set the code of Counter.');
    await workbench.compose('send Counter Increase {by: 5} 0.1ton from alice');
    await workbench.editor.lens(/^\s*currentCounter\(\) = 57 on Counter, gas \d+$/).waitFor();
  });

  it('restores the previous code on request', async () => {
    await workbench.messages.pressInNotification('Set the code of Counter.', 'Undo');
    await workbench.editor.lens('Counter runs older code').waitFor();
    await workbench.editor
      .lens(/^\s*currentCounter\(\) = 57 on Counter, gas \d+ \(source edited since\)$/)
      .waitFor();
  });

  it('asks before setting code that does not fit the storage', async () => {
    await edit(counterSource(2).replace('count: uint32 }', 'count: uint32, owner: address }'));
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await workbench.editor.lens('Counter runs older code').waitFor();
    await workbench.editor.lens('Set Code…').click();
    const dialog = await workbench.messages.dialog();
    assert.equal(dialog.message, 'The new code may not work with the data of Counter.');
    assert.match(dialog.detail, /Its data does not fit Storage: .+ left for the field \w+\./);
    assert.match(dialog.detail, /currentCounter\(\) fails with exit 9, .* on this data\./);
    await workbench.screenshot('living source doubts dark');
    assert.deepEqual(dialog.buttons.sort(), ['Cancel', 'Redeploy…', 'Set Code Anyway']);
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.asks('TON: Deploy Counter');
    await workbench.quickInput.row('count: 42').waitFor();
    await workbench.quickInput.row('owner:').waitFor();
    await workbench.quickInput.cancel();
    await workbench.editor.lens('Counter runs older code').waitFor();
  });

  it('underlines what does not compile once it is saved, until it does', async () => {
    const marks = workbench.page.locator('.squiggly-error');
    await edit(`${counterSource(2)}\nfun broken(): int { return nowhere; }\n`);
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await marks.first().waitFor();
    await workbench.screenshot('living source problem dark');
    await edit(counterSource(2));
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await marks.first().waitFor({ state: 'hidden' });
    await workbench.editor.lens('Counter runs older code').waitFor();
  });

  it('underlines what another program has written, an imported file included', async () => {
    const marks = workbench.page.locator('.squiggly-error');
    const [source, part] = ['counter.tolk', 'part.tolk'].map((name) => path.join(workbench.folder, name)) as [
      string,
      string,
    ];
    await writeFile(source, `${counterSource(2)}\nfun broken(): int { return nowhere; }\n`);
    await marks.first().waitFor();
    await writeFile(part, 'fun whole(): int { return 1; }\n');
    await writeFile(source, `import "part"\n${counterSource(2)}\nfun broken(): int { return nowhere(); }\n`);
    await workbench.page.locator('.view-line', { hasText: 'nowhere()' }).waitFor();
    await marks.first().waitFor();
    await writeFile(part, 'fun nowhere(): int { return 1; }\n');
    await marks.first().waitFor({ state: 'hidden' });
    await writeFile(source, counterSource(2));
    await workbench.editor.lens('Counter runs older code').waitFor();
  });

  it('shows what gas has changed since a saved baseline', async () => {
    await workbench.editor.lens(/^gas [\d ]+$/).waitFor();
    await workbench.runCommand('TON: Save Gas Baseline');
    await workbench.editor.lens(/^gas [\d ]+ \(±0\)$/).waitFor();
    await workbench.editor.lens(/currentCounter\(\) = 57 on Counter, gas \d+ \(±0\)/).waitFor();
    const file = path.join(workbench.folder, 'gas-baseline.json');
    const saved = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
    assert.deepEqual(Object.keys(saved), ['Counter Increase', 'Counter currentCounter()']);
    const before = { 'Counter Increase': (saved['Counter Increase'] ?? 0) - 12 };
    await writeFile(file, JSON.stringify({ ...saved, ...before }));
    await workbench.editor.lens(/^gas [\d ]+ \(\+12\)$/).waitFor();
    await workbench.inBothThemes('living source gas');
    await workbench.runCommand('TON: Clear Gas Baseline');
    await workbench.editor.lens(/^gas [\d ]+$/).waitFor();
    await assert.rejects(readFile(file));
  });
});
