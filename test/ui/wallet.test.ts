// Takes more than 20 s: a dApp asks for a dozen payments, and the window is reloaded three times meanwhile.
import { Address } from '@ton/core';
import { BadRequestError, UserRejectsError } from '@tonconnect/sdk';
import type { TonConnect } from '@tonconnect/sdk';
import assert from 'node:assert/strict';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { usualLateness } from '../../src/toolkit/tonConnect/protocol';
import { walletAddresses } from '../../src/toolkit/tonConnect/injectedScript';
import { freePort } from '../support/freePort';
import { askToConnect, connected, openDApp, startManifestSite } from '../support/testDApp';
import type { DAppStorage, ManifestSite } from '../support/testDApp';
import { patience } from './support/patience';
import { pressLens } from './support/pressLens';
import { openWorkbench } from './support/workbench';
import type { Workbench } from './support/workbench';

describe('the test wallet in the editor', () => {
  let workbench: Workbench;
  let site: ManifestSite;
  let dApp: TonConnect;
  let walletPort: number;
  let localPort: number;
  const store: DAppStorage = new Map();
  const bob = Address.parse(namedAccounts[1]?.address ?? '').toString({ bounceable: false });

  before(async () => {
    walletPort = await freePort();
    localPort = await freePort();
    site = await startManifestSite();
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { localNetwork: localPort, wallet: walletPort },
        'tonWorkbench.startWithWindow': { localNetwork: true },
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
    for (const decision of ['Reject', 'Approve Without Answering', 'Answer Late', 'Wrong Network']) {
      await workbench.editor.lens(decision).waitFor();
    }
    await workbench.screenshot('wallet request dark');
    await workbench.setPictureTheme('light');
    await workbench.screenshot('wallet request light');
    await workbench.setPictureTheme('dark');
    const done = line(/Carried\sout\s\(Approve\)/);
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

  /** A payment, opened for review; it is one of many in this window. */
  const review = async (amount: string, words: RegExp): Promise<{ paying: Promise<{ boc: string }> }> => {
    await workbench.messages.clearNotifications();
    const paying = pay(amount);
    // It may be refused before anyone waits for it.
    paying.catch(() => undefined);
    await workbench.messages.waitForNotification(words);
    await workbench.messages.pressInNotification(words, 'Review');
    await workbench.view('Local Network').row(words).waitFor();
    await workbench.editor.lens('Answer Late').waitFor();
    return { paying };
  };
  /** Presses a decision until the request no longer waits. */
  const decide = (decision: string, words: RegExp): Promise<void> =>
    pressLens(workbench.editor.lens(decision), workbench.view('Local Network').row(words), 'detached');
  const balanceOfBob = async (): Promise<bigint> => {
    const answer = await fetch(`http://127.0.0.1:${localPort}/api/v2/getAddressBalance?address=${bob}`);
    return BigInt(((await answer.json()) as { result: string }).result);
  };
  /** Whether bob got an amount once, but for what his wallet pays for looking at it. */
  const gotOnce = async (before: bigint, amount: bigint): Promise<void> => {
    const least = amount - 5_000_000n;
    let got = 0n;
    // The dApp is answered once the message is sent: its block follows.
    for (const end = Date.now() + patience; got < least && Date.now() < end;) {
      got = (await balanceOfBob()) - before;
    }
    assert.ok(got >= least && got <= amount, `${got} of ${amount}`);
  };

  it('tells a dApp that it is on another network', async () => {
    const words = /pay bob 0\.31 TON/;
    const before = await balanceOfBob();
    const { paying } = await review('310000000', words);
    const refused = assert.rejects(paying, BadRequestError);
    await decide('Wrong Network', words);
    await refused;
    await line(/Refused\swith\scode\s1:\sThe\swallet\sis\son\sanother\snetwork/).waitFor();
    assert.equal(await balanceOfBob(), before);
  });

  it('carries a request out and loses the answer', async () => {
    const words = /pay bob 0\.32 TON/;
    const before = await balanceOfBob();
    const { paying } = await review('320000000', words);
    await decide('Approve Without Answering', words);
    await line(/\(Approve\sWithout\sAnswering\);\sthe\sdApp\sgets\sno\sanswer/).waitFor();
    await workbench.view('Traces').row(/0\.32/).waitFor();
    await gotOnce(before, 320_000_000n);
    assert.equal(await Promise.race([paying, Promise.resolve('no answer')]), 'no answer');
  });

  it('answers late, after the payment is on the chain', async () => {
    const words = /pay bob 0\.33 TON/;
    const before = await balanceOfBob();
    await workbench.messages.clearNotifications();
    const paying = pay('330000000');
    await workbench.messages.waitForNotification(words);
    await workbench.view('Local Network').row(words).dblclick();
    await workbench.editor.lens('Answer Late').waitFor();
    let isAnswered = false;
    const answered = paying.then(({ boc }) => {
      isAnswered = true;
      return boc;
    });
    const start = Date.now();
    await decide('Answer Late', words);
    await line(/Approved\s\(Answer\sLate\);\sthe\sdApp\sis\sanswered\sat\s\d\d:\d\d:\d\d/).waitFor();
    await workbench.editor.lens('Answer Late').waitFor({ state: 'detached' });
    await workbench.screenshot('wallet answers late dark');
    // The notification was not used, and cannot be closed for the user.
    await workbench.messages.pressInNotification(words, 'Reject');
    await workbench.messages.waitForNotification(/Request \d+ was decided already: Answer Late\./);
    await gotOnce(before, 330_000_000n);
    if (Date.now() - start < 5_000) {
      assert.equal(isAnswered, false);
    }
    assert.ok((await answered).length > 0);
    assert.ok(Date.now() - start >= usualLateness * 1000 - 1000, `answered after ${Date.now() - start} ms`);
    await line(/Carried\sout\s\(Answer\sLate\)/).waitFor();
  });

  it('is copied for a dApp as the wallets list serves it', async () => {
    await workbench.runCommand('TON: Copy Wallet Entry for a dApp');
    await workbench.statusBar.item(/Copied: pass it to new TonConnectUI/).waitFor();
    const text = await workbench.page.evaluate(() => navigator.clipboard.readText());
    const json = /^walletsListConfiguration: \{ includeWallets: (\[[^]*\]) \},\n$/.exec(text)?.[1] ?? '';
    const [entry, ...others] = JSON.parse(json) as Record<string, unknown>[];
    const [served] = (await dApp.getWallets()) as unknown as Record<string, unknown>[];
    assert.deepEqual(others, []);
    const names = Object.keys(entry ?? {});
    assert.ok(names.includes('bridgeUrl') && names.includes('jsBridgeKey') && names.includes('features'));
    assert.deepEqual(entry, Object.fromEntries(names.map((name) => [name, served?.[name]])));
  });

  it('connects a dApp by its link, which is pasted', async () => {
    const other = openDApp(site.manifestUrl, walletAddresses(walletPort).walletsList);
    const { bridge: bridgeUrl, universalLink } = walletAddresses(walletPort);
    const connecting = connected(other);
    const link = other.connect({ bridgeUrl, universalLink }).replace(`${universalLink}?`, 'tc://?');
    await workbench.messages.clearNotifications();
    await workbench.runCommand('TON: Connect dApp…');
    await workbench.quickInput.asks('TON: Connect dApp');
    await workbench.quickInput.type('hello');
    assert.match(
      await workbench.quickInput.errorText(),
      /This is not a link\. Copy the one that the dApp shows: it starts with tc:\/\/ or https:\/\/\./,
    );
    await workbench.quickInput.type('tc://nothing');
    await workbench.page.getByText(/not a TON Connect link: it has no version/).waitFor();
    await workbench.quickInput.fill(link);
    const view = workbench.view('Local Network');
    await view.row(/^connect/).waitFor();
    await workbench.screenshot('wallet connect request dark');
    await workbench.messages.pressInNotification(/Test shop asks: connect/, 'Approve');
    assert.equal((await connecting).account.address, namedAccounts[0]?.address);
    await view.row(/^connect/).waitFor({ state: 'detached' });
    await view
      .row(/^Wallet/)
      .getByText('alice, 2 dApps')
      .waitFor();
    await other.disconnect();
    await view
      .row(/^Wallet/)
      .getByText('alice, 1 dApp')
      .waitFor();
  });

  const reloadWindow = async (): Promise<void> => {
    await workbench.page.reload();
    await workbench.page.locator('.monaco-workbench').waitFor();
    await workbench.statusBar.item(/Wallet alice/).waitFor();
    await workbench.showView('Local Network');
    await workbench
      .view('Local Network')
      .row(/Test shop/)
      .waitFor();
  };
  const reload = async (): Promise<void> => {
    await reloadWindow();
    // The SDK gives up a stream that breaks, until its page gets the focus again: this is what it does then.
    dApp.pauseConnection();
    await dApp.unPauseConnection();
  };
  const approve = async (words: RegExp): Promise<void> => {
    await workbench.messages.waitForNotification(words);
    await workbench.messages.pressInNotification(words, 'Approve');
  };

  /** Approves or rejects a request that waits, by its row. */
  const decideByRow = async (words: RegExp, decision: string): Promise<void> => {
    const row = workbench.view('Local Network').row(words);
    await row.dblclick();
    await workbench.editor.lens('Answer Late').waitFor();
    await pressLens(workbench.editor.lens(decision), row, 'detached');
  };

  it('is on again after the window was reloaded, asks again for all that was pending, and answers each once', async () => {
    const before = await balanceOfBob();
    const refused = assert.rejects(pay('370000000'), UserRejectsError);
    await workbench.statusBar.item(/1 pending/).waitFor();
    let answers = 0;
    const paying = pay('350000000').finally(() => (answers += 1));
    await workbench.statusBar.item(/2 pending/).waitFor();
    await reload();
    await workbench.statusBar.item(/2 pending/).waitFor();
    await workbench
      .view('Local Network')
      .row(/pay bob 0\.37 TON/)
      .waitFor();
    await workbench
      .view('Local Network')
      .row(/pay bob 0\.35 TON/)
      .waitFor();
    await workbench.screenshot('wallet pending after reload dark');
    await approve(/pay bob 0\.35 TON/);
    assert.ok((await paying).boc.length > 0);
    await workbench
      .view('Local Network')
      .row(/pay bob 0\.35 TON/)
      .waitFor({ state: 'detached' });
    await gotOnce(before, 350_000_000n);
    await workbench.messages.clearNotifications();
    await decideByRow(/pay bob 0\.37 TON/, 'Reject');
    await refused;
    // The dApp is still connected for what comes next.
    const next = pay('360000000');
    await approve(/pay bob 0\.36 TON/);
    assert.ok((await next).boc.length > 0);
    const last = pay('380000000');
    await workbench.statusBar.item(/1 pending/).waitFor();
    await workbench.messages.clearNotifications();
    await decideByRow(/pay bob 0\.38 TON/, 'Approve');
    assert.ok((await last).boc.length > 0);
    assert.equal(answers, 1);
    await gotOnce(before, 1_090_000_000n);
  });

  it('gives the dApp after a reload what it had approved and rejected before', async () => {
    const before = await balanceOfBob();
    const refused = assert.rejects(pay('390000000'), UserRejectsError);
    await workbench.statusBar.item(/1 pending/).waitFor();
    const paying = pay('400000000');
    await workbench.statusBar.item(/2 pending/).waitFor();
    dApp.pauseConnection();
    await workbench.messages.clearNotifications();
    await decideByRow(/pay bob 0\.4 TON/, 'Approve');
    await decideByRow(/pay bob 0\.39 TON/, 'Reject');
    await gotOnce(before, 400_000_000n);
    await reloadWindow();
    await dApp.unPauseConnection();
    assert.ok((await paying).boc.length > 0);
    await refused;
    await gotOnce(before, 400_000_000n);
    await workbench.statusBar.item(/Wallet alice$/).waitFor();
  });

  it('goes on after a reload with a payment that was being carried out', async () => {
    const setBlocks = (mode: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${localPort}/control/mode`, { method: 'POST', body: JSON.stringify({ mode }) });
    const before = await balanceOfBob();
    // No block takes the first: the second cannot be signed yet.
    await setBlocks('manual');
    const first = pay('410000000');
    await approve(/pay bob 0\.41 TON/);
    assert.ok((await first).boc.length > 0);
    let answers = 0;
    const second = pay('420000000').finally(() => (answers += 1));
    const words = /pay bob 0\.42 TON/;
    await workbench.view('Local Network').row(words).waitFor();
    await approve(words);
    await workbench.view('Local Network').row(words).waitFor({ state: 'detached' });
    assert.equal(answers, 0);
    // The network of the new window makes blocks by itself again.
    await reload();
    assert.ok((await second).boc.length > 0);
    await gotOnce(before, 830_000_000n);
    assert.equal(answers, 1);
  });
});
