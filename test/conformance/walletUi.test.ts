import { Address } from '@ton/core';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDAppSite, ways } from '../support/dAppPages';
import type { DAppPage, DAppSite } from '../support/dAppPages';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { ownsAddress, verifiesProof } from '../support/tonConnectProofs';
import { startWalletCommand } from '../support/walletCommand';
import type { WalletCommand, WalletLine } from '../support/walletCommand';
import { until } from '../support/until';

/** What the injected script offers, as far as it is used here. */
interface JsBridge {
  connect(version: number, request: object): Promise<object>;
}

describe('the test wallet against @tonconnect/ui in a browser', () => {
  let localnet: LocalnetCommand;
  let site: DAppSite;

  before(async () => {
    [localnet, site] = await Promise.all([startLocalnetCommand(), startDAppSite()]);
  });
  after(async () => {
    await site.close();
    await localnet.stop();
  });

  const asks = (method: string) => (line: WalletLine) => line.method === method && line.request !== undefined;
  const answers = (method: string) => (line: WalletLine) =>
    line.method === method && line.answer !== undefined;
  const setBlocks = async (mode: 'automatic' | 'manual'): Promise<void> => {
    await fetch(`${localnet.origin}/control/mode`, { method: 'POST', body: JSON.stringify({ mode }) });
  };
  const accounts = { 'the wallets list': 'alice', includeWallets: 'bob', 'the injected script': 'carol' };
  for (const way of ways) {
    describe(`over ${way}`, () => {
      const account = accounts[way];
      let wallet: WalletCommand;
      let page: DAppPage;
      let folder: string;

      before(async () => {
        folder = await mkdtemp(path.join(tmpdir(), 'tonwb-wallet-'));
        wallet = await startWalletCommand(localnet.origin, '--account', account, '--state', folder);
        page = await site.open(way, wallet.ready);
      });
      after(async () => {
        await page.close();
        await wallet.stop();
        await rm(folder, { recursive: true, force: true });
      });

      const killWallet = async (): Promise<void> => {
        const { port } = new URL(wallet.ready.bridge);
        await wallet.stop('SIGKILL');
        wallet = await startWalletCommand(
          ...[localnet.origin, '--account', account, '--state', folder, '--port', port],
        );
      };
      const pay = (amount: string): Promise<string> =>
        page.pay(Address.parse(localnet.rawOf('dave')).toString({ bounceable: false }), amount);
      const paid = async (): Promise<string[]> => {
        await localnet.untilIdle();
        return localnet.valuesSent(account, 'dave');
      };
      /** Loads the page again, and expects it connected. */
      const comeBack = async (): Promise<void> => {
        await page.comeBack();
        assert.equal(await page.isRestored(), true);
        await page.untilConnected();
        assert.equal((await page.wallet())?.account.address, localnet.rawOf(account));
      };
      const pays = async (amount: string): Promise<void> => {
        const paying = pay(amount);
        await wallet.take(asks('sendTransaction'));
        wallet.type('approve');
        assert.match(await paying, /^te6cc/);
      };

      it('connects with a proof that verifies', async () => {
        await page.askToConnect();
        const asked = await wallet.take(asks('connect'));
        assert.equal(asked.dApp?.name, 'Browser shop');
        assert.match(asked.asks ?? '', /proof/);
        wallet.type('approve');
        await page.untilConnected();
        const connection = await page.wallet();
        assert.ok(connection !== null);
        assert.equal(connection.account.address, localnet.rawOf(account));
        assert.ok(ownsAddress(connection.account));
        const proof = connection.connectItems?.tonProof?.proof;
        assert.ok(proof !== undefined);
        assert.deepEqual([proof.payload, proof.domain.value], ['nonce-7', 'shop.example']);
        assert.ok(verifiesProof(connection.account, proof), 'the proof verifies');
        assert.ok(!verifiesProof(connection.account, { ...proof, timestamp: proof.timestamp + 1 }));
      });

      it('pays, and rejects', async () => {
        const paying = pay('111');
        assert.match((await wallet.take(asks('sendTransaction'))).asks ?? '', /^pay /);
        wallet.type('approve');
        assert.match(await paying, /^te6cc/);
        const refused = pay('222');
        await wallet.take(asks('sendTransaction'));
        wallet.type('reject');
        assert.match(await refused, /failed: .*(reject|declined)/i);
        assert.deepEqual(await paid(), ['111']);
      });

      it('is connected after the page was loaded again, and pays', async () => {
        const before = wallet.lines.length;
        await page.leave();
        await comeBack();
        assert.equal(wallet.lines.length, before, 'nothing is asked again');
        await pays('333');
        assert.deepEqual(await paid(), ['111', '333']);
      });

      it('answers a request that waits while the wallet is killed, if the page is not left', async () => {
        const paying = pay('444');
        await wallet.take(asks('sendTransaction'));
        await killWallet();
        await wallet.take(asks('sendTransaction'));
        wallet.type('approve');
        // The SDK gives up a stream that breaks, until its page gets the focus again.
        await page.tab.evaluate(() => {
          document.dispatchEvent(new Event('visibilitychange'));
        });
        assert.match(await paying, /^te6cc/);
        assert.deepEqual(await paid(), ['111', '333', '444'], 'each is paid once');
      });

      const walks = [
        ['the page is loaded again', false],
        ['the page is loaded again and the wallet killed', true],
      ] as const;
      walks.forEach(([what, isWalletKilled], walk) => {
        it(`loses nothing and repeats nothing, if ${what} in every state`, async () => {
          const before = await paid();
          const amount = (at: number): string => String(10_000 * (walk + 1) + at);
          /** Starts a payment that the page will not wait for, and returns its number once it is asked for. */
          const start = async (at: number): Promise<number> => {
            void pay(amount(at));
            return (await wallet.take(asks('sendTransaction'))).request ?? 0;
          };
          /** The page is away, and comes back; a killed wallet asks again for so many payments. */
          const restart = async (pending: number): Promise<void> => {
            const asked = (): number => wallet.lines.filter(asks('sendTransaction')).length;
            const askedBefore = asked();
            await page.leave();
            if (isWalletKilled) {
              await killWallet();
            }
            await comeBack();
            for (let count = 0; isWalletKilled && count < pending; count++) {
              await wallet.take(asks('sendTransaction'));
            }
            assert.equal(asked(), isWalletKilled ? pending : askedBefore, 'nothing else is asked again');
          };
          const untilDecided = async (number: number): Promise<void> => {
            const entry = `{"type":"decided","number":${number},`;
            await until(
              async () => (await readFile(path.join(folder, 'wallet.log'), 'utf8')).includes(entry),
              'the decision is kept',
            );
          };

          // It waits for approval.
          const first = await start(1);
          await restart(1);
          wallet.type(`approve ${first}`);
          assert.match((await wallet.take(answers('sendTransaction'))).hash ?? '', /^[0-9a-f]{64}$/);
          // It is approved and answered, and the page has fetched no answer.
          const second = await start(2);
          await page.leave();
          wallet.type(`approve ${second}`);
          await wallet.take(answers('sendTransaction'));
          await restart(0);
          // It is carried out: the one before has no block yet.
          await setBlocks('manual');
          await pays(amount(3));
          const fourth = await start(4);
          wallet.type(`approve ${fourth}`);
          await untilDecided(fourth);
          await restart(0);
          await setBlocks('automatic');
          await wallet.take(answers('sendTransaction'));
          // Two wait.
          const fifth = await start(5);
          const sixth = await start(6);
          await restart(2);
          // One is approved, one rejected, and the page has fetched neither answer.
          await page.leave();
          wallet.type(`approve ${sixth}`);
          wallet.type(`reject ${fifth}`);
          await wallet.take(answers('sendTransaction'));
          await wallet.take(answers('sendTransaction'));
          await restart(0);
          // It is connected, and idle.
          await restart(0);
          await pays(amount(7));
          assert.deepEqual(
            await paid(),
            [...before, ...[1, 2, 3, 4, 6, 7].map(amount)],
            'each is paid once, and what was rejected is not',
          );
        });
      });

      it('forgets the connection when the page disconnects', async () => {
        await page.disconnect();
        await page.tab.getByRole('button', { name: 'Connect wallet' }).waitFor();
        await page.leave();
        await page.comeBack();
        assert.equal(await page.isRestored(), false);
        assert.equal(await page.wallet(), null);
      });

      if (way === 'the injected script') {
        it('withdraws a request to connect when the page is loaded again, so that the next one connects', async () => {
          const connect = (): Promise<unknown> =>
            page.tab.evaluate(async () => {
              const { tonWorkbench } = window as unknown as { tonWorkbench: { tonconnect: JsBridge } };
              const manifestUrl = `${location.origin}/tonconnect-manifest.json`;
              return tonWorkbench.tonconnect.connect(2, { manifestUrl, items: [{ name: 'ton_addr' }] });
            });
          const left = connect().catch(() => undefined);
          const { request: first } = await wallet.take(asks('connect'));
          await page.tab.reload();
          await left;
          const connecting = connect();
          const { request } = await wallet.take(asks('connect'));
          assert.notEqual(request, first);
          // The only one that is pending: it needs no number.
          wallet.type('approve');
          assert.equal(((await connecting) as { event?: string }).event, 'connect');
        });
      } else {
        it('goes on with a request to connect when the page is loaded again', async () => {
          await page.askToConnect();
          await wallet.take(asks('connect'));
          await page.leave();
          await page.comeBack();
          wallet.type('approve');
          await page.untilConnected();
          assert.equal((await page.wallet())?.account.address, localnet.rawOf(account));
        });
      }
    });
  }
});
