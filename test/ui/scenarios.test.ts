import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { freePort } from '../support/freePort';
import { markOf, waitForMark } from './support/waitForMark';
import { openWorkbench } from './support/workbench';
import type { Workbench } from './support/workbench';

const sheet = `@network local
@restore

### a new counter
deploy contracts/counter.tolk {owner: alice, value: 41} as Mine
expect Mine currentCounter() == 41

### anyone may add to it
send Mine Increase {queryId: 0, by: 1} 0.1ton from bob
expect exit 0
expect Mine owner() == bob

### what it is then
Mine currentCounter()
expect 0 == 42
`;

describe('a scenario in a call sheet', () => {
  let workbench: Workbench;
  let port: number;

  before(async () => {
    port = await freePort();
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { localNetwork: port },
        'tonWorkbench.startWithWindow': { localNetwork: true },
        // Only the keys in this test may open it.
        'testing.automaticallyOpenTestResults': 'neverOpen',
      },
    });
    await writeFile(path.join(workbench.folder, 'mine.toncall'), sheet);
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await workbench.runCommand('Go to File...');
    await workbench.quickInput.type('mine.toncall');
    await workbench.quickInput.pick('mine.toncall');
    await workbench.editor.waitForTitle('mine.toncall');
  });
  after(() => workbench?.close());

  const line = (text: string | RegExp): Locator =>
    workbench.page.locator('.view-line', { hasText: text }).first();
  const block = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/control/status?wait=5`);
    return ((await answer.json()) as { seqno: number }).seqno;
  };
  const suggestion = (text: string): Locator =>
    workbench.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: text }).first();

  it('runs by key: values at the ends of lines, one mark for each failure, and no leftovers', async () => {
    const { page } = workbench;
    const before = await block();
    await line('### a new counter').click();
    await page.keyboard.press('ControlOrMeta+Alt+a');
    await waitForMark(line(/as.Mine/), /→.deployed/);
    await waitForMark(line(/currentCounter\(\).==.41/), /✓/);
    await waitForMark(line(/^Mine.currentCounter\(\)/), /→.42/);
    await page.locator('.test-error-content-widget', { hasText: 'alice != bob' }).waitFor();
    assert.doesNotMatch(await markOf(line(/Mine.owner\(\).==.bob/)), /✗/);
    assert.equal(await block(), before);
    await workbench.screenshot('scenario in the editor dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('scenario in the editor light');
  });

  it('runs the step at the cursor after those that it depends on; its document begins with the verdict', async () => {
    const { page } = workbench;
    await line('### anyone may add').click();
    await page.keyboard.press('ControlOrMeta+Alt+r');
    await line(/✗.expect.Mine.owner\(\).==.bob/).waitFor();
    const texts = await page.locator('.editor-group-container').last().locator('.view-line').allInnerTexts();
    assert.match(texts.join('\n').replaceAll('\u00a0', ' '), /^✓ expect exit == 0\n✗ expect Mine owner/);
    assert.equal(await page.locator('.test-error-content-widget').count(), 1);
    await workbench.screenshot('scenario step light');
  });

  it('completes messages and fields from the source that it deploys, and marks errors', async () => {
    const { page } = workbench;
    await line('### what it is then').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n### typed\nsend Mine ');
    await suggestion('Increase').waitFor();
    await workbench.screenshot('scenario completion light');
    await page.keyboard.press('Escape');
    await page.keyboard.type('Increase {queryId: 0, ');
    await suggestion('by').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('bx: 1} 0.1ton');
    await page.locator('.squiggly-error').first().waitFor();
    await workbench.runCommand('View: Toggle Problems');
    await page.getByText(/bx/).last().waitFor();
    await workbench.screenshot('scenario problem light');
  });
});
