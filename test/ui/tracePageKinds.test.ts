// Takes more than 20 s: every kind of page is made by what makes it: a rehearsal, a replay, a webhook.
import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { freePort } from '../support/freePort';
import { changeAmount } from './support/changeAmount';
import { followLink } from './support/followLink';
import { openTill } from './support/openTill';
import { pressLens } from './support/pressLens';
import type { Workbench } from './support/workbench';

describe('one page for all that looks like a trace', () => {
  let workbench: Workbench;
  const page = (): FrameLocator => workbench.editor.webview();
  const kind = (text: string): Locator => page().locator('.kind', { hasText: text });
  const box = (name: string): Locator => page().locator('.box', { hasText: name });
  const tab = (text: RegExp): Locator => workbench.page.locator('.tab.active', { hasText: text }).first();

  before(async () => {
    workbench = await openTill({
      'tonWorkbench.ports': { localNetwork: await freePort(), webhooks: await freePort() },
    });
  });
  after(() => workbench?.close());

  it('shows a rehearsal as what did not happen, with the line that would throw', async () => {
    await workbench.compose('send Till Withdraw {amount: 700} 0.1ton from alice');
    await workbench.messages.pressInDialog('Show Rehearsal');
    await workbench.editor.waitForTitle(/^report on rehearsal of /);
    await workbench.view('Traces').click(/^rehearsal, not sent/);
    await kind('Rehearsal, nothing was sent').waitFor();
    await page().locator('.heading').getByRole('button', { name: 'till.tolk:8' }).waitFor();
    assert.equal(await page().locator('.box').count(), await page().locator('.box.emulated').count());
    await page().getByRole('button', { name: 'Send…' }).waitFor();
    await workbench.inBothThemes('trace page rehearsal');
    // Its boxes are dashed, and clicked like any other, between their letters, too.
    const { x, y, width, height } = (await page().locator('.box').first().boundingBox()) ?? assert.fail();
    await workbench.page.mouse.click(x + width - 12, y + height - 8);
    await page()
      .getByRole('heading', { name: /^alice, transaction 1 of 3$/ })
      .waitFor();
  });

  it('compares, from the row of a rehearsal, with what happened when it was sent', async () => {
    await workbench.page.locator('.tab', { hasText: /^report on rehearsal of / }).click();
    const sent = workbench.page.locator('.monaco-dialog-box');
    await pressLens(workbench.editor.lens('Send…'), sent);
    await workbench.messages.pressInDialog('Send Anyway');
    const view = workbench.view('Traces');
    await view.row(/^rehearsal, not sent/).waitFor({ state: 'detached' });
    // It is below the row of what happened, which may be open already, since its page shows one of its transactions.
    await view.expand(/^Withdraw/);
    await view.contextMenu(/^rehearsal$/, 'Compare Trace with…');
    await workbench.quickInput.asks('TON: Compare');
    await workbench.quickInput.pick(/What happened/);
    await kind('Comparison').waitFor();
    await box('Till').waitFor();
    await workbench.inBothThemes('trace page rehearsal compared');
  });

  it('shows a replay with changes as what did not happen, and what differs', async () => {
    await workbench.view('Traces').contextMenu(/^Withdraw/, 'Replay With Changes…');
    await workbench.quickInput.asks('TON: Replay With Changes');
    if (await workbench.quickInput.row(/Till/).isVisible()) {
      await workbench.quickInput.accept();
    }
    await changeAmount(workbench, '50');
    await workbench.quickInput.pick('Use This Body');
    await workbench.editor.waitForTitle(/^edited replay of Till /);
    await pressLens(workbench.editor.lens('Picture'), kind('Replay with changes: this did not happen'));
    await box('Till').waitFor();
    await workbench.inBothThemes('trace page replay');
  });

  it('is saved as a PNG with the whole picture', async () => {
    await workbench.view('Traces').click(/^Withdraw/);
    await page().locator('.heading').getByRole('button', { name: 'till.tolk:8' }).waitFor();
    await page().getByRole('combobox', { name: 'Export' }).selectOption('png');
    await workbench.quickInput.asks('Export');
    await workbench.quickInput.accept();
    await workbench.messages.waitForNotification(/Saved trace-.*\.png/);
    const [name = ''] = (await readdir(workbench.folder)).filter((file) => file.endsWith('.png'));
    const bytes = await readFile(path.join(workbench.folder, name));
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    await workbench.screenshot('trace page saved', () => Promise.resolve(bytes));
    const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    assert.ok(
      size.every((side) => side > 500),
      size.join(' × '),
    );
  });

  it("is opened from a webhook's payment by its trace id", async () => {
    await workbench.runCommand('TON: Start Webhook Listener');
    await workbench.messages.notification(/Made a test secret/).waitFor();
    const view = await workbench.showView('Webhooks');
    await workbench.runCommand('TON: Send Test Webhook…');
    await workbench.quickInput.pick('success');
    await workbench.quickInput.pick("This window's listener");
    await workbench.quickInput.pick('A transfer on the local network…');
    await workbench.quickInput.asks('A Transfer on the Local Network');
    await workbench.quickInput.pick(/ TON$/);
    await workbench.quickInput.pick('Send');
    const delivery = view.row(/^success: /);
    await view
      .row(/^other deliveries$/)
      .or(delivery)
      .first()
      .waitFor();
    if (!(await delivery.isVisible())) {
      await view.toggle(/^other deliveries$/);
    }
    await view.click(/^success: /);
    const id = workbench.page
      .locator('.view-line', { hasText: /traceId/ })
      .locator('.detected-link')
      .first();
    await followLink(id, tab(/→|deploy|faucet/));
    await page().locator('.box').first().waitFor();
    await workbench.inBothThemes('trace page of a payment');
    // Its row leads there at once, at the transaction that paid.
    await workbench.runCommand('View: Close All Editors');
    await view.rowAction(/^success: /, 'Show Trace of Payment');
    await page().locator('.box.selected').waitFor();
  });

  it('has rows in the list that screen readers and axe accept', async () => {
    const view = workbench.view('Traces');
    const rows = await view.pane.locator('.monaco-list-row').evaluateAll((elements) =>
      elements.map((row) => ({
        role: row.getAttribute('role'),
        name: row.getAttribute('aria-label') ?? '',
        shown: ['.label-name', '.label-description'].map(
          (part) => row.querySelector(part)?.textContent?.trim() ?? '',
        ),
      })),
    );
    for (const { role, name, shown } of rows) {
      assert.equal(role, 'treeitem');
      assert.match(name, /^(success|failed|emulated|bounced|code not run|undone|rehearsal)\b/);
      assert.ok(
        shown.every((text) => name.includes(text)),
        `${name} does not say ${shown.join(', ')}`,
      );
    }
    await view.pane.evaluate((element) => element.setAttribute('data-examined', 'traces'));
    const { violations } = await new AxeBuilder({ page: workbench.page })
      .include('[data-examined=traces] .monaco-list-row')
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
      // The editor writes label and description of a row without a space between them, and our name has one.
      .disableRules(['label-content-name-mismatch'])
      .analyze();
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 80)).join(', ')}`),
      [],
    );
  });
});
