// Takes more than 20 s: a contract is deployed and called in a window, each message signed in a wallet's own process.
import { Address, beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { processTree } from '../../scripts/lib/processTree.mjs';
import { createAccess } from '../../src/toolkit/access/createAccess';
import type { LocalAccount } from '../../src/toolkit/accounts/localAccount';
import { prepareComposed } from '../../src/toolkit/send/prepareComposed';
import { readTransferLink } from '../../src/toolkit/send/transferLink';
import { counterSource } from '../support/counterSource';
import type { LocalnetCommand } from '../support/localnetCommand';
import { startLocalnetHere } from '../support/localnetCommand';
import type { WalletCommand } from '../support/walletCommand';
import { startWalletCommand } from '../support/walletCommand';
import { pairSource } from '../support/pairSource';
import { pressLens } from './support/pressLens';
import { until } from '../support/until';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

const sheet = `@network teststand
deploy pair.tolk {id: 1, peer: wallet, count: 1} 0.2ton as First
send First Increase {by: 2} 0.05ton
expect First count() == 3
send First 0.05ton body b(u32 0x99)
send First Increase {by: 1} 0.05ton
`;

/*
 * A local network that is declared a test network stands for a public one, and the test wallet, in a process of its own,
 * for the user's. No key of the local network signs in the window.
 */
describe('the user’s own wallet signs', () => {
  let localnet: LocalnetCommand;
  let wallet: WalletCommand;
  let workbench: Workbench;

  before(async () => {
    localnet = await startLocalnetHere();
    wallet = await startWalletCommand(localnet.origin, '--approve', 'ask');
    const { v2, v3 } = localnet.ready;
    const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-own-'));
    await writeFile(path.join(folder, 'counter.tolk'), counterSource(1));
    await writeFile(path.join(folder, 'pair.tolk'), pairSource);
    await writeFile(path.join(folder, 'pair.toncall'), sheet);
    workbench = await openWorkbench({
      folder,
      settings: {
        'tonWorkbench.networks': [{ name: 'teststand', kind: 'test', v2, v3 }],
        'tonWorkbench.tonConnect.walletsList': wallet.ready.walletsList,
      },
    });
    await rm(folder, { recursive: true });
    await workbench.runCommand('TON: Switch Network…');
    await workbench.quickInput.pick(/teststand/);
    await workbench.statusBar.item(/TON teststand/).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await wallet?.stop();
    await localnet?.stop();
  });

  const decide = async (method: string, decision = 'approve'): Promise<void> => {
    const { request } = await wallet.take((line) => line.method === method && line.request !== undefined);
    wallet.type(`${decision} ${request}`);
  };
  const linkOnPage = async (): Promise<string> => workbench.editor.webview().locator('code').innerText();
  const open = async (): Promise<string[]> =>
    (await readdir(path.join(workbench.folder, '.ton')).catch(() => [])).filter((name) =>
      name.startsWith('handed-'),
    );
  /** Ends the extension host like a crash of the machine, and opens the window again. */
  const killHost = async (): Promise<void> => {
    for (const pid of await processTree(workbench.host.pid)) {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]);
      if (stdout.includes('--type=extensionHost')) {
        process.kill(pid, 'SIGKILL');
      }
    }
    await workbench.page.reload();
    await workbench.statusBar.item(/TON teststand/).waitFor();
  };
  /** Deploys the counter, up to the choice of how it is signed. */
  const deploy = async (count: string): Promise<void> => {
    await workbench.openFile('counter.tolk');
    await pressLens(
      workbench.editor.lens('Deploy Counter to teststand…'),
      workbench.page.locator('.quick-input-title:visible'),
    );
    await workbench.quickInput.asks('of Counter Storage');
    await workbench.quickInput.fill(count);
    await workbench.quickInput.row(`count: ${count}`).waitFor();
    await workbench.quickInput.pick('Deploy');
  };

  it('deploys from the lens over TON Connect, and connects the wallet first', async () => {
    await deploy('5');
    await workbench.quickInput.asks('TON: Deploy Counter to teststand');
    await workbench.quickInput.fill('0.05ton');
    await workbench.page.locator('.monaco-dialog-box').waitFor();
    await workbench.screenshot('own wallet question');
    await workbench.messages.pressInDialog('Choose How to Sign…');
    await workbench.quickInput.asks('TON: Sign With Your Own Wallet');
    await workbench.screenshot('own wallet ways');
    await workbench.quickInput.pick(/TON Connect/);
    await workbench.editor.waitForTitle('Connect Your Wallet');
    const link = await linkOnPage();
    await workbench.inBothThemes('own wallet connect');
    await fetch(link);
    await decide('connect');
    await decide('sendTransaction');
    await workbench.messages.waitForNotification(/Sent on teststand: .*nothing failed/);
    const record = JSON.parse(
      await readFile(path.join(workbench.folder, 'deployments/teststand.json'), 'utf8'),
    ) as { deployments: { name: string; source: string; data: string }[] };
    assert.deepEqual(
      record.deployments.map(({ name, source, data }) => [name, source, data]),
      [['Counter', 'counter.tolk', '{count: 5}']],
    );
    await workbench
      .view('Contracts')
      .row(/Counter/)
      .waitFor();
    assert.deepEqual(await open(), []);
  });

  it('says above the source whether the deployed contract is that', async () => {
    const file = path.join(workbench.folder, 'counter.tolk');
    await workbench.openFile('counter.tolk');
    await workbench.editor.lens(/Counter = counter\.tolk, .*Tolk \d/).waitFor();
    await workbench.screenshot('own wallet verified');
    await writeFile(file, counterSource(2));
    await pressLens(
      workbench.editor.lens(/Counter differs from counter\.tolk/),
      workbench.page.locator('.tab .label-name', { hasText: 'Counter on teststand' }),
    );
    const verdict = await workbench.openDocumentText();
    assert.match(verdict, /^Counter on teststand differs from counter\.tolk in 1 method$/m);
    assert.match(verdict, /^onInternalMessage: changed$/m);
    await workbench.screenshot('own wallet verdict');
    await workbench.openFile('counter.tolk');
    await workbench.editor.lens(/Counter differs from counter\.tolk in 1 method/).waitFor();
    await writeFile(file, counterSource(1));
    await workbench.editor.lens(/Counter = counter\.tolk/).waitFor();
  });

  it('sends by fields with the wallet that is connected, and says why it failed', async () => {
    await workbench.messages.clearNotifications();
    await workbench.compose('send Counter Increase {by: 3} 0.1ton');
    await workbench.messages.pressInDialog('Choose How to Sign…');
    await workbench.quickInput.pick(/Connected Wallet: /);
    await decide('sendTransaction');
    await workbench.messages.waitForNotification(/nothing failed/);
    await workbench.messages.clearNotifications();
    await workbench.compose('send Counter 0.1ton body b(u32 0x99)');
    await workbench.messages.pressInDialog('Sign Anyway…');
    await workbench.quickInput.pick(/Connected Wallet: /);
    await decide('sendTransaction', 'reject');
    await workbench.messages.waitForNotification(/declined/);
    assert.deepEqual(await open(), []);
    await workbench.messages.clearNotifications();
    await workbench.compose('send Counter 0.1ton body b(u32 0x99)');
    await workbench.messages.pressInDialog('Sign Anyway…');
    await workbench.quickInput.pick(/Connected Wallet: /);
    await decide('sendTransaction');
    await workbench.messages.waitForNotification(/Sent on teststand: .*, but Counter/);
    await workbench.screenshot('own wallet failure');
  });

  it('runs a call sheet: a signature for each message, up to the first failure, and nothing twice', async () => {
    await workbench.messages.clearNotifications();
    await workbench.openFile('pair.toncall');
    await pressLens(
      workbench.editor.lens('Run all 4'),
      workbench.page.locator('.quick-input-title:visible', { hasText: 'Sign With Your Own Wallet' }),
    );
    await workbench.quickInput.pick(/Connected Wallet: /);
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'First' }).waitFor();
    await workbench.screenshot('own wallet sheet question');
    await workbench.messages.pressInDialog('Sign…');
    await decide('sendTransaction');
    await workbench.messages.pressInDialog('Sign…');
    await decide('sendTransaction');
    await workbench.messages.pressInDialog('Sign Anyway…');
    await decide('sendTransaction');
    await workbench.messages.waitForNotification(
      /pair\.toncall stopped at line 5\. Messages sent: lines 2, 3, 5; not sent: line 6\./,
    );
    await workbench.screenshot('own wallet sheet stopped');
    const asked = wallet.lines.length;
    await workbench.messages.clearNotifications();
    await pressLens(
      workbench.editor.lens('Run all 4'),
      workbench.page.locator('.monaco-dialog-box', { hasText: '3 of 4 messages of pair.toncall' }),
    );
    await workbench.messages.pressInDialog('Go On');
    await workbench.quickInput.asks('TON: Sign With Your Own Wallet');
    await workbench.quickInput.pick(/Connected Wallet: /);
    await workbench.messages.waitForNotification(/stopped at line 5/);
    assert.equal(wallet.lines.length, asked, 'what was sent is only looked at again');
    const { deployments } = JSON.parse(
      await readFile(path.join(workbench.folder, 'deployments/teststand.json'), 'utf8'),
    ) as { deployments: { name: string }[] };
    assert.deepEqual(deployments.map(({ name }) => name).sort(), ['Counter', 'First']);
  });

  it('sends what failed, or all of it, once more only if that is chosen', async () => {
    const runAgain = async (choice: string): Promise<void> => {
      await workbench.messages.clearNotifications();
      await workbench.openFile('pair.toncall');
      await pressLens(
        workbench.editor.lens('Run all 4'),
        workbench.page.locator('.monaco-dialog-box', { hasText: 'of pair.toncall were sent before' }),
      );
      await workbench.messages.pressInDialog(choice);
      await workbench.quickInput.asks('TON: Sign With Your Own Wallet');
      await workbench.quickInput.pick(/Connected Wallet: /);
    };
    await runAgain('Send What Failed Again');
    await workbench.messages.pressInDialog('Sign Anyway…');
    await decide('sendTransaction', 'reject');
    await workbench.messages.waitForNotification(
      /stopped at line 5\. Messages sent: lines 2, 3; not sent: lines 5, 6\./,
    );
    await runAgain('Begin Anew');
    await workbench.messages.pressInDialog('Sign…');
    await decide('sendTransaction');
    // The contract counts on from where it was.
    await workbench.messages.waitForNotification(
      /stopped at line 3\. Messages .*sent: line 3; not sent: lines 5, 6\./,
    );
  });

  it('takes the names of the record that a team has committed', async () => {
    const file = path.join(workbench.folder, 'deployments/teststand.json');
    const record = await readFile(file, 'utf8');
    const { deployments } = JSON.parse(record) as { deployments: object[] };
    const other = { ...deployments[0], name: 'TeamVault', address: localnet.rawOf('carol') };
    await writeFile(file, JSON.stringify({ version: 1, deployments: [...deployments, other] }));
    await workbench.messages.clearNotifications();
    await workbench.runCommand('TON: Compose Message…');
    await workbench.quickInput.asks('TON: Compose Message');
    await workbench.quickInput.type('send TeamVault 0.1ton');
    await workbench.quickInput.row('Compose this message').waitFor();
    await workbench.quickInput.cancel();
    await writeFile(file, `<<<<<<< ours\n${record}`);
    await workbench.messages.waitForNotification(/deployments\/teststand\.json:1: a conflict/);
    await writeFile(file, record);
    await workbench.messages.clearNotifications();
  });

  it('sends a message that was signed elsewhere, if it is the one that was asked for', async () => {
    const record = await readFile(path.join(workbench.folder, 'deployments/teststand.json'), 'utf8');
    const { deployments } = JSON.parse(record) as { deployments: { address: string }[] };
    const { v2, v3, accounts } = localnet.ready;
    const access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
    /** As bob's wallet signs it, outside of the window. */
    const signed = async (by: number): Promise<string> => {
      const message = await prepareComposed(
        access,
        {
          ...{ sender: { kind: 'wallet', name: 'bob' }, to: Address.parse(deployments[0]?.address ?? '') },
          ...{ value: 100_000_000n, bounce: true, init: undefined },
          body: beginCell().storeUint(0x21, 32).storeUint(by, 32).endCell(),
        },
        accounts as LocalAccount[],
      );
      assert.equal(message.kind, 'external');
      return message.cell.toBoc().toString('base64');
    };
    const give = async (boc: string): Promise<void> => {
      await workbench.messages.clearNotifications();
      await workbench.compose('send Counter Increase {by: 2} 0.1ton');
      await workbench.messages.pressInDialog('Choose How to Sign…');
      await workbench.quickInput.pick(/Signed Message…/);
      await workbench.quickInput.asks('TON: Signed Message');
      await workbench.quickInput.fill(boc);
    };
    await give(await signed(7));
    await workbench.messages.waitForNotification(/another one than you asked for: its body differs/);
    await give(await signed(2));
    await workbench.messages.waitForNotification(/Sent on teststand: .*nothing failed/);
    assert.deepEqual(await open(), []);
  });

  it('over TON Connect, finds a deployment that was handed over before a kill of the host, once', async () => {
    const ask = async (): Promise<void> => {
      await workbench.messages.clearNotifications();
      await deploy('6');
      await workbench.quickInput.asks('TON: Deploy Counter to teststand');
      await workbench.quickInput.fill('0.05ton');
      await workbench.messages.pressInDialog('Choose How to Sign…');
      await workbench.quickInput.pick(/Connected Wallet: /);
    };
    await ask();
    const { request } = await wallet.take(
      (line) => line.method === 'sendTransaction' && line.request !== undefined,
    );
    const asked = wallet.lines.filter((line) => line.request !== undefined).length;
    assert.equal((await open()).length, 1);
    await killHost();
    await ask();
    wallet.type(`approve ${request}`);
    await workbench.messages.waitForNotification(/Sent on teststand: .*nothing failed/);
    await until(async () => (await open()).length === 0, 'the end of the hand-over');
    assert.equal(wallet.lines.filter((line) => line.request !== undefined).length, asked);
    const { deployments } = JSON.parse(
      await readFile(path.join(workbench.folder, 'deployments/teststand.json'), 'utf8'),
    ) as { deployments: { data: string }[] };
    assert.equal(deployments.filter(({ data }) => data === '{count: 6}').length, 1);
  });

  it('is disconnected from the menu of the network', async () => {
    await workbench.runCommand('TON: Switch Network…');
    await workbench.screenshot('own wallet menu');
    await workbench.quickInput.pick(/Disconnect /);
    await wallet.take((line) => line.method === 'disconnect');
    await workbench.runCommand('TON: Switch Network…');
    await workbench.quickInput.row(/teststand/).waitFor();
    assert.ok(!(await workbench.quickInput.readItems()).some(({ label }) => label.includes('Disconnect')));
    await workbench.quickInput.cancel();
  });

  it('shows a link and its code, and finds the message once, also after a kill of the host', async () => {
    await workbench.messages.clearNotifications();
    const ask = async (): Promise<void> => {
      await workbench.compose('send Counter Increase {by: 4} 0.1ton');
      await workbench.messages.pressInDialog('Choose How to Sign…');
      await workbench.quickInput.pick(/Link and QR Code/);
      await workbench.editor.waitForTitle('Confirm in Your Wallet');
    };
    await ask();
    const link = await linkOnPage();
    assert.equal(readTransferLink(link)?.value, 100_000_000n);
    await workbench.editor
      .webview()
      .getByText(/Increase/)
      .first()
      .waitFor();
    await workbench.inBothThemes('own wallet link');
    assert.equal((await open()).length, 1);
    await killHost();
    await ask();
    assert.equal(await linkOnPage(), link, 'the same request is shown again');
    assert.equal((await open()).length, 1);
    wallet.type(link);
    await workbench.messages.waitForNotification(/nothing failed/);
    await until(async () => (await open()).length === 0, 'the end of the hand-over');
  });
});
