// Takes more than 20 s: one window goes through every command of the list of traces.
import { Address, beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { freePort } from '../support/freePort';
import { signTransfer } from '../support/transfer';
import { openTraceFile } from './support/openTraceFile';
import { patience } from './support/patience';
import type { Workbench } from './support/workbench';
import { runCommandLine } from '../support/commandLine';
import { openWorkbench } from './support/workbench';
import { showHover } from './support/showHover';

describe('sending, following and opening', () => {
  let workbench: Workbench;
  let v2: string;

  before(async () => {
    const port = await freePort();
    v2 = `http://127.0.0.1:${port}/api/v2`;
    workbench = await openWorkbench({ settings: { 'tonWorkbench.ports': { localNetwork: port } } });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
  });
  after(() => workbench?.close());

  const lens = (text: string): Locator =>
    workbench.page.locator('.codelens-decoration:visible', { hasText: text });
  const copy = (text: string): Promise<void> =>
    workbench.page.evaluate((value) => navigator.clipboard.writeText(value), text);

  it('sends a BoC from the clipboard at once, and selects its row', async () => {
    const bob = Address.parse(namedAccounts[1]?.address ?? '');
    const { boc } = await signTransfer(v2, bob, '12.5', 'rent');
    await copy(boc.toString('base64'));
    await workbench.runCommand('TON: Send BoC…');
    await workbench.quickInput.pick(/Clipboard/);
    const view = workbench.view('Traces');
    await view
      .row(/12\.5 TON/)
      .and(workbench.page.locator('.selected'))
      .waitFor();
    await workbench.statusBar.item(/as rehearsed/).waitFor();
    assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0);
  });

  it('shows the trace as a tree and its transactions as documents', async () => {
    const view = workbench.view('Traces');
    await view.contextMenu(/12\.5 TON/, 'Show Trace as Text');
    await workbench.editor.waitForTitle('transfer 12.5 TON: alice → bob');
    // An editor that loses the focus too soon asks for no lenses.
    await lens('Picture').waitFor();
    const document = await workbench.openDocumentText();
    assert.match(document, /alice/);
    assert.match(document, /bob/);
    assert.match(document, /rent/);
    await view.toggle(/12\.5 TON/);
    await view.row(/B bob/).waitFor();
    await workbench.screenshot('traces dark');
    await view.contextMenu(/B bob/, 'Show Transaction as Text');
    await workbench.editor.waitForTitle('bob in transfer 12.5 TON: alice → bob');
    await lens('Whole Trace').waitFor();
    assert.match(await workbench.openDocumentText(), /12\.5/);
    await workbench.screenshot('transaction dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('transaction light');
    await workbench.setPictureTheme('hcLight');
    await workbench.screenshot('transaction high contrast light');
    await workbench.setPictureTheme('hcDark');
    await workbench.screenshot('transaction high contrast');
    await view.contextMenu(/12\.5 TON/, 'Show Trace as Text');
    await workbench.editor.waitForTitle('transfer 12.5 TON: alice → bob');
    await lens('Picture').waitFor();
    await workbench.screenshot('traces high contrast');
    await workbench.setPictureTheme('light');
  });

  it('draws the trace on a page, and selects what is selected in it', async () => {
    const view = workbench.view('Traces');
    await view.rowAction(/12\.5 TON/, 'Show Trace Page');
    const page = workbench.editor.webview();
    await page.getByText('bob').first().waitFor();
    for (const name of ['alice', 'bob']) {
      await page.getByText(name, { exact: true }).first().click();
      await view
        .row(new RegExp(`^[AB] ${name}$`))
        .and(workbench.page.locator('.selected'))
        .waitFor();
    }
    await workbench.screenshot('trace page transfer light');
    await workbench.setPictureTheme('dark');
    await workbench.screenshot('trace page transfer dark');
    await workbench.setPictureTheme('light');
  });

  it('opens an emulation from a file, and always marks it as one', async () => {
    const bob = Address.parse(namedAccounts[1]?.address ?? '');
    const { boc } = await signTransfer(v2, bob, '3.25', 'not yet');
    const answer = await fetch(v2.replace('/api/v2', '/api/emulate/v1/emulateTrace'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ boc: boc.toString('base64'), with_actions: true, include_address_book: true }),
    });
    assert.equal(answer.status, 200);
    await writeFile(path.join(workbench.folder, 'emulated.json'), await answer.text());
    await openTraceFile(workbench, 'emulated.json');
    await workbench.editor.waitForTitle('emulated: transfer 3.25 TON: alice → bob');
    const view = workbench.view('Traces');
    await view.contextMenu(/emulated: transfer 3\.25 TON/, 'Show Trace as Text');
    await lens('emulated.json, emulated, not sent').waitFor();
    const document = await workbench.openDocumentText();
    assert.match(
      document,
      /^◌ emulated: transfer 3\.25 TON, alice → bob, comment "not yet"\n {2}emulated, not in a block/,
    );
    assert.doesNotMatch(document, /^✓/m);
    await view.toggle(/emulated: transfer 3\.25 TON/);
    for (const row of [/emulated: transfer 3\.25 TON/, /^A alice$/, /^B bob$/]) {
      const beaker = view.row(row).locator('.codicon-beaker');
      await beaker.waitFor();
      assert.match((await view.row(row).getAttribute('aria-label')) ?? '', /^emulated: /);
    }
    await workbench.screenshot('emulated trace light');
    await view.rowAction(/emulated: transfer 3\.25 TON/, 'Show Trace Page');
    const page = workbench.editor.webview();
    await page.getByText('Rehearsal, nothing was sent').waitFor();
    const frames = page.locator('.box.emulated > .frame');
    await frames.nth(1).waitFor();
    assert.equal(await page.locator('.box').count(), 2);
    for (const frame of await frames.all()) {
      const dashes = await frame.evaluate((element) => getComputedStyle(element).strokeDasharray);
      assert.match(dashes, /^6px, 4px$/);
    }
    await workbench.screenshot('emulated trace page light');
    await workbench.runCommand('TON: Clear Traces');
  });

  it("pages through an account's traces, and filters them", async () => {
    const bob = namedAccounts[1]?.address ?? '';
    for (let count = 0; count < 21; count += 1) {
      const given = await fetch(v2.replace('/api/v2', '/control/faucet'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ address: bob, amount: '1000000000' }),
      });
      assert.equal(given.status, 200);
    }
    await workbench.runCommand('TON: Recent Traces of an Account…');
    await workbench.quickInput.pick('bob');
    const view = workbench.view('Traces');
    const more = /^Load more traces of bob/;
    await workbench.editor.waitForTitle('transfer 1 TON: faucet → bob');
    await view.row(/transfer 1 TON/).waitFor();
    // Rows of the live list may still be added above it.
    for (const end = Date.now() + patience; !(await view.row(more).isVisible()) && Date.now() < end;) {
      await view.pane.locator('.monaco-list').press('End');
      await workbench.page.waitForTimeout(300);
    }
    await view.click(more);
    await view.row(more).waitFor({ state: 'detached' });
    await workbench.runCommand('TON: Compare Trace with…');
    await workbench.quickInput.pick(/transfer 1 TON: faucet → bob/);
    await workbench.quickInput.type('12.5');
    await workbench.quickInput.pick(/transfer 12\.5 TON/);
    await workbench.editor.waitForTitle('transfer 1 TON: faucet → bob and transfer 12.5 TON: alice → bob');
    const page = workbench.editor.webview();
    await page.getByText('Comparison', { exact: true }).waitFor();
    await workbench.screenshot('comparison page light');
    await page.getByRole('button', { name: 'Text', exact: true }).first().click();
    await lens('Side by Side').waitFor();
    const comparison = await workbench.openDocumentText();
    assert.match(comparison, /^left: transfer 1 TON, faucet → bob\nright: transfer 12\.5 TON, alice → bob/);
    await workbench.screenshot('comparison light');
    await workbench.page.getByText('Side by Side').click();
    await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'rent' }).first().waitFor();
    await workbench.screenshot('comparison side by side light');
    await workbench.runCommand('TON: Filter Traces…');
    await workbench.quickInput.pick(/failed/);
    const said = view.pane.locator('.pane-header .description');
    await said.filter({ hasText: /^failed: 0 of 2\d$/ }).waitFor();
    await workbench.runCommand('TON: Filter Traces…');
    await workbench.screenshot('filter traces dark');
    await workbench.quickInput.pick(/show all/);
    await view.row(/transfer 1 TON/).waitFor();
    await workbench.runCommand('TON: Clear Traces');
  });

  it('names messages like the sources in the workspace', async () => {
    const control = async (
      command: string,
      parameters: object,
    ): Promise<{ address: string; trace: string }> => {
      const answer = await fetch(v2.replace('/api/v2', `/control/${command}`), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
      });
      return (await answer.json()) as { address: string; trace: string };
    };
    const build = await readFile(path.join(workbench.folder, 'build/Counter.compiled.json'), 'utf8');
    const { hex } = JSON.parse(build) as { hex: string };
    const alice = namedAccounts[0]?.address ?? '';
    const data = beginCell().storeAddress(Address.parse(alice)).storeInt(0, 64).endCell();
    const body = beginCell().storeUint(0x7e8764ef, 32).storeUint(0, 64).storeInt(5, 32).endCell();
    const { address } = await control('deploy', { code: hex, data: data.toBoc().toString('hex') });
    const sent = { from: alice, to: address, value: '100000000', body: body.toBoc().toString('hex') };
    const { trace } = await control('sendAs', sent);
    await copy('');
    await workbench.runCommand('TON: Open Trace…');
    await workbench.quickInput.asks('TON: Open Trace on Local');
    await workbench.quickInput.fill(trace);
    const page = workbench.editor.webview();
    await page
      .getByText(/^Increase/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Text', exact: true }).first().click();
    await workbench.page
      .locator('.view-line', { hasText: /\sIncrease\s/ })
      .first()
      .waitFor();
    const text = await workbench.openDocumentText();
    assert.match(text, /✓ +\w \S+ +Increase +0\.1 +exit 0/);
    // The command line calls everything the same, in the folder of the same project.
    const origin = v2.replace('/api/v2', '');
    const run = await runCommandLine(['trace', trace, '--network', origin], {}, workbench.folder);
    assert.equal(run.status, 0, run.stderr);
    const rows = (words: string): string[] =>
      words
        .split('\n')
        // A terminal has no links, so the command line's rows end with hashes.
        .map((line) =>
          line
            .replaceAll(/\s+/g, ' ')
            .replace(/ [0-9a-f]{64}$/, '')
            .trim(),
        )
        .filter((line) => /^[✓✗○◐◌] [A-Z] /.test(line));
    assert.ok(rows(text).length > 0, text);
    assert.deepEqual(rows(run.stdout), rows(text));
    await workbench.runCommand('TON: Clear Traces');
  });

  it('explains an address in a file, and opens it', async () => {
    const bob = namedAccounts[1]?.address ?? '';
    await writeFile(path.join(workbench.folder, 'shop.md'), `${bob} is the shop.\n`);
    await workbench.runCommand('Go to File...');
    await workbench.quickInput.type('shop.md');
    await workbench.quickInput.pick('shop.md');
    await workbench.editor.waitForTitle('shop.md');
    const hover = workbench.page.locator('.monaco-hover:visible');
    const address = workbench.page.locator('.view-line', { hasText: bob }).getByText(bob);
    await showHover(address, hover.filter({ hasText: /^bob/ }));
    assert.match(await hover.innerText(), /Local: active, 1 000 0\d+\.\d+ TON/);
    await workbench.screenshot('address hover light');
    await hover.getByText('Open Account').click();
    await workbench.editor.waitForTitle(/^bob on Local/);
  });

  it('opens an account with its facts and assets', async () => {
    await workbench.runCommand('TON: Open Account…');
    await workbench.quickInput.asks('TON: Open Account on Local');
    await workbench.quickInput.fill('bob');
    await workbench.editor.waitForTitle(/^bob on Local/);
    const text = await workbench.openDocumentText();
    assert.match(text, /^bob, active on Local$/m);
    assert.match(text, /is a\s+wallet_v4r2/);
    assert.match(text, /get-methods\s+.*seqno/);
    assert.match(text, /^ {2}wallet +wallet v4 r2, seqno \d+, id 698983191$/m);
    assert.match(text, /^jettons\n {2}It holds no jettons\.$/m);
    // The local network answers at once, so no section waits for a lens.
    assert.match(text, /^NFTs\n {2}It owns no NFTs\.$/m);
    assert.match(text, /^DNS names that resolve to it\n {2}No DNS name resolves to it/m);
    assert.doesNotMatch(text, /not loaded yet/);
    await workbench.screenshot('account light');
  });

  it('calls an endpoint with prompted parameters', async () => {
    await workbench.runCommand('TON: Call API Endpoint…');
    await workbench.quickInput.asks('TON: Call API Endpoint on Local');
    await workbench.quickInput.type('getAddressBalance');
    await workbench.screenshot('endpoint list light');
    await workbench.quickInput.accept();
    await workbench.quickInput.asks('TON: address of v2 getAddressBalance');
    await workbench.quickInput.type('nonsense');
    await workbench.quickInput.row(/has 8 characters, not the 48/).waitFor();
    await workbench.quickInput.fill('carol');
    await workbench.quickInput.asks('TON: v2 getAddressBalance');
    await workbench.quickInput.pick(/Call now/);
    await workbench.editor.waitForTitle('getAddressBalance.json');
    const answer = JSON.parse(await workbench.openDocumentText()) as { ok: boolean; result: string };
    assert.deepEqual([answer.ok, answer.result], [true, '1000000000000000']);
    await workbench.page.locator('.codelens-decoration', { hasText: 'Copy as curl' }).waitFor();
    await workbench.screenshot('endpoint answer light');
  });

  it('opens an answer of the API as traces', async () => {
    await workbench.runCommand('TON: Clear Traces');
    await workbench.runCommand('TON: Call API Endpoint…');
    await workbench.quickInput.asks('TON: Call API Endpoint on Local');
    await workbench.quickInput.type('Traces by account, trace, transaction');
    await workbench.quickInput.accept();
    await workbench.quickInput.asks('TON: v3 traces');
    await workbench.quickInput.pick(/Call now/);
    await workbench.editor.waitForTitle('traces.json');
    const lens = workbench.page.locator('.codelens-decoration a', { hasText: 'Open as traces' });
    await lens.waitFor();
    await workbench.screenshot('traces answer light');
    await lens.click();
    await workbench
      .view('Traces')
      .row(/deploy EQ/)
      .waitFor();
  });
});
