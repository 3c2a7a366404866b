// Takes more than 20 s: a contract is deployed, and its failed message is replayed, changed, and sent again.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import type { Workbench } from './support/workbench';
import { followLink } from './support/followLink';
import { openTill } from './support/openTill';
import { pressLens } from './support/pressLens';
import { waitForMark } from './support/waitForMark';

describe('a replay in the editor', () => {
  let workbench: Workbench;
  /** The link to the line that threw; a wrapped line has the beginning of its words in another element. */
  const linkToLine = (): Locator =>
    workbench.page.locator('.view-line .detected-link', { hasText: /tolk:8$/ }).first();
  /** The tab in front. */
  const tab = (text: string | RegExp): Locator =>
    workbench.page.locator('.tab.active', { hasText: text }).first();

  before(async () => {
    workbench = await openTill({
      // Nothing answers there.
      'tonWorkbench.networks': [
        { name: 'Elsewhere', v2: 'http://127.0.0.1:1/api/v2', v3: 'http://127.0.0.1:1/api/v3' },
      ],
    });
  });
  after(() => workbench?.close());

  it('names the line that threw in the sentence that says why a trace failed, and leads to it', async () => {
    await workbench.view('Traces').contextMenu(/Withdraw/, 'Show Trace as Text');
    await workbench.editor.waitForTitle(/^Withdraw: alice → Till$/);
    const place = linkToLine();
    await place.waitFor();
    const sentence =
      /^✗ Till refused Withdraw: ERR_OVER_LIMIT, 402\n {4}till\.tolk:8 {2}assert \(message\.amount <= kept\.limit\)\n {25}500 +<= 100\n {2}alice → Till, 0\.1 TON; 0\.\d+ TON came back$/m;
    assert.match(await workbench.openDocumentText(), sentence);
    await workbench.inBothThemes('trace page line that threw');
    await followLink(place, tab('till.tolk'));
    await waitForMark(
      workbench.page.locator('.view-line', { hasText: 'throw ERR_OVER_LIMIT;' }).first(),
      /threw here: message\.amount = 500, kept\.limit = 100/,
    );
    await pressLens(
      workbench.editor.lens('Dismiss'),
      workbench.editor.lens('Till: exit code 402 (ERR_OVER_LIMIT)'),
      'detached',
    );
    // The page of the transaction alone says it, too.
    await workbench.view('Traces').expand(/Withdraw/);
    await workbench.view('Traces').contextMenu(/^(\w )?Till$/, 'Show Transaction as Text');
    await workbench.editor.waitForTitle(/^(\w )?Till in /);
    await place.waitFor();
  });

  it('runs the failed transaction of a trace again, and is exact', async () => {
    const view = workbench.view('Traces');
    await view.contextMenu(/Withdraw/, 'Replay…');
    await workbench.quickInput.asks('TON: Replay');
    // The one that failed comes first.
    await workbench.quickInput.accept();
    await workbench.editor.waitForTitle(/^replay of Till /);
    await workbench.editor.lens('Steps').waitFor();
    const text = await workbench.openDocumentText();
    assert.match(text, /^Exact: the replayed transaction is identical, byte for byte\.\n/);
    assert.match(text, /exit code 402 \(ERR_OVER_LIMIT\)/);
    assert.match(text, /requests +\d+/);
    await workbench.inBothThemes('replay exact');
  });

  it('names the line that threw, with the values there, and leads to it', async () => {
    assert.match(
      await workbench.openDocumentText(),
      /threw at till\.tolk:8: assert \(message\.amount <= kept\.limit\) throw ERR_OVER_LIMIT;\n(  .*\n)*  message\.amount = 500\n/,
    );
    // The shortest way: the failed row, and the line in its page's verdict.
    await workbench.view('Traces').click(/Withdraw/);
    const header = workbench.editor.webview().locator('.heading');
    await header.getByRole('button', { name: 'till.tolk:8' }).click();
    await tab('till.tolk').waitFor();
    await workbench.editor.lens('Till: exit code 402 (ERR_OVER_LIMIT)').waitFor();
    await waitForMark(
      workbench.page.locator('.view-line', { hasText: 'throw ERR_OVER_LIMIT;' }).first(),
      /threw here: message\.amount = 500, kept\.limit = 100/,
    );
    await workbench.inBothThemes('replay line that threw');
    await pressLens(
      workbench.editor.lens('Dismiss'),
      workbench.editor.lens('Till: exit code 402 (ERR_OVER_LIMIT)'),
      'detached',
    );
    await workbench.page.locator('.tab', { hasText: /^replay of Till/ }).click();
    await workbench.editor.waitForTitle(/^replay of Till /);
    await workbench.editor.lens('Line That Threw').waitFor();
  });

  it('leads to the line before anything is sent: a rehearsal fails there, too', async () => {
    await workbench.compose('send Till Withdraw {amount: 700} 0.1ton from alice');
    await workbench.messages.pressInDialog('Show Rehearsal');
    await workbench.editor.waitForTitle(/^report on rehearsal of /);
    await workbench.view('Traces').contextMenu(/^rehearsal, not sent/, 'Show Trace as Text');
    await linkToLine().waitFor();
    assert.match(
      await workbench.openDocumentText(),
      /^✗ emulated: Till would refuse Withdraw: ERR_OVER_LIMIT, 402\n {4}till\.tolk:8 {2}assert .*\n +700 +<= 100\n/m,
    );
    await pressLens(workbench.editor.lens('Line That Threw'), tab('till.tolk'));
    await waitForMark(
      workbench.page.locator('.view-line', { hasText: 'throw ERR_OVER_LIMIT;' }).first(),
      /threw here: message\.amount = 700, kept\.limit = 100/,
    );
    await workbench.inBothThemes('rehearsal line that threw');
    await pressLens(workbench.editor.lens('Till: exit code 402 (ERR_OVER_LIMIT)'), tab(/^rehearsal of Till/));
    const again = await workbench.openDocumentText();
    assert.match(again, /^Rehearsal: this has not happened\.\n\naccount /);
    await workbench.inBothThemes('rehearsal run again');
    // Its steps are one click from the rehearsal, too.
    await workbench.page.locator('.tab', { hasText: /^report on rehearsal of / }).click();
    await pressLens(
      workbench.editor.lens('Steps'),
      workbench.page.locator('.quick-input-title:visible', { hasText: 'TON: Show Steps' }),
    );
    await workbench.quickInput.accept();
    await workbench.editor.waitForTitle(/^steps of the rehearsal of Till /);
    assert.match(
      await workbench.openDocumentText(),
      /^steps of the rehearsal of Till .*: this did not happen\n/,
    );
    await workbench.page.locator('.tab', { hasText: /^replay of Till/ }).click();
    await workbench.editor.waitForTitle(/^replay of Till /);
  });

  it('lists every step of the VM, with readable values', async () => {
    // From the row of the transaction, as from the page of its replay.
    await workbench.view('Traces').contextMenu(/^(\w )?Till$/, 'Show Steps…');
    await workbench.editor.waitForTitle(/^steps of the re(hearsal|play) of Till /);
    await workbench.page.locator('.tab', { hasText: /^replay of Till/ }).click();
    await pressLens(workbench.editor.lens('Steps'), tab(/^steps of the replay of Till /));
    const text = await workbench.openDocumentText();
    assert.match(text, /step +position +line +instruction +gas +gas left +stack before/);
    assert.match(text, /SETCP 0/);
    assert.match(text, /till\.tolk:8 +(THROWIFNOT|THROWIF|THROWARG)/);
    assert.match(text, /exit code 402: nothing caught this exception/);
    assert.doesNotMatch(text, /B5EE9C72/);
    await workbench.inBothThemes('replay steps');
    await pressLens(workbench.editor.lens('Result'), tab(/^replay of Till /));
  });

  it('lists the steps of a get-method, with their lines, from the page of its answer', async () => {
    await workbench.page.locator('.tab', { hasText: 'till.tolk' }).click();
    await pressLens(workbench.editor.lens(/limit\(\) = 100 on Till/), tab(/^limit on Till/));
    await pressLens(workbench.editor.lens('Steps'), tab(/^steps of limit on Till/));
    const text = await workbench.openDocumentText();
    assert.match(text, /^steps of limit on Till, block [\d ]+: exit code 0, 479 gas\n/);
    assert.match(text, /till\.tolk:13 +\S/);
    assert.match(text, /step +position +line +instruction +gas +gas left +stack before/);
    await workbench.inBothThemes('get-method steps');
    await workbench.runCommand('View: Close All Editors in Group');
    await workbench.page.locator('.tab', { hasText: /^replay of Till/ }).click();
    await workbench.editor.waitForTitle(/^replay of Till /);
  });

  it('asks what should be different, field by field, and labels the result as edited', async () => {
    await workbench.runCommand('TON: Replay With Changes…');
    await workbench.quickInput.asks('TON: Replay With Changes');
    await workbench.screenshot('replay changes dark');
    await workbench.quickInput.pick('Message Body');
    await workbench.quickInput.accept();
    await workbench.quickInput.asks(/: Withdraw/);
    await workbench.quickInput.row('queryId: 0').waitFor();
    await workbench.quickInput.edit('amount');
    await workbench.quickInput.asks(/amount of Till Withdraw/);
    assert.equal(await workbench.quickInput.input.inputValue(), '500');
    await workbench.quickInput.type('five');
    assert.match(await workbench.quickInput.errorText(), /five/);
    await workbench.quickInput.fill('50');
    await workbench.quickInput.pick('Use This Body');
    await workbench.editor.waitForTitle(/^edited replay of Till /);
    const text = await workbench.openDocumentText();
    assert.match(
      text,
      /^Edited: this did not happen\. Changed: body=Withdraw \{queryId: 0, amount: 50\}\.\n/,
    );
    assert.match(text, /exit code +402 \(ERR_OVER_LIMIT\) +0/);
    await workbench.inBothThemes('replay edited');
    // Nothing was sent.
    await workbench.page.locator('.tab', { hasText: 'till.tolk' }).click();
    await workbench.editor.lens(/limit\(\) = 100 on Till/).waitFor();
  });

  it('goes back to before the trace, sends the message with the changes, compares both, and undoes it', async () => {
    const limitIs = async (limit: number): Promise<void> => {
      await workbench.page.locator('.tab', { hasText: 'till.tolk' }).click();
      await workbench.editor.lens(new RegExp(`limit\\(\\) = ${limit} on Till`)).waitFor();
    };
    await workbench.compose('send Till Withdraw {amount: 10} 0.1ton from alice');
    await limitIs(90);
    await workbench.page.locator('.tab', { hasText: /^edited replay of Till/ }).click();
    await pressLens(
      workbench.editor.lens('Send Again With These Changes…'),
      workbench.page.locator('.quick-input-title:visible', { hasText: 'TON: Send Again With Changes' }),
    );
    // The changes of the edited replay.
    await workbench.quickInput.accept();
    await workbench.quickInput.row('amount: 50').waitFor();
    await workbench.quickInput.pick('Use This Body');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('This undoes 2 traces:').waitFor();
    assert.match(
      await dialog.innerText(),
      /send Withdraw again with changes\?[^]*(· Withdraw: alice → Till, [\d:]+\s+){2}/,
    );
    await workbench.screenshot('send again question dark');
    await workbench.messages.pressInDialog('Go Back and Send');
    // The picture first; the text and the way back are a click away.
    const comparison = /^Withdraw: alice → Till and Withdraw: alice → Till$/;
    const page = workbench.editor.webview();
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true }).first();
    await page.locator('.box.compared-changed', { hasText: 'Till' }).waitFor();
    await button('Undo Send Again').waitFor();
    await workbench.inBothThemes('send again comparison');
    await button('Text').click();
    await workbench.editor.lens('Undo').waitFor();
    const text = await workbench.openDocumentText();
    assert.match(
      text,
      /left: call Till: Withdraw with 0\.1 TON[^]*ERR_OVER_LIMIT, 402[^]*right: call Till: Withdraw with 0\.1 TON/,
    );
    assert.match(text, /≠ +Till +Withdraw +/);
    await limitIs(50);
    await workbench
      .view('Traces')
      .pane.locator('.monaco-list-row[aria-label^="undone: Withdraw"]')
      .first()
      .waitFor();
    await workbench.page.locator('.tab', { hasText: comparison }).first().click();
    await button('Undo Send Again').click();
    // The failed trace has happened again.
    await workbench.view('Traces').pane.locator('.monaco-list-row[aria-label^="failed: Withdraw"]').waitFor();
    await button('Undo Send Again').waitFor({ state: 'detached' });
    await limitIs(90);
  });

  it('is saved to a file, which replays without a network', async () => {
    await workbench.page.locator('.tab', { hasText: /^replay of Till/ }).click();
    await workbench.runCommand('TON: Save Replay…');
    await workbench.quickInput.asks('Save Replay');
    await workbench.quickInput.accept();
    await workbench.messages.waitForNotification(/Saved replay-.*\.tonreplay/);
    const [file = ''] = (await readdir(workbench.folder)).filter((name) => name.endsWith('.tonreplay'));
    await workbench.runCommand('TON: Stop Local Network');
    await workbench.runCommand('Explorer: Focus on Folders View');
    await workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).click();
    const page = workbench.editor.webview();
    await page.getByText('Exact: the replayed transaction is identical').waitFor();
    await workbench.inBothThemes('replay file');
  });

  it('sends again on the local network only', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('TON: Switch Network…');
    await workbench.quickInput.pick(/Elsewhere/);
    await workbench.statusBar.item('TON Elsewhere').waitFor();
    await workbench.runCommand('TON: Send Again With Changes…');
    await workbench.messages.waitForNotification(
      'Elsewhere cannot go back to before a trace: what has happened there stays.',
    );
  });
});
