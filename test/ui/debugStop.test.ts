import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { keepEvidenceOf } from './support/keepEvidenceOf';
import { pickFromMenu } from './support/pickFromMenu';
import { pressLens } from './support/pressLens';
import type { Theme, Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

/** Pays within a limit; its first branch does not run. */
const source = `const ERR_OVER_LIMIT = 402
struct Storage { kept: uint64 }
struct (0x00000051) Pay { amount: uint32 }

fun onInternalMessage(in: InMessage) {
  val message = Pay.fromSlice(in.body);
  var till = Storage.fromCell(contract.getData());
  if (message.amount == 0) {
    till.kept = 0;
  }
  till.kept += message.amount;
  assert (till.kept <= 100) throw ERR_OVER_LIMIT;
  contract.setData(till.toCell());
}
get fun kept(): int {
  return Storage.fromCell(contract.getData()).kept;
}
`;

describe('a stop in the debugger', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let folder: string;
  const lens = (text: string | RegExp): Locator =>
    workbench.page.locator('.codelens-decoration :is(a, span):visible', { hasText: text }).first();
  const toolbar = (): Locator => workbench.page.locator('.debug-toolbar .codicon-debug-step-back');
  const variable = (text: RegExp): Locator =>
    workbench.page.locator('.debug-variables .monaco-list-row', { hasText: text }).first();
  /** The lines with a bar, as their texts. */
  const marked = async (): Promise<string[]> =>
    workbench.page.evaluate(() => {
      const top = (element: Element): number => element.getBoundingClientRect().top;
      const bars = [...document.querySelectorAll('.view-overlays .cdr')].filter(
        (bar) => getComputedStyle(bar).borderLeftWidth === '3px',
      );
      return [...document.querySelectorAll('.view-line')]
        .filter((line) => bars.some((bar) => Math.abs(top(bar) - top(line)) < 4))
        .sort((one, other) => top(one) - top(other))
        .map((line) => (line.textContent ?? '').replaceAll('\u00a0', ' ').trim());
    });
  const stop = async (): Promise<void> => {
    await workbench.runCommand('Debug: Stop');
    await toolbar().waitFor({ state: 'hidden' });
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-stop-'));
    await writeFile(path.join(folder, 'till.tolk'), source);
    workbench = await openWorkbench({ folder });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await workbench.page.keyboard.press('ControlOrMeta+P');
    await workbench.quickInput.type('till.tolk');
    await workbench.quickInput.pick('till.tolk');
    await workbench.editor.waitForTitle('till.tolk');
    await pressLens(lens('Deploy Till…'), workbench.page.locator('.quick-input-title:visible'));
    await workbench.quickInput.asks('TON: kept of Till Storage');
    await workbench.quickInput.fill('7');
    await workbench.quickInput.accept();
    await lens(/kept\(\).* on Till/).waitFor();
  });
  afterEach(keepEvidenceOf(() => workbench));
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is reached from above a message that has not been sent, by rehearsing it', async () => {
    await pressLens(lens(/Debug…$/), workbench.page.locator('.quick-input-title:visible'));
    await workbench.quickInput.fill('5');
    // The amount of coins, and the sender.
    while ((await workbench.page.locator('.quick-input-widget:visible').count()) > 0) {
      await workbench.quickInput.accept();
    }
    await toolbar().waitFor();
    await variable(/^in\b/).waitFor();
  });

  it('marks the lines that ran', async () => {
    const ran = [
      'fun onInternalMessage(in: InMessage) {',
      'val message = Pay.fromSlice(in.body);',
      'var till = Storage.fromCell(contract.getData());',
      'if (message.amount == 0) {',
      'till.kept += message.amount;',
    ];
    const lines = await marked();
    assert.deepEqual(
      ran.filter((line) => !lines.some((one) => one.startsWith(line))),
      [],
      lines.join('\n'),
    );
    assert.ok(!lines.includes('till.kept = 0;'));
    for (const theme of ['dark', 'light', 'hcDark', 'hcLight'] satisfies Theme[]) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`debug lines ${theme}`);
    }
    await workbench.setTheme('dark');
  });

  it('says that a recording is the past when a value is to be set', async () => {
    await variable(/^Gas$/).click();
    const row = variable(/^left\b/);
    await row.waitFor();
    await row.locator('.value').dblclick();
    const box = workbench.page.locator('.debug-variables .inputBoxContainer input');
    await box.waitFor();
    await box.fill('9');
    await box.press('Enter');
    await workbench.page
      .getByText(/A recording is the past/)
      .first()
      .waitFor();
    await workbench.screenshot('debug set value');
  });

  it('runs again with changes', async () => {
    await variable(/^in\b/).click({ button: 'right' });
    await pickFromMenu(workbench.page, 'Run Again With Changes…');
    await workbench.quickInput.asks('TON: Replay With Changes');
    await workbench.screenshot('debug changes');
    await workbench.quickInput.cancel();
    await stop();
    assert.deepEqual(await marked(), []);
  });

  it('is over after the window was reloaded, and leaves nothing behind', async () => {
    await pressLens(lens(/Debug$/), toolbar());
    await workbench.page.reload();
    await workbench.page.locator('.monaco-workbench .statusbar').waitFor();
    await workbench.statusBar.item(/TON/).waitFor();
    await lens(/Debug/).waitFor();
    assert.equal(await toolbar().count(), 0);
    assert.deepEqual(await marked(), []);
    assert.deepEqual(
      await workbench.page.locator('.notification-toast, .monaco-dialog-box').allTextContents(),
      [],
    );
    await workbench.screenshot('debug reloaded');
  });
});
