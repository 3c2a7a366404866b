import { Address } from '@ton/core';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { DAppError, newDAppStorage, startDApp } from '../support/startDApp';
import type { DApp } from '../support/startDApp';
import { startManifestSite } from '../support/testDApp';
import type { ManifestSite } from '../support/testDApp';
import { startWalletCommand } from '../support/walletCommand';
import type { WalletCommand, WalletLine } from '../support/walletCommand';

type Who = 'the wallet' | 'the dApp' | 'both';

/*
 * A wallet and a dApp that are killed and started again in each state of a connection. The wallet is the command, ended
 * by SIGKILL; the dApp is the SDK in a thread that is terminated, of which only its storage stays.
 *
 * Takes 40 s, most of it the SDK's own pauses before it connects again. They are not shortened: the wallet starts in
 * them, and without that time the SDK gives up.
 */
describe('kills of the test wallet and of @tonconnect/sdk', () => {
  let localnet: LocalnetCommand;
  let site: ManifestSite;
  let folder: string;
  let storage: string;
  let wallet: WalletCommand;
  let dApp: DApp;

  before(async () => {
    localnet = await startLocalnetCommand();
    site = await startManifestSite();
  });
  after(async () => {
    site.close();
    await localnet.stop();
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-wallet-'));
    storage = newDAppStorage(path.join(folder, 'dApp.json'));
  });
  afterEach(async () => {
    await dApp.kill();
    await wallet.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const friendly = (name: string): string =>
    Address.parse(localnet.rawOf(name)).toString({ bounceable: false });
  const paid = async (from: string, to: string): Promise<string[]> => {
    await localnet.untilIdle();
    return localnet.valuesSent(from, to);
  };
  const start = (account: string, port: string): Promise<WalletCommand> =>
    startWalletCommand(
      localnet.origin,
      '--account',
      account,
      '--state',
      path.join(folder, 'wallet'),
      '--port',
      port,
    );
  const asks = (method: string) => (line: WalletLine) => line.method === method && line.request !== undefined;
  const answers = (method: string) => (line: WalletLine) =>
    line.method === method && line.answer !== undefined;
  const openDApp = (): DApp =>
    startDApp({ manifestUrl: site.manifestUrl, walletsList: wallet.ready.walletsList, storage });

  const walks: [Who, string, string][] = [
    ['the wallet', 'alice', 'carol'],
    ['the dApp', 'bob', 'dave'],
    ['both', 'frank', 'grace'],
  ];
  for (const [who, account, shop] of walks) {
    it(`lose nothing and repeat nothing, if ${who === 'both' ? 'both are' : `${who} is`} killed in every state`, async () => {
      wallet = await start(account, '0');
      const { port } = new URL(wallet.ready.bridge);
      dApp = openDApp();
      const restartDApp = async (): Promise<void> => {
        await dApp.kill();
        dApp = openDApp();
        await dApp.restoreConnection();
      };
      const isDead = (one: Exclude<Who, 'both'>): boolean => who === one || who === 'both';
      /** Kills, starts again, and goes on as pages do: they restore, or get the focus back. */
      const kill = async (): Promise<void> => {
        if (isDead('the wallet')) {
          await wallet.stop('SIGKILL');
          wallet = await start(account, port);
        }
        if (isDead('the dApp')) {
          await restartDApp();
        } else {
          await dApp.resume();
        }
      };
      const pay = (amount: string): Promise<{ boc: string }> =>
        dApp.sendTransaction({
          validUntil: Math.floor(Date.now() / 1000) + 600,
          messages: [{ address: friendly(shop), amount }],
        });
      /** A killed dApp has forgotten what it waited for; another one gets the answer. */
      const answered = async (asked: Promise<unknown>): Promise<void> => {
        if (!isDead('the dApp')) {
          await asked;
        }
      };

      // The link is shown, and nobody has opened it.
      const link = await dApp.connect(wallet.ready);
      await kill();
      assert.deepEqual(wallet.lines, []);
      await fetch(link);
      await wallet.take(asks('connect'));
      // The connection waits for approval. The same link again is no second request.
      await kill();
      await fetch(link);
      if (isDead('the wallet')) {
        await wallet.take(asks('connect'));
      }
      const connecting = dApp.connected();
      wallet.type('approve');
      assert.equal(await connecting, localnet.rawOf(account));
      // Connected, and idle.
      await kill();
      assert.equal(dApp.account(), localnet.rawOf(account));

      // The request is taken, and nobody has seen it.
      const taken = isDead('the wallet') ? dApp.atNextMessage(() => wallet.stop('SIGKILL')) : undefined;
      const first = pay('1000');
      if (taken !== undefined) {
        await taken;
        wallet = await start(account, port);
      }
      if (isDead('the dApp')) {
        await wallet.take(asks('sendTransaction'));
        await restartDApp();
      } else {
        await dApp.resume();
        await wallet.take(asks('sendTransaction'));
      }
      // It waits for approval.
      await kill();
      if (isDead('the wallet')) {
        await wallet.take(asks('sendTransaction'));
      }
      assert.equal(wallet.lines.filter(asks('sendTransaction')).length, 1);
      // It is approved, and the dApp has not fetched the answer.
      await dApp.pause();
      wallet.type('approve');
      const { hash } = await wallet.take(answers('sendTransaction'));
      assert.match(hash ?? '', /^[0-9a-f]{64}$/);
      await kill();
      await answered(first);
      // It is answered.
      await kill();
      const second = pay('2000');
      await wallet.take(asks('sendTransaction'));
      wallet.type('approve');
      assert.ok((await second).boc.length > 0);
      assert.deepEqual(await paid(account, shop), ['1000', '2000'], 'each is paid once, in their order');

      // Two wait at the same time.
      const rejected = pay('3000').catch((error: unknown) => error);
      const third = await wallet.take(asks('sendTransaction'));
      const approved = pay('4000');
      const fourth = await wallet.take(asks('sendTransaction'));
      await kill();
      if (isDead('the wallet')) {
        await wallet.take(asks('sendTransaction'));
        await wallet.take(asks('sendTransaction'));
      }
      // One is rejected, one approved, and the dApp has fetched neither answer.
      await dApp.pause();
      wallet.type(`reject ${third.request}`);
      wallet.type(`approve ${fourth.request}`);
      await wallet.take(answers('sendTransaction'));
      await wallet.take(answers('sendTransaction'));
      await kill();
      await answered(approved);
      if (!isDead('the dApp')) {
        const error = await rejected;
        assert.ok(error instanceof DAppError && error.isRejected);
      }
      assert.deepEqual(await paid(account, shop), ['1000', '2000', '4000'], 'what was rejected is not paid');

      // It is disconnected.
      await dApp.disconnect();
      await wallet.take(answers('disconnect'));
      const before = wallet.lines.length;
      if (isDead('the wallet')) {
        await wallet.stop('SIGKILL');
        wallet = await start(account, port);
      }
      // There is no stream to go on with: the page is loaded again.
      await restartDApp();
      assert.equal(dApp.account(), undefined);
      assert.equal(
        wallet.lines.length,
        isDead('the wallet') ? 0 : before,
        'nothing is asked or answered again',
      );
      const again = dApp.connected();
      await fetch(await dApp.connect(wallet.ready));
      await wallet.take(asks('connect'));
      wallet.type('approve');
      assert.equal(await again, localnet.rawOf(account));
      assert.deepEqual(await paid(account, shop), ['1000', '2000', '4000']);
    });
  }

  it('do not lose a request that was made while the wallet was not there', async () => {
    wallet = await start('carol', '0');
    const { port } = new URL(wallet.ready.bridge);
    dApp = openDApp();
    const connecting = dApp.connected();
    await fetch(await dApp.connect(wallet.ready));
    await wallet.take(asks('connect'));
    wallet.type('approve');
    await connecting;
    await wallet.stop('SIGKILL');
    const signing = dApp.signData({ type: 'text', text: 'is anybody there?' });
    wallet = await start('carol', port);
    await dApp.resume();
    // The SDK tries again after seconds.
    await wallet.take(asks('signData'));
    wallet.type('approve');
    assert.equal((await signing).payload.type, 'text');
    assert.equal(wallet.lines.filter(asks('signData')).length, 1);
  });
});
