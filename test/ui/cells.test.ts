// Takes more than 20 s: cells of up to 10 MB are opened, and the page goes through axe.
import { beginCell, Cell, external, internal, SendMode, storeMessage, toNano } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { patience } from './support/patience';
import { assertAccessible } from './support/assertAccessible';
import { pickFromMenu } from './support/pickFromMenu';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';
import { showHover } from './support/showHover';

describe('looking into a bag of cells', () => {
  let workbench: Workbench;
  const alice = namedAccounts.find(({ name }) => name === 'alice')!;
  const wallet = WalletContractV5R1.create({
    workchain: 0,
    publicKey: Buffer.from(alice.publicKey, 'hex'),
  });
  const code = wallet.init.code;
  const body = wallet.createTransfer({
    seqno: 0,
    secretKey: Buffer.from(alice.secretKey, 'hex'),
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to: wallet.address, value: toNano('1.5'), body: 'rent' })],
  });
  const message = beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell();

  before(async () => {
    workbench = await openWorkbench();
    await writeFile(path.join(workbench.folder, 'wallet.boc'), code.toBoc());
    await writeFile(path.join(workbench.folder, 'broken.boc'), code.toBoc().subarray(0, 100));
  });
  after(() => workbench?.close());

  const copy = (text: string): Promise<void> =>
    workbench.page.evaluate((value) => navigator.clipboard.writeText(value), text);
  const copied = (): Promise<string> => workbench.page.evaluate(() => navigator.clipboard.readText());
  const copiedBoc = async (encoding: 'base64' | 'hex', wanted: Cell): Promise<void> => {
    for (const end = Date.now() + patience; Date.now() < end; await workbench.page.waitForTimeout(50)) {
      const text = await copied();
      if (/^(te6cc|b5ee9c72)/.test(text)) {
        assert.equal(/^[0-9a-f]+$/.test(text), encoding === 'hex');
        const [cell] = Cell.fromBoc(Buffer.from(text, encoding));
        assert.equal(cell?.hash().toString('hex'), wanted.hash().toString('hex'));
        return;
      }
    }
    assert.fail('nothing was copied');
  };
  const pressLens = (text: string): Promise<void> =>
    workbench.page.locator('.codelens-decoration a:visible', { hasText: text }).first().click();
  const goToCell = async (cell: number): Promise<void> => {
    await pressLens('Find a cell');
    await workbench.quickInput.asks(/TON: Find in/);
    await workbench.quickInput.fill(`#${cell}`);
    await workbench.quickInput.closed();
  };
  const inspectFromExplorer = async (name: string): Promise<void> => {
    await workbench.runCommand('View: Show Explorer');
    const rows = workbench.page.locator('.explorer-folders-view .monaco-list-row');
    await rows.filter({ hasText: name }).click({ button: 'right' });
    await pickFromMenu(workbench.page, 'Inspect BoC…');
  };

  it('shows a message from the clipboard: its meaning, its size, every cell', async () => {
    await copy(message.toBoc().toString('base64'));
    await workbench.runCommand('TON: Inspect BoC…');
    await workbench.quickInput.pick(/Clipboard/);
    await workbench.editor.waitForTitle(/^BoC .* cells$/);
    await workbench.page.locator('.codelens-decoration', { hasText: 'Send…' }).waitFor();
    const text = await workbench.openDocumentText();
    assert.match(text, /^BoC: [\d ]+ bytes, 4 cells, 1 root/);
    assert.ok(text.includes(wallet.address.toString()), text);
    assert.match(text, /comment\s+.*rent/);
    assert.match(text, new RegExp(`^  #0  .*${message.hash().toString('hex')}`, 'm'));
    await workbench.screenshot('cells message dark');
  });

  it('accepts a BoC pasted into the box, and says what is wrong with other text', async () => {
    await copy('');
    await workbench.runCommand('TON: Inspect BoC…');
    await workbench.quickInput.asks('TON: Inspect BoC');
    await workbench.quickInput.type('te6cc?');
    await workbench.quickInput.row(/"\?" is not allowed in base64/).waitFor();
    await workbench.screenshot('paste boc wrong dark');
    await workbench.quickInput.type(message.toBoc().toString('base64'));
    await workbench.quickInput.row(/Bag of cells, 4 cells/).waitFor();
    await workbench.screenshot('paste boc dark');
    await workbench.page.keyboard.press('Enter');
    await workbench.editor.waitForTitle(/^BoC .* cells$/);
    assert.match(await workbench.openDocumentText(), /^BoC: [\d ]+ bytes, 4 cells, 1 root/);
    await workbench.runCommand('View: Close Editor');
  });

  it('folds the tree, finds a cell, and copies its subtree', async () => {
    await copy(code.toBoc().toString('hex'));
    await workbench.runCommand('TON: Inspect BoC…');
    await workbench.quickInput.pick(/Clipboard/);
    await workbench.editor.waitForTitle(/cells$/);
    await workbench.page.locator('.view-line', { hasText: 'BoC: 657 bytes' }).waitFor();
    const lines = workbench.page.locator('.view-line', { hasText: 'bits' });
    const before = await lines.count();
    await workbench.runCommand('Fold All');
    await workbench.page.waitForFunction(
      (count) =>
        [...document.querySelectorAll('.view-line')].filter((line) => line.textContent.includes('bits'))
          .length < count,
      before,
    );
    await workbench.runCommand('Unfold All');
    await goToCell(2);
    await copy('');
    await workbench.runCommand('TON: Copy Cell as…');
    await workbench.quickInput.pick('BoC');
    await copiedBoc('base64', code.refs[0]!.refs[0]!);
    await copy('');
    await pressLens('Copy as hex');
    await copiedBoc('hex', code);
    await workbench.screenshot('cells code dark');
  });

  it('shows a subtree by itself', async () => {
    await goToCell(2);
    await workbench.runCommand('TON: Inspect This Cell');
    await workbench.editor.waitForTitle(/cell #2$/);
    const hash = code.refs[0]!.refs[0]!.hash().toString('hex');
    assert.ok((await workbench.openDocumentText()).includes(`cell #2  ${hash}`));
  });

  it('disassembles code, method by method', async () => {
    await workbench.runCommand('View: Close Editor');
    await workbench.editor.waitForTitle(/cells$/);
    await pressLens('Disassemble code');
    await workbench.editor.waitForTitle(/code$/);
    const text = await workbench.openDocumentText();
    assert.match(text, /^recv_internal \(0\)$/m);
    assert.match(text, /^seqno \(85143\)\n {2}\S/m);
    assert.match(text, /^ {2}SETCP 0$/m);
    await workbench.screenshot('disassembly dark');
    await workbench.runCommand('View: Close Editor');
  });

  it('compares two BoCs', async () => {
    const other = beginCell().storeSlice(code.beginParse()).endCell();
    assert.ok(other.equals(code));
    const changed = beginCell().storeUint(7, 8).storeRef(code.refs[0]!).endCell();
    await copy(changed.toBoc().toString('base64'));
    await pressLens('Compare with another BoC');
    await workbench.quickInput.pick(/Clipboard/);
    await workbench.editor.waitForTitle(/ and BoC /);
    const text = await workbench.openDocumentText();
    assert.match(text, /data differs from bit 0\n {2}- ordinary 80 bits/);
    assert.equal(text.match(/^\S+.*differs/gm)?.length, 1, 'the equal subtree is skipped');
    await workbench.screenshot('compare bocs dark');
  });

  it('uses an ABI in the workspace, and reads a cell as any of its structs', async () => {
    const body = beginCell().storeUint(0x5ca1ab1e, 32).storeUint(7, 64).storeCoins(5).endCell();
    const point = {
      name: 'Point',
      header: null,
      fields: [abiField('x', 'int', 16), abiField('y', 'int', 16)],
    };
    const mint = {
      name: 'Mint',
      header: 0x5ca1ab1e,
      fields: [abiField('queryId', 'uint', 64), abiField('amount', 'uint', 'coins')],
    };
    const abi = { name: 'Minter', types: [mint, point], getters: [], errors: {} };
    await writeFile(path.join(workbench.folder, 'Minter.abi'), JSON.stringify(abi));
    await copy(body.toBoc().toString('hex'));
    await workbench.runCommand('TON: Inspect BoC…');
    await workbench.quickInput.pick(/Clipboard/);
    await workbench.page.locator('.view-line', { hasText: 'Mint (0x5ca1ab1e)' }).waitFor();
    const text = await workbench.openDocumentText();
    assert.match(
      text,
      /Mint \(0x5ca1ab1e\) {2}Minter, Minter\.abi\n {4}queryId {2}7\n {4}amount {3}0\.000000005 TON/,
    );
    await pressLens('Read as…');
    await workbench.quickInput.asks(/TON: Read Cell #0 of /);
    assert.match((await workbench.quickInput.readItems())[0]?.label ?? '', /Mint/);
    await workbench.screenshot('read cell as dark');
    await workbench.quickInput.pick(/Point/);
    await workbench.editor.waitForTitle(/ as Point$/);
    assert.match(await workbench.openDocumentText(), /✗ the cell has more data than the struct\n\nPoint/);
    await workbench.runCommand('View: Close Editor');
  });

  it('finds by hash, data, and address, lists the matches, and says when there are none', async () => {
    await copy(message.toBoc().toString('base64'));
    await workbench.runCommand('TON: Inspect BoC…');
    await workbench.quickInput.pick(/Clipboard/);
    await workbench.page.locator('.view-line', { hasText: '4 cells' }).first().waitFor();
    await pressLens('Find a cell');
    await workbench.quickInput.asks(/TON: Find in/);
    await workbench.quickInput.fill('x');
    assert.match(await workbench.quickInput.errorText(), /\w/);
    await workbench.quickInput.fill(wallet.address.toString());
    await workbench.quickInput.asks(/2 cells contain/);
    await workbench.screenshot('cells found dark');
    await workbench.quickInput.cancel();
    await pressLens('Find a cell');
    await workbench.quickInput.asks(/TON: Find in/);
    await workbench.quickInput.fill('nowhere to be found');
    await workbench.messages.waitForNotification(/No cell in .* contains nowhere to be found/);
    await workbench.messages.clearNotifications();
  });

  it('opens a BoC in text, by selection and by hover', async () => {
    const text = `{"boc":"${message.toBoc().toString('base64')}"}`;
    await writeFile(path.join(workbench.folder, 'answer.json'), text);
    await workbench.openFile('answer.json');
    const line = workbench.page.locator('.editor-group-container.active .view-line').first();
    const hover = workbench.page.locator('.monaco-hover-content', { hasText: 'Bag of cells, 4 cells' });
    await showHover(line, hover, { x: 200, y: 8 });
    await workbench.screenshot('boc hover dark');
    await hover.locator('a', { hasText: 'Inspect' }).click();
    await workbench.editor.waitForTitle(/^BoC .* cells$/);
    await workbench.runCommand('View: Close Editor');
    await copy('');
    await line.dblclick({ position: { x: 200, y: 8 } });
    await workbench.runCommand('Expand Selection');
    await workbench.runCommand('TON: Inspect BoC…');
    await workbench.quickInput.pick(/Selection/);
    await workbench.editor.waitForTitle(/^BoC .* cells$/);
  });

  it('shows 10 MB of cells, and goes to any of them', async () => {
    await writeFile(path.join(workbench.folder, 'large.boc'), largeBoc(145_000));
    await inspectFromExplorer('large.boc');
    await workbench.editor.waitForTitle('large.boc cells');
    await workbench.page.locator('.view-line', { hasText: '145 000 cells' }).first().waitFor();
    await goToCell(5000);
    await workbench.page.locator('.view-line', { hasText: '#5000 ' }).first().waitFor();
    await workbench.screenshot('large boc dark');
    await workbench.runCommand('View: Close Editor');
  });

  it('opens a file from the explorer', async () => {
    await workbench.setTheme('light');
    await inspectFromExplorer('wallet.boc');
    await workbench.editor.waitForTitle('wallet.boc cells');
    assert.match(
      await workbench.openDocumentText(),
      /^code of wallet v5 r1, \d get-methods\nBoC: 657 bytes, 20 cells/,
    );
    await workbench.screenshot('cells file light');
  });

  it('shows an opened .boc file, beginning with whose code it is', async () => {
    await workbench.openFile('wallet.boc');
    const pane = workbench.editor.webview();
    await pane.locator('pre', { hasText: 'BoC: 657 bytes, 20 cells' }).waitFor();
    assert.match((await pane.locator('pre').textContent()) ?? '', /^code of wallet v5 r1, \d get-methods\n/);
    await workbench.screenshot('boc editor light');
    await assertAccessible(workbench);
    await workbench.setTheme('hcDark');
    await workbench.screenshot('boc editor high contrast');
    await assertAccessible(workbench, '', 'colors');
    await workbench.setPictureTheme('light');
    await writeFile(path.join(workbench.folder, 'wallet.boc'), message.toBoc());
    await pane.locator('pre', { hasText: '4 cells' }).waitFor();
    await pane.locator('a', { hasText: 'Open as text' }).click();
    await workbench.editor.waitForTitle('wallet.boc cells');
    await workbench.page.locator('.view-line', { hasText: '4 cells' }).first().waitFor();
  });

  it('says where and why a BoC cannot be read', async () => {
    await inspectFromExplorer('broken.boc');
    const told = await workbench.messages.waitForNotification(/Not a readable BoC/);
    assert.match(told, /byte \d+/);
    await workbench.screenshot('broken boc light');
  });
});

/** A field of a Tact ABI. */
function abiField(name: string, type: string, format: number | string): object {
  return { name, type: { kind: 'simple', type, optional: false, format } };
}

/** A tree of so many cells, four references each. */
function largeBoc(count: number): Buffer {
  const number = (value: number, bytes: number): string => value.toString(16).padStart(bytes * 2, '0');
  const cells = Array.from({ length: count }, (_, cell) => {
    const children = [1, 2, 3, 4].map((n) => cell * 4 + n).filter((child) => child < count);
    const data = number(cell, 4).padEnd(128, '0');
    return `${number(children.length, 1)}80${data}${children.map((child) => number(child, 4)).join('')}`;
  }).join('');
  const header = `b5ee9c720403${number(count, 4)}${number(1, 4)}${number(0, 4)}`;
  return Buffer.from(`${header}${number(cells.length / 2, 3)}${number(0, 4)}${cells}`, 'hex');
}
