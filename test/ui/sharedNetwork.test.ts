// Takes more than 20 s: two windows share a network, and one continues it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { freePort } from '../support/freePort';
import {} from './support/patience';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

const item = /TON Local/;

describe('the local network of a folder in the editor', () => {
  let workbench: Workbench;
  let port: number;
  /** Occupies the configured port. */
  const squatter = createServer();

  before(async () => {
    port = await freePort();
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    workbench = await openWorkbench({ settings: { 'tonWorkbench.ports': { localNetwork: port } } });
  });
  after(async () => {
    squatter.close();
    await workbench?.close();
  });

  const file = (): string => path.join(workbench.folder, '.ton/local.json');
  const url = (): string => (JSON.parse(readFileSync(file(), 'utf8')) as { v2: string }).v2;
  const header = (window: Workbench, text: string | RegExp): Promise<void> =>
    window.view('Local Network').pane.locator('.pane-header').filter({ hasText: text }).waitFor();
  const stopped = async (window: Workbench): Promise<void> => {
    await window.page
      .locator('.statusbar-item', { hasText: item })
      .locator('.codicon-circle-outline')
      .waitFor();
  };

  it('gets its own port if the usual one is taken, and keeps it', async () => {
    await workbench.showView('Local Network');
    await workbench.runCommand('TON: Start Local Network');
    await workbench
      .view('Local Network')
      .pane.getByText(/^Its usual port is taken: this folder's network now uses port \d+\.$/)
      .waitFor();
    await header(workbench, /port \d+/);
    const own = new URL(url()).port;
    assert.notEqual(own, String(port));
    await workbench.runCommand('TON: Stop Local Network');
    await stopped(workbench);
    assert.equal(existsSync(file()), false);
    await workbench.runCommand('TON: Start Local Network');
    await header(workbench, `port ${own}`);
    assert.equal(new URL(url()).port, own);
  });

  it('is shared with a second window, which continues it when the first one closes', async () => {
    const view = workbench.view('Local Network');
    await view.rowAction('bob', 'Faucet');
    await workbench.quickInput.asks('TON: Faucet');
    await workbench.quickInput.fill('250.5');
    const before = url();
    const second = await workbench.openSecondWindow();
    const balance = second
      .view('Local Network')
      .pane.locator('.monaco-list-row', { hasText: 'bob' })
      .filter({ hasText: '1 000 250.499' });
    await second.showView('Local Network');
    await header(second, /shared/);
    await balance.waitFor();
    await second.screenshot('second window dark');
    await workbench.page.close({ runBeforeUnload: true });
    await second
      .view('Local Network')
      .pane.locator('.pane-header')
      .filter({ hasNotText: 'shared' })
      .waitFor();
    await header(second, `port ${new URL(before).port}`);
    await balance.waitFor();
    assert.equal(url(), before);
    await second.runCommand('TON: Blocks and Time…');
    await second.quickInput.pick('Move Time Forward…');
    await second.quickInput.fill('30d');
    await header(second, '+30 d');
    await second.statusBar.item(/TON Local \(\+30 d\) \d+/).waitFor();
    await second.setPictureTheme('light');
    await second.screenshot('moved clock light');
  });
});
