// Takes more than 20 s: Jest runs the tests of a project, which load an engine of their own.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { removeFolder, testedFolder } from '../support/testedFolder';
import { patience } from './support/patience';
import { DebugPane } from './support/debugPane';
import { pressLens } from './support/pressLens';
import { waitForMark } from './support/waitForMark';
import { openWorkbench } from './support/workbench';
import type { Workbench } from './support/workbench';

describe("a project's own tests in the editor", () => {
  let workbench: Workbench;
  let debug: DebugPane;
  let folder: string;

  before(async () => {
    folder = await testedFolder();
    workbench = await openWorkbench({
      folder,
      settings: { 'testing.automaticallyOpenTestResults': 'neverOpen' },
    });
    debug = new DebugPane(workbench);
  });
  after(async () => {
    await workbench?.close();
    await removeFolder(folder);
  });

  const row = (text: string | RegExp): Locator =>
    workbench.page.locator('.test-explorer .monaco-list-row', { hasText: text }).first();

  it('lists them before they ran, runs them, and tells what failed at the line of the contract', async () => {
    const { page, editor } = workbench;
    await workbench.openFile('till.spec.js');
    await workbench.runCommand(/Testing: Focus on Test Explorer View$/);
    await row(/till\.spec\.js/).click();
    await page.keyboard.press('ControlOrMeta+ArrowRight');
    await row(/Till/).waitFor();
    await workbench.runCommand('Test: Run All Tests');
    await editor.lens(/✗ exit 402 \(ERR_OVER_LIMIT\) at till\.tolk:12/).waitFor({ timeout: 2 * patience });
    await editor.lens(/✗ actions failed with 37 \(.+\) at till\.tolk:14/).waitFor();
    const call = page.locator('.view-line', { hasText: /sendPay\(alice.*,.500\)/ }).first();
    await waitForMark(call, /exit.402.·.3.tx.·.[\d\s]+gas/);
    await workbench.inBothThemes('tests failed');
  });

  it('opens the trace of a failed test', async () => {
    const { editor } = workbench;
    await workbench.openFile('till.spec.js', 24);
    const frame = workbench.page.locator('iframe.webview.ready');
    await pressLens(editor.lens(/^Trace$/), frame, 'visible', 25_000);
    const page = editor.webview();
    await page.getByText('Ran in a test').first().waitFor();
    await page
      .getByText(/till\.tolk:12/)
      .first()
      .waitFor();
    await workbench.inBothThemes('tests trace');
  });

  it('debugs a failed test at its line, and steps back', async () => {
    const { editor } = workbench;
    await workbench.openFile('till.spec.js', 24);
    await pressLens(editor.lens(/Debug$/), debug.button('step-back'), 'visible', 25_000);
    await debug.stoppedAt('throw ERR_OVER_LIMIT');
    await debug.variable(/^msg\b/).waitFor();
    await workbench.inBothThemes('tests debugger');
    await debug.button('step-back').click();
    await debug.stoppedAt('contract.setData(st.toCell());');
  });

  it('finds all hits of a question and of a breakpoint at once, and goes to one', async () => {
    const hits = workbench.view('All Hits');
    await workbench.runCommand('TON: Find All Hits…');
    await workbench.quickInput.asks('TON: Find All Hits');
    await workbench.quickInput.pick('writes c4.paid');
    await hits.row(/^writes c4\.paid$/).waitFor();
    const [asked, first] = await hits.rows();
    assert.match(asked?.description ?? '', /^1 hit in 1 of \d+ executions$/);
    assert.match(
      `${first?.label} ${first?.description}`,
      /paid 0 → 1 .*till.*till\.tolk:11, not kept: the execution failed/,
    );
    // A breakpoint has its hits as soon as it is set.
    await workbench.openFile('till.tolk', 7);
    await workbench.page.keyboard.press('F9');
    await hits.row(/^till\.tolk:7$/).waitFor();
    await workbench.inBothThemes('tests all hits');
    await hits.row(/^in\.body = slice of 0 bits/).click();
    await debug.stoppedAt('if (in.body.isEmpty()) { return; }');
    await workbench.openFile('till.tolk', 7);
    await workbench.page.keyboard.press('F9');
    await debug.stop();
  });

  it('keeps what failed as a test of its own, from its page', async () => {
    const { editor } = workbench;
    await workbench.openFile('till.spec.js', 32);
    // That of the call at the cursor.
    await workbench.runCommand('TON: Open Trace of Test');
    const page = editor.webview();
    // An action that failed has its line, too.
    await page
      .getByText(/till\.tolk:14/)
      .first()
      .waitFor();
    await workbench.inBothThemes('tests action failed');
    await page.getByRole('button', { name: 'Keep as Test' }).click();
    await editor.waitForTitle(/^till-[0-9a-f]{8}\.toncall$/);
    assert.match(await editor.text(), /ended with result 37 \(not enough coins\) in the action phase/);
  });
});
