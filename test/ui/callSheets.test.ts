// Takes more than 20 s: one window goes through sheets, their edits, and their results.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { Address } from '@ton/core';
import { TonClient } from '@ton/ton';
import type { Locator } from 'playwright-core';
import { root } from '../../scripts/lib/root.mjs';
import { silentLog } from '../../src/toolkit/base/log';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { freePort } from '../support/freePort';
import { racingContracts, racingScenario, wallSource } from '../support/racingContracts';
import { signTransfer } from '../support/transfer';
import { DebugPane } from './support/debugPane';
import { pressLens } from './support/pressLens';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

/** Another network, with one answer for everything; get-methods of an address of ones are never answered. */
const elsewhere = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    if (/runGetMethod/.test(request.url ?? '') && body.includes('1'.repeat(64))) {
      return;
    }
    const answer = { accounts: [], gas_used: 700, exit_code: 0, stack: [{ type: 'num', value: '0x2a' }] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
});

const mixedSheet = `@network local
### one that passes
alice seqno()
expect 0 >= 0
### one that fails
alice seqno()
expect exit 0
expect 0 == 4711
`;
const slowSheet = `@network elsewhere
### never answered
0:${'1'.repeat(64)} seqno()
### not begun
0:${'1'.repeat(64)} seqno()
`;

const aliceAddress = namedAccounts.find(({ name }) => name === 'alice')?.address ?? '';
const streamedSheet = `@network streams
### her messages
${aliceAddress} seqno()
`;

