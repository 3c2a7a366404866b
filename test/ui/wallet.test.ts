import { Address } from '@ton/core';
import { UserRejectsError } from '@tonconnect/sdk';
import type { TonConnect } from '@tonconnect/sdk';
import assert from 'node:assert/strict';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { walletAddresses } from '../../src/toolkit/tonConnect/walletEntry';
import { freePort } from '../support/freePort';
import { askToConnect, connected, openDApp, startManifestSite } from '../support/testDApp';
import type { DAppStorage, ManifestSite } from '../support/testDApp';
import { pressLens } from './support/pressLens';
import { openWorkbench } from './support/workbench';
import type { Workbench } from './support/workbench';

describe('the test wallet in the editor', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let site: ManifestSite;
  let dApp: TonConnect;
  let walletPort: number;
  const store: DAppStorage = new Map();
  const bob = Address.parse(namedAccounts[1]?.address ?? '').toString({ bounceable: false });

  before(async () => {
    walletPort = await freePort();
    site = await startManifestSite();
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.localNetwork.port': await freePort(),
        'tonWorkbench.wallet.port': walletPort,
      },
    });
    dApp = openDApp(site.manifestUrl, walletAddresses(walletPort).walletsList, store);
  });
  after(async () => {
    dApp?.pauseConnection();
    site?.close();
    await workbench?.close();
  });

  const line = (text: RegExp): ReturnType<typeof workbench.page.locator> =>
    workbench.page.locator('.view-line').filter({ hasText: text }).first();
  const pay = (amount: string): Promise<{ boc: string }> =>
    dApp.sendTransaction({
      validUntil: Math.floor(Date.now() / 1000) + 300,
      network: '-239',
      messages: [{ address: bob, amount }],
    });

  it('starts with its network, connects a dApp, and shows it', async () => {
    await workbench.runCommand('TON: Start Test Wallet');
    await workbench.statusBar.item(/Wallet alice/).waitFor();
    await workbench.messages.waitForNotification(new RegExp(`listens on port ${walletPort}`));
    await workbench.messages.clearNotifications();
    const connecting = connected(dApp);
    await askToConnect(dApp, { ...walletAddresses(walletPort), account: 'alice', address: '' }, 'nonce');
    await workbench.messages.waitForNotification(/Test shop asks: connect with a proof/);
    await workbench.messages.pressInNotification(/Test shop asks/, 'Approve');
    assert.equal((await connecting).account.address, namedAccounts[0]?.address);
    const view = workbench.view('Local Network');
    await view.row(/Test shop/).waitFor();
    await workbench.screenshot('wallet connected dark');
  });

  it('opens a payment as its rehearsal, and sends it when it is approved', async () => {
    const paying = pay('250000000');
    await workbench.messages.waitForNotification(/pay bob 0\.25 TON/);
    await workbench.statusBar.item(/1 pending/).waitFor();
    await workbench.messages.pressInNotification(/pay bob/, 'Review');
    await line(/asks\salice:\spay\sbob\s0\.25\sTON/).waitFor();
    for (const decision of ['Reject', 'Approve but Lose the Answer', 'Answer Late', 'Wrong Network']) {
      await workbench.editor.lens(decision).waitFor();
    }
    await workbench.screenshot('wallet request dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('wallet request light');
    await workbench.setPictureTheme('dark');
    const done = line(/Carried\sout\s\(approve\)/);
    await pressLens(workbench.editor.lens('Approve'), done);
    assert.ok((await paying).boc.length > 0);
    await workbench.view('Traces').row(/0\.25/).waitFor();
    await workbench.screenshot('wallet approved dark');
  });

  it('rejects a request, and all of a dApp from its row', async () => {
    const refused = assert.rejects(pay('1'), UserRejectsError);
    await workbench.messages.waitForNotification(/pay bob/);
    await workbench.messages.pressInNotification(/pay bob/, 'Reject');
    await refused;
    const view = workbench.view('Local Network');
    const decideAll = async (title: RegExp): Promise<void> => {
      // The rows are new ones once nothing is pending anymore.
      await view
        .row(/^Wallet/)
        .getByText('alice, 1 dApp')
        .waitFor();
      await view.contextMenu(/Test shop/, 'Ask, Approve, or Reject');
      await workbench.quickInput.pick(title);
    };
    await decideAll(/Reject All/);
    await view
      .row(/Test shop/)
      .getByText('as alice, rejects all')
      .waitFor();
    await workbench.screenshot('wallet dApp rejects all');
    await assert.rejects(pay('2'), UserRejectsError);
    await decideAll(/Ask for Each/);
  });
});
