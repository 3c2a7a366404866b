import assert from 'node:assert/strict';
import { callControl } from '../../src/toolkit/localnet/callControl';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { freePort } from '../support/freePort';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

/** Blocks are made as fast as the network can, and each refreshes the rows. */
describe('rows in views that refresh all the time', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let isOver = false;
  let blocks = 0;
  let busy: Promise<void>;

  before(async () => {
    const port = await freePort();
    const control = `http://127.0.0.1:${port}/control`;
    workbench = await openWorkbench({ settings: { 'tonWorkbench.localNetwork.port': port } });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await workbench.showView('Local Network');
    await workbench.view('Local Network').row('alice').waitFor();
    const carol = namedAccounts.find(({ name }) => name === 'carol')?.address ?? '';
    busy = (async () => {
      for (; !isOver; blocks += 1) {
        await callControl(control, 'faucet', { address: carol, amount: '1000000000' });
      }
    })();
  });
  after(async () => {
    isOver = true;
    await busy;
    await workbench?.close();
  });
  afterEach(async () => {
    const notes = await workbench.messages.notifications();
    // On a slow machine, a progress notification may appear.
    assert.deepEqual(
      notes.filter((text) => !text.startsWith('Reading an account')),
      [],
    );
  });

  it('each open their own document on a click', async () => {
    const view = workbench.view('Local Network');
    const before = blocks;
    for (let round = 0; round < 5; round += 1) {
      for (const name of ['alice', 'bob']) {
        await view.click(new RegExp(`^${name}$`));
        await workbench.editor.waitForTitle(name);
      }
    }
    assert.ok(blocks > before + 10, `${blocks - before} blocks in 10 clicks`);
  });

  it('open again if they are already selected, and by keyboard', async () => {
    const view = workbench.view('Local Network');
    await workbench.runCommand('View: Close All Editors');
    await view.click(/^bob$/);
    await workbench.editor.waitForTitle('bob');
    await view.pane.locator('.monaco-list').focus();
    await workbench.page.keyboard.press('ArrowUp');
    await workbench.page.keyboard.press('Enter');
    await workbench.editor.waitForTitle('alice');
  });

  it('open while new rows appear above them', async () => {
    await workbench.view('Local Network').collapse();
    const view = await workbench.showView('Traces');
    for (let round = 0; round < 4; round += 1) {
      await workbench.runCommand('View: Close All Editors');
      await view.click(/^transfer 1 TON$/);
      await workbench.editor.waitForTitle('transfer 1 TON');
    }
  });
});
