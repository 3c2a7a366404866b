// Takes more than 20 s: rows are clicked while blocks are made as fast as the network can.
import assert from 'node:assert/strict';
import { callControl } from '../../src/toolkit/localnet/callControl';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';
import { deployJetton } from '../support/jetton';
import { freePort } from '../support/freePort';

describe('the local network, asked and shown', () => {
  let workbench: Workbench;
  let port: number;

  before(async () => {
    port = await freePort();
    workbench = await openWorkbench({ settings: { 'tonWorkbench.ports': { localNetwork: port } } });
  });
  after(() => workbench?.close());

  describe('TON: Run Get-Method…', () => {
    /** The whole conversation of the command. */
    const run = async (address: string, method: string, stack?: string): Promise<void> => {
      await workbench.runCommand('TON: Run Get-Method…');
      await workbench.quickInput.asks('TON: Run Get-Method on Local (1/3)');
      await workbench.quickInput.fill(address);
      await workbench.quickInput.asks('(2/3)');
      await workbench.quickInput.fill(method);
      if (stack !== undefined) {
        await workbench.quickInput.asks(`TON: Arguments of ${method} (3/3)`);
        await workbench.quickInput.fill(stack);
      }
    };

    it('runs seqno of a funded wallet from a cold start', async () => {
      // Its signature is known: it asks for nothing more.
      await run('alice', 'seqno');
      await workbench.editor.waitForTitle('seqno on alice');
      await workbench.page.locator('.codelens-decoration', { hasText: 'Run again' }).waitFor();
      await workbench.screenshot('get-method seqno dark');
      const text = await workbench.openDocumentText();
      assert.match(text, /success \(exit 0\)/);
      assert.match(text, /^ {2}out {2}0 {2}.*\b0$/m);
      assert.match(text, / {2}Local, block \d+$/m);
      // The heading is visible, the folded lines are not.
      const shown = workbench.page.locator('.editor-group-container.active .view-lines');
      await shown.getByText(/Raw.answer/).waitFor();
      await shown.getByText(/wire.out/).waitFor({ state: 'hidden' });
      await workbench.statusBar.item(/TON Local \d+/).waitFor();
    });

    it('returns the same get_wallet_address of a minter as the library', async () => {
      const { minter, owner, wallet } = await deployJetton(`http://127.0.0.1:${port}/api/v2`);
      await run(minter.toString(), 'get_wallet_address');
      await workbench.quickInput.asks('of get_wallet_address (3/3)');
      await workbench.quickInput.type('1.5ton');
      await workbench.screenshot('get-method typed refusal dark');
      assert.match((await workbench.quickInput.readItems())[0]?.label ?? '', /Position 1:/);
      await workbench.quickInput.fill(owner.toString());
      await workbench.editor.waitForTitle(/get_wallet_address on/);
      await workbench.screenshot('get-method wallet address dark');
      const text = await workbench.openDocumentText();
      assert.ok(text.includes(wallet.toString()), `the document names ${wallet.toString()}:\n${text}`);
      await workbench.setPictureTheme('light');
      await workbench.screenshot('get-method wallet address light');
    });

    it('shows the local network, its wallets and their balances beside the result', async () => {
      const view = await workbench.showView('Local Network');
      const rows = await view.rows();
      // Those that fit below the other views.
      assert.ok(rows.length >= 5, `${rows.length} rows`);
      assert.equal(rows[1]?.label, 'bob');
      assert.match(rows[1]?.description ?? '', /^wallet v4r2 {2}[\d ]+ TON$/);
      await workbench.screenshot('local network light');
      await workbench.setPictureTheme('dark');
      await workbench.screenshot('local network dark');
    });

    it('rejects a bad address and a bad argument in the box, with the reason', async () => {
      await workbench.runCommand('TON: Run Get-Method…');
      await workbench.quickInput.type('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDx');
      const items = await workbench.quickInput.readItems();
      assert.match(items[0]?.label ?? '', /checksum/i);
      await workbench.quickInput.fill('bob');
      await workbench.quickInput.asks('(2/3)');
      await workbench.quickInput.fill('not_known');
      await workbench.quickInput.asks('(3/3)');
      await workbench.quickInput.type('42 cell nonsense!');
      const reason = await workbench.quickInput.errorText();
      assert.match(reason, /Position \d+:/);
      await workbench.quickInput.accept();
      assert.match(await workbench.quickInput.errorText(), /Position \d+:/, 'Enter does not get past it');
      await workbench.screenshot('get-method refused argument');
      await workbench.quickInput.cancel();
    });

    it('explains a failing method', async () => {
      await run('alice', 'no_such_method', '');
      await workbench.editor.waitForTitle('no_such_method on alice');
      const text = await workbench.openDocumentText();
      assert.match(text, /failed: exit 11/);
      await workbench.screenshot('get-method failed');
    });
  });

  /** Blocks are made as fast as the network can, and each refreshes the rows. */
  describe('rows in views that refresh all the time', () => {
    let isOver = false;
    let blocks = 0;
    let busy: Promise<void>;

    before(async () => {
      const control = `http://127.0.0.1:${port}/control`;
      await workbench.messages.clearNotifications();
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
          await workbench.editor.waitForTitle(`${name} on Local`);
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
});
