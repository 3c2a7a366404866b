// Takes more than 20 s: the window is reloaded once its list has been stored.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beginCell } from '@ton/core';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { callControl } from '../../src/toolkit/localnet/callControl';
import { compileContract } from '../support/localTraces';
import { freePort } from '../support/freePort';
import { until } from '../support/until';
import { vaultSource } from '../support/vaultSource';
import type { Workbench } from './support/workbench';
import { patience } from './support/patience';
import { openWorkbench } from './support/workbench';

/** Events on the local network that the editor did not cause: a script calls its HTTP service. */
describe('traces of the local network, live', () => {
  let workbench: Workbench;
  let folder: string;
  let control: string;
  let vault: string;
  const alice = namedAccounts[0]?.address ?? '';

  const give = (ton: number): Promise<unknown> =>
    callControl(control, 'faucet', { address: alice, amount: `${ton}000000000` });
  const drop = (): Promise<unknown> =>
    callControl(control, 'sendAs', {
      from: alice,
      to: vault,
      value: '500000000',
      body: beginCell()
        .storeUint(0x12, 32)
        .storeUint(4, 3)
        .storeUint(0, 264)
        .endCell()
        .toBoc()
        .toString('base64'),
    });

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-live-'));
    await writeFile(path.join(folder, 'vault.tolk'), vaultSource);
    const port = await freePort();
    control = `http://127.0.0.1:${port}/control`;
    workbench = await openWorkbench({ folder, settings: { 'tonWorkbench.ports': { localNetwork: port } } });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await workbench.showView('Traces');
  });
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Resolves once the browser has stored a text among what is kept for the workspace. */
  const stored = async (text: string): Promise<void> => {
    const holds = (): Promise<boolean> =>
      workbench.page.evaluate(async (wanted) => {
        const done = <T>(request: IDBRequest<T>): Promise<T> =>
          new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error ?? new Error('unknown'));
          });
        for (const { name } of await indexedDB.databases()) {
          if (name?.startsWith('vscode-web-state-db-') === true) {
            const database = await done(indexedDB.open(name));
            const values = await done(database.transaction('ItemTable').objectStore('ItemTable').getAll());
            database.close();
            if (values.some((value) => String(value).includes(wanted))) {
              return true;
            }
          }
        }
        return false;
      }, text);
    await until(holds, 'the browser stores it', patience);
  };

  it("show a script's deployment automatically", async () => {
    const { code } = await compileContract(vaultSource);
    const limits = beginCell().storeCoins(0).storeCoins(0).endCell();
    const data = beginCell().storeUint(4, 3).storeUint(0, 264).storeRef(limits).storeBit(false).endCell();
    const cell = (boc: Buffer | undefined): string => (boc ?? Buffer.alloc(0)).toString('base64');
    const answer = await callControl(control, 'deploy', {
      code: cell(code?.toBoc()),
      data: cell(data.toBoc()),
      name: 'Vault',
    });
    vault = answer.address;
    await workbench
      .view('Traces')
      .row(/^deploy Vault$/)
      .waitFor();
  });

  it('say first what happened, why it failed, and the time last', async () => {
    await callControl(control, 'snapshot', { name: 'before' });
    await give(7);
    await drop();
    const view = workbench.view('Traces');
    await view.row(/transfer 7 TON/).waitFor();
    const failed = view.row(/^(Drop\??|0x00000012)$/);
    await failed.waitFor();
    await failed.locator('.codicon-error').waitFor();
    const rows = (await view.rows()).filter(({ level }) => level === 1);
    assert.match(rows[0]?.description ?? '', /^.+ {2}alice → Vault {2}\d\d:\d\d:\d\d$/);
    assert.match(rows[1]?.description ?? '', /^faucet → alice {2}\d\d:\d\d:\d\d$/);
    await workbench.screenshot('live traces dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('live traces light');
  });

  it('name the exit by the source once the source is known', async () => {
    const view = workbench.view('Traces');
    const named = /^✗ Vault refused Drop: ERR_NOT_ALLOWED, 777$/m;
    // The project's sources are read in the background: shown before that, the text has the number only.
    let text = '';
    for (const end = Date.now() + patience; !named.test(text) && Date.now() < end;) {
      await view.contextMenu(/^(Drop\??|0x00000012)$/, 'Show Trace as Text');
      await workbench.editor.waitForTitle(/: alice → Vault$/);
      text = await workbench.openDocumentText();
    }
    assert.match(text, named);
  });

  it('strike out what a restore has undone', async () => {
    await callControl(control, 'restore', { name: 'before' });
    const view = workbench.view('Traces');
    const undone = view.row(/^~ transfer 7 TON$/);
    await undone.waitFor();
    assert.match((await undone.getAttribute('aria-label')) ?? '', /^undone: /);
    assert.equal(await undone.locator('.codicon-pass').count(), 0);
    assert.match((await view.rows())[0]?.description ?? '', /^\(undone\)/);
    await view
      .row(/^deploy Vault$/)
      .locator('.codicon-pass')
      .waitFor();
    await workbench.screenshot('live traces undone light');
    await workbench.setPictureTheme('dark');
    await workbench.screenshot('live traces undone dark');
  });

  it('keep the list across a reload, and open a trace again by its hash', async () => {
    const view = workbench.view('Traces');
    await view.contextMenu(/^deploy Vault$/, 'Show Trace as Text');
    await workbench.editor.waitForTitle('deploy Vault');
    const text = await workbench.openDocumentText();
    // An undone trace is on no network any more; only the list has it.
    await stored('"isUndone":true');
    await workbench.page.reload();
    await workbench.page.locator('.monaco-workbench').waitFor();
    await workbench.showView('Traces');
    await view.row(/^~ transfer 7 TON$/).waitFor();
    await view.row(/^deploy /).waitFor();
    await workbench.screenshot('live traces reloaded dark');
    await view.contextMenu(/^deploy /, 'Show Trace as Text');
    await workbench.editor.waitForTitle('deploy Vault');
    assert.equal((await workbench.openDocumentText()).split('\n')[0], text.split('\n')[0]);
  });
});
