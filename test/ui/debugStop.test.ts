// Takes more than 20 s: a contract is deployed and debugged, and the window is reloaded.
import assert from 'node:assert/strict';
import { patience } from './support/patience';
import { DebugPane } from './support/debugPane';
import { openDeployed } from './support/openDeployed';
import { pickFromMenu } from './support/pickFromMenu';
import { pressLens } from './support/pressLens';
import type { Theme, Workbench } from './support/workbench';

/** Pays within a limit; its first branch does not run. */
const source = `const ERR_OVER_LIMIT = 402
struct Storage { kept: uint64 }
struct (0x00000051) Pay { amount: uint32 }

fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
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

describe('a stop in the debugger', () => {
  let workbench: Workbench;
  let debug: DebugPane;
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

  /** A session's end hides its buttons; the bars go a moment later. */
  const untilNothingIsMarked = async (): Promise<void> => {
    for (const end = Date.now() + patience; (await marked()).length > 0 && Date.now() < end;) {
      await workbench.page.waitForTimeout(50);
    }
    assert.deepEqual(await marked(), []);
  };

  before(async () => {
    workbench = await openDeployed({ file: 'till.tolk', source, storage: { kept: '7' }, getMethod: 'kept' });
    debug = new DebugPane(workbench);
  });
  after(() => workbench?.close());

  it('is reached from above a message that has not been sent, by rehearsing it', async () => {
    await pressLens(workbench.editor.lens(/Debug…$/), workbench.page.locator('.quick-input-title:visible'));
    await workbench.quickInput.fill('5');
    // Its form has the amount of coins and the sender.
    await workbench.quickInput.pick('Debug');
    await debug.button('step-back').waitFor();
    await debug.variable(/^in\b/).waitFor();
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
      await workbench.setPictureTheme(theme);
      await workbench.screenshot(`debug lines ${theme}`);
    }
    await workbench.setPictureTheme('dark');
  });

  it('says that a recording is the past when a value is to be set', async () => {
    await debug.variable(/^Gas$/).click();
    const row = debug.variable(/^left\b/);
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
    await debug.variable(/^in\b/).click({ button: 'right' });
    await pickFromMenu(workbench.page, 'Run Again With Changes…');
    await workbench.quickInput.asks('TON: Replay With Changes');
    await workbench.screenshot('debug changes');
    await workbench.quickInput.cancel();
    await debug.stop();
    await untilNothingIsMarked();
  });

  it('is over after the window was reloaded, and leaves nothing behind', async () => {
    await pressLens(workbench.editor.lens(/Debug$/), debug.button('step-back'));
    await workbench.page.reload();
    await workbench.page.locator('.monaco-workbench .statusbar').waitFor();
    await workbench.statusBar.item(/TON/).waitFor();
    await workbench.editor.lens(/Debug/).waitFor();
    assert.equal(await debug.button('step-back').count(), 0);
    await untilNothingIsMarked();
    assert.deepEqual(
      await workbench.page.locator('.notification-toast, .monaco-dialog-box').allTextContents(),
      [],
    );
    await workbench.screenshot('debug reloaded');
  });
});
