import assert from 'node:assert/strict';
import { Address } from '@ton/core';
import { TonClient } from '@ton/ton';
import type { Locator } from 'playwright-core';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { freePort } from '../support/freePort';
import { signTransfer } from '../support/transfer';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

describe('a call sheet', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let port: number;

  before(async () => {
    port = await freePort();
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.localNetwork.port': port,
        'tonWorkbench.localNetwork.startWithWindow': true,
      },
    });
  });
  after(() => workbench?.close());

  const lens = (text: string | RegExp): Locator =>
    workbench.page.locator('.codelens-decoration a', { hasText: text }).first();
  const suggestion = (text: string): Locator =>
    workbench.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: text }).first();

  it('is written by keyboard, with the names and methods that are known', async () => {
    const { page } = workbench;
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await workbench.runCommand('TON: New Call Sheet');
    await lens('Run all 1').waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n### public key\nbo');
    await page.keyboard.press('Control+Space');
    await suggestion('bob').waitFor();
    await page.keyboard.type('b get_publ');
    await suggestion('get_public_key').waitFor();
    await workbench.screenshot('call sheet completion dark');
    await page.keyboard.press('Enter');
    await lens('Run all 2').waitFor();
    assert.match(await workbench.openDocumentText(), /^bob get_public_key\(\)/m);
  });

  it('runs a call: the answer beside it, what was expected at its line', async () => {
    const { page } = workbench;
    await lens(/^\s*Run$/).click();
    await page.locator('.editor-group-container .tab .label-name', { hasText: 'seqno on alice' }).waitFor();
    await page.locator('.view-line', { hasText: /success.*\(exit.*0\)/ }).waitFor();
  });

  it('watches a call and marks what another block has changed', async () => {
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
    await workbench.screenshot('call sheet watched dark');
    await workbench.setTheme('light');
    await workbench.screenshot('call sheet watched light');
    await lens(/Stop watching/).click();
    await lens(/Stop watching/).waitFor({ state: 'detached' });
  });
});
