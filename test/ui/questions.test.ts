import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { root } from '../../scripts/lib/root.mjs';
import { assertAccessible } from './support/assertAccessible';
import { DebugPane } from './support/debugPane';
import { openDeployed } from './support/openDeployed';
import { pressLens } from './support/pressLens';
import type { Workbench } from './support/workbench';

/** Pays several people, until the fourth is over the limit. */
const source = `const ERR_OVER_LIMIT = 402
struct Storage { limit: uint32; paid: uint32 }
struct (0x00000031) Payday { people: uint8; each: uint32 }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val order = Payday.fromSlice(in.body);
  var kept = Storage.fromCell(contract.getData());
  repeat (order.people) {
    kept.paid += order.each;
    assert (kept.paid <= kept.limit) throw ERR_OVER_LIMIT;
  }
  contract.setData(kept.toCell());
}
get fun paid(): int {
  return Storage.fromCell(contract.getData()).paid;
}
`;

const sheet = '# Pays wages.\n\n### wages\nsend Payroll Payday {people: 2, each: 5} 0.1ton from alice\n';

describe('questions to a recording', () => {
  let workbench: Workbench;
  let debug: DebugPane;
  const page = (): FrameLocator => workbench.editor.webview();
  const details = (): Locator => page().getByRole('complementary', { name: 'Details' });
  const value = (name: string): Locator => details().getByTitle(`Where does ${name} come from?`);
  const hops = (): Locator => details().getByRole('list', { name: /^Where it comes from/ });
  const hop = (words: string | RegExp): Locator => hops().getByRole('listitem').filter({ hasText: words });
  const open = async (): Promise<void> => {
    await (await workbench.showView('Traces')).click(/Payday/);
    await details()
      .getByText(/^Payroll, transaction 2 of 3$/)
      .waitFor();
  };

  /** Without what tells of work that is done, and without the debugger's empty console. */
  const picture = async (name: string): Promise<void> => {
    const close = workbench.page.locator(
      '.part.panel .title .codicon-panel-close, .part.panel .title .codicon-close',
    );
    if (await close.first().isVisible()) {
      await close.first().click();
    }
    await workbench.page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
    await workbench.screenshot(`question ${name} dark`);
  };

  before(async () => {
    workbench = await openDeployed({
      ...{ file: 'payroll.tolk', source, storage: { limit: '100', paid: '0' }, getMethod: 'paid' },
    });
    await writeFile(path.join(workbench.folder, 'wages.toncall'), sheet);
    debug = new DebugPane(workbench);
    await workbench.compose('send Payroll Payday {people: 5, each: 30} 0.1ton from alice');
    // The rehearsal says that it fails.
    await workbench.messages.pressInDialog('Send Anyway');
    await open();
  });
  after(() => workbench?.close());

  it('a field of a message on its page says where it comes from, up to what the wallet had signed', async () => {
    await value('each').click();
    await hop('Payday.each = 30').waitFor();
    // The wallet's code has no source, and writes all of its actions at once; the order came with what it had signed.
    await hop('alice sent it').waitFor();
    await hop('a message from outside: no transaction sent it').waitFor();
    await picture('field');
    const style = await readFile(path.join(root, 'dist/webview/tracePage.css'), 'utf8');
    await assertAccessible(workbench, style, 'everything');
    // A second click takes the answer away.
    await value('each').click();
    await hops().waitFor({ state: 'detached' });
  });

  it('a balance says what it is made of, gas what it went to, and a fee what it is for', async () => {
    await value('balance').click();
    await hop('the balance after the transaction').waitFor();
    await hop('the balance before').waitFor();
    await hop('the transaction before left it').waitFor();
    await hop('+ the value of the message = 0.1 TON').waitFor();
    await hop('− the gas fee').waitFor();
    await picture('balance');
    await value('gas').first().click();
    await hop(/gas in \d+ steps: var kept = Storage\.fromCell/).waitFor();
    await value('storage').click();
    await hop('for the cells and bits of the account').waitFor();
  });

  it('a value of Step Through is asked at its step', async () => {
    await details().getByRole('button', { name: 'Step Through' }).click();
    await value('kept.paid').click();
    await hop('kept.paid = 120').waitFor();
    await hop('kept.paid += order.each;').first().waitFor();
    await hop('Payday.each = 30').first().waitFor();
    await hops().evaluate((list) => list.scrollIntoView({ block: 'nearest' }));
    await picture('value');
    await details().locator('.lines button', { hasText: 'kept.paid += ' }).first().click();
    await details().locator('.lines [aria-current=step]').getByText('kept.paid += ').waitFor();
    await hops().waitFor({ state: 'detached' });
  });

  it('a click on a hop puts the debugger there', async () => {
    await value('each').click();
    await hop('alice sent it').getByRole('button').click();
    await debug.button('step-back').waitFor();
    await debug.frame(/^1 A alice/).waitFor();
    await debug.stop();
    await open();
    await value('gas').first().click();
    await hop('var kept = Storage.fromCell').getByRole('button').click();
    await debug.stoppedAt('var kept = Storage.fromCell');
    await debug.stop();
  });

  it('Debug Here has the debugger at the step of the slider', async () => {
    await open();
    await details().getByRole('button', { name: 'Step Through' }).click();
    await details().locator('.lines button', { hasText: 'kept.paid += ' }).first().click();
    await details().locator('.lines [aria-current=step]').getByText('kept.paid += ').waitFor();
    await details().getByRole('button', { name: 'Debug Here' }).click();
    await debug.stoppedAt('kept.paid += order.each;');
  });

  it('all runs of a line are found at once', async () => {
    await workbench.runCommand('TON: Find All Hits…');
    await workbench.quickInput.asks('TON: Find All Hits');
    await workbench.quickInput.fill('line payroll.tolk:10 kept.paid, kept.limit');
    const hits = await workbench.showView('All Hits');
    await hits.row(/^line payroll\.tolk:10/).waitFor();
    await hits.row(/kept\.paid = 120/).waitFor();
    await workbench.view('Watch').collapse();
    await workbench.view('Breakpoints').collapse();
    await picture('hits');
    await debug.stop();
  });

  it('a failed transaction is kept as a test', async () => {
    await (await workbench.showView('Traces')).contextMenu(/Payday/, 'Keep as Test');
    await workbench.quickInput.asks('TON: Keep as Test');
    await workbench.quickInput.pick(/Payroll/);
    await workbench.editor.waitForTitle(/^payroll-.*\.toncall$/);
    assert.match(await workbench.editor.text(), /^replay payroll-.*\.tonreplay with \S*payroll\.tolk$/m);
    // It fails today.
    await workbench.page.keyboard.press('ControlOrMeta+Alt+a');
    await workbench.page.locator('.test-error-content-widget').first().waitFor();
    await picture('test');
  });

  it('the lens of a source says until when its contract lives', async () => {
    await workbench.openFile('payroll.tolk');
    const { editor } = workbench;
    const account = workbench.page.locator('.editor-group-container .tab', { hasText: 'Payroll on Local' });
    await pressLens(editor.lens(/lives until \d+ or longer/), account, 'visible', 20_000);
    await editor.waitForTitle(/^Payroll on/);
    await workbench.page
      .locator('.view-line', { hasText: /a.year.costs/ })
      .first()
      .waitFor();
    await picture('life');
  });

  it('a value that a call sheet sent comes from its line', async () => {
    await workbench.openFile('wages.toncall');
    const answer = workbench.page.locator('.tab', { hasText: 'send Payroll Payday' });
    await pressLens(workbench.editor.lens(/^\s*Run$/), answer);
    await (await workbench.showView('Traces')).click(/Payday/);
    await details()
      .getByText(/^Payroll, transaction 2 of 2$/)
      .waitFor();
    await value('each').click();
    await hop('Payday.each = 5').waitFor();
    await hop('a message from outside: line 4 of wages.toncall').waitFor();
    await picture('sheet');
  });
});