describe('a call sheet', () => {
  let workbench: Workbench;
  let port: number;
  let streams: Localnet;

  before(async () => {
    port = await freePort();
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/api/v3`;
    streams = await startLocalnet({ port: 0, log: silentLog });
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.networks': [
          { name: 'Elsewhere', v3: other },
          { name: 'Streams', v2: streams.v2, v3: streams.v3 },
        ],
        'tonWorkbench.ports': { localNetwork: port },
        'tonWorkbench.startWithWindow': { localNetwork: true },
      },
    });
    // Before the first look for a file: the editor keeps that list for a while.
    await writeFile(path.join(workbench.folder, 'mixed.toncall'), mixedSheet);
    await writeFile(path.join(workbench.folder, 'streamed.toncall'), streamedSheet);
    const [race] = racingContracts;
    assert.ok(race);
    await mkdir(path.join(workbench.folder, 'race'));
    await writeFile(path.join(workbench.folder, 'race/wall.tolk'), wallSource);
    await writeFile(path.join(workbench.folder, 'race/pot0.tolk'), race.racing);
    await writeFile(path.join(workbench.folder, 'race/race.toncall'), racingScenario(race, 0));
  });
  after(async () => {
    await workbench?.close();
    await streams?.close();
    elsewhere.closeAllConnections();
    elsewhere.close();
  });

  const lens = (text: string | RegExp): Locator =>
    workbench.page.locator('.codelens-decoration a', { hasText: text }).first();
  /** A row of the Test Explorer in this state. */
  const row = (text: string, state = '('): Locator =>
    workbench.page
      .locator(`.test-explorer .monaco-list-row[aria-label*="${state}"]`, { hasText: text })
      .first();
  const runTests = async (sheet: string): Promise<void> => {
    await row(sheet).locator('.monaco-tl-twistie').click();
    await row(sheet).hover();
    await row(sheet).locator('.codicon-testing-run-icon').click();
  };
  const suggestion = (text: string): Locator =>
    workbench.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: text }).first();

  it('is written by keyboard, with the known names and methods', async () => {
    const { page } = workbench;
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await workbench.runCommand('TON: New Call Sheet');
    await workbench.editor.waitForTitle('calls.toncall');
    await lens('Run all 4').waitFor();
    await workbench.screenshot('call sheet new dark');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n### public key\nbo');
    await page.keyboard.press('Control+Space');
    await suggestion('bob').waitFor();
    await page.keyboard.type('b get_publ');
    await suggestion('get_public_key').waitFor();
    await workbench.screenshot('call sheet completion dark');
    await page.keyboard.press('Enter');
    await lens('Run all 5').waitFor();
    assert.match(await workbench.openDocumentText(), /^bob get_public_key\(\)/m);
  });

  it('runs a call: the answer opens beside it, the result of expectations at the line', async () => {
    const { page } = workbench;
    await lens(/^\s*Run$/).click();
    await page.locator('.editor-group-container .tab .label-name', { hasText: 'seqno on alice' }).waitFor();
    await page.locator('.view-line', { hasText: /success.*\(exit.*0\)/ }).waitFor();
  });

  it('watches a call and marks what changed with another block', async () => {
    const { page } = workbench;
    await lens('Watch').click();
    await lens(/Stop watching, block/).waitFor();
    const v2 = `http://127.0.0.1:${port}/api/v2`;
    const bob = namedAccounts.find(({ name }) => name === 'bob');
    assert.ok(bob);
    const { boc } = await signTransfer(v2, Address.parse(bob.address), '1');
    await new TonClient({ endpoint: `${v2}/jsonRPC` }).sendFile(boc);
    await page.locator('.view-line', { hasText: /out\s+0\s+int\s+1/ }).waitFor();
    await page.locator('.view-line span[class*="ced-"]').first().waitFor({ state: 'attached' });
    const [, block] = /TON Local (\d+)/.exec((await workbench.statusBar.texts()).join(' ')) ?? [];
    await lens(`Stop watching, block ${block}`).waitFor();
    await workbench.screenshot('call sheet watched dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('call sheet watched light');
    await lens(/Stop watching/).click();
    await lens(/Stop watching/).waitFor({ state: 'detached' });
  });

  it('compares the answers of two networks side by side', async () => {
    await lens('Compare networks').click();
    await workbench.quickInput.asks('TON: Compare Local With');
    await workbench.quickInput.pick('Elsewhere');
    await workbench.editor.waitForTitle('seqno on alice: Local ↔ Elsewhere');
    const line = (text: RegExp): Locator =>
      workbench.page.locator('.monaco-diff-editor .view-line', { hasText: text }).first();
    await line(/out\s+0\s+int\s+42/).waitFor();
    await line(/gas\s700,\sover\sv3/).waitFor();
    await workbench.page
      .locator('.monaco-diff-editor')
      .getByText(/out\s+0\s+int\s+1\s*$/)
      .first()
      .waitFor();
    await workbench.screenshot('call sheet networks compared light');
    await workbench.runCommand('View: Close All Editor Groups');
    await workbench.page.getByRole('button', { name: /Don.t Save/ }).click();
  });

  it("shows a method's parameters while its arguments are typed", async () => {
    const { page } = workbench;
    const script = path.join(root, 'examples/scripts/deployCounter.mjs');
    await promisify(execFile)(process.execPath, [script, `http://127.0.0.1:${port}/api/v2`]);
    await workbench.runCommand('Go to File...');
    await workbench.quickInput.type('counter.toncall');
    await workbench.quickInput.pick('counter.toncall');
    await workbench.editor.waitForTitle('counter.toncall');
    await lens('Run all 4').waitFor();
    // Its bare name of an account is right only where the types are known.
    await lens('Run all 4').click();
    await page.locator('.glyph-margin-widgets .codicon-testing-passed-icon').nth(3).waitFor();
    await page.locator('.view-line', { hasText: 'bob may not' }).click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\ncounter isOwner(');
    const hints = page.locator('.parameter-hints-widget.visible');
    await hints.getByText('isOwner(').first().waitFor();
    assert.match(await hints.innerText(), /isOwner\(\w+: address\): bool/);
    assert.match(await hints.locator('.parameter.active').innerText(), /^\w+: address$/);
    await workbench.screenshot('call sheet parameters light');
    await page.keyboard.press('Escape');
    await page.keyboard.type('bob)');
    await lens('Run all 5').waitFor();
    await workbench.runCommand('File: Save');
  });

  it('reports in the Test Explorer: what passed, what failed, and where', async () => {
    const { page } = workbench;
    await workbench.runCommand(/Focus on Test Explorer View$/);
    await runTests('mixed.toncall');
    await row('one that passes', 'Passed').waitFor();
    await row('one that fails', 'Failed').waitFor();
    await workbench.screenshot('call sheet test explorer light');
    await workbench.runCommand('Go to File...');
    await workbench.quickInput.type('mixed.toncall');
    await workbench.quickInput.pick('mixed.toncall');
    await workbench.editor.waitForTitle('mixed.toncall');
    await page.locator('.test-error-content-widget', { hasText: /\d+ != 4711/ }).waitFor();
    await page
      .getByText(/Entry 0 is \d+, expected 4711/)
      .first()
      .waitFor();
    await workbench.screenshot('call sheet test failure light');
  });

  it('runs a watched call of another network when its stream tells of a change', async () => {
    await workbench.runCommand('Go to File...');
    await workbench.quickInput.type('streamed.toncall');
    await workbench.quickInput.pick('streamed.toncall');
    await workbench.editor.waitForTitle('streamed.toncall');
    await lens('Watch').click();
    await lens('Stop watching, runs when its account changes').waitFor();
    await workbench.page.locator('.view-line', { hasText: /out\s+0\s+int\s+0/ }).waitFor();
    const { boc } = await signTransfer(streams.v2, Address.parse(aliceAddress), '1');
    await new TonClient({ endpoint: `${streams.v2}/jsonRPC` }).sendFile(boc);
    await workbench.page.locator('.view-line', { hasText: /out\s+0\s+int\s+1/ }).waitFor();
    await workbench.screenshot('call sheet streamed light');
    await lens(/Stop watching/).click();
    await lens(/Stop watching/).waitFor({ state: 'detached' });
    await workbench.runCommand('View: Close All Editor Groups');
  });

  it('cancels in the Test Explorer', async () => {
    await writeFile(path.join(workbench.folder, 'slow.toncall'), slowSheet);
    await workbench.runCommand(/Focus on Test Explorer View$/);
    await runTests('slow.toncall');
    await row('never answered', 'Running').waitFor();
    await workbench.page.locator('.actions-container .codicon-testing-cancel-icon').first().click();
    await row('never answered', 'Skipped').waitFor();
    await row('not begun', 'Skipped').waitFor();
  });

  it('explores the orders of concurrent messages: the broken one is a picture, and a sheet', async () => {
    const { page, editor } = workbench;
    await workbench.openFile('race.toncall');
    const frame = page.locator('iframe.webview.ready');
    await pressLens(editor.lens('Explore Orders'), frame, 'visible', 40_000);
    const shown = editor.webview();
    await shown.getByText('race.toncall:6 Pot total() is 10, expected 17.').first().waitFor();
    await shown.locator('button[aria-pressed=true]', { hasText: 'Sequence' }).waitFor();
    await shown.getByRole('button', { name: 'Debug' }).first().waitFor();
    await page.locator('.notification-list-item', { hasText: 'breaks in the order 1.2.3.4' }).waitFor();
    await workbench.inBothThemes('call sheet order');
    await shown.getByRole('button', { name: 'Keep as a Sheet' }).click();
    await editor.waitForTitle('race.order.toncall');
    assert.match(await editor.text(), /^@concurrent 1\.2\.3\.4$/m);
    await lens('Repeat This Order').waitFor();
    // The sheet that was explored says it, too.
    await workbench.openFile('race.toncall');
    await page.locator('.squiggly-error').first().waitFor();
    const debug = new DebugPane(workbench);
    await page.locator('.editor-group-container .tab', { hasText: 'Pay: alice → Pot' }).click();
    await shown.getByRole('button', { name: 'Debug' }).first().click();
    await debug.button('step-back').waitFor();
    await debug.frame(/pot0\.tolk/).waitFor();
    await workbench.screenshot('call sheet order debugged dark');
    await debug.stop();
  });
});
