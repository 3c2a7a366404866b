import { Address } from '@ton/core';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/browser.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { includedWallet } from '../../src/toolkit/tonConnect/walletEntry';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { ownsAddress, verifiesProof } from '../support/tonConnectProofs';
import type { Proof, ProvenAccount } from '../support/tonConnectProofs';
import { startWalletCommand } from '../support/walletCommand';
import type { WalletCommand, WalletLine, WalletReady } from '../support/walletCommand';

/** How a page gets to know the wallet. */
const ways = ['the wallets list', 'includeWallets', 'the injected script'] as const;
type Way = (typeof ways)[number];

const uiFile = path.join(
  path.dirname(createRequire(path.join(root, 'package.json')).resolve('@tonconnect/ui')),
  '../dist/tonconnect-ui.min.js',
);

/** The wallet as Copy Wallet Entry for a dApp gives it. */
const included = ({ bridge }: WalletReady): object => includedWallet(Number(new URL(bridge).port), 'v4r2');

const page = (way: Way, ready: WalletReady): string => `<!doctype html>
<title>dApp</title>
<div id="wallet"></div>
${way === 'the injected script' ? `<script src="${ready.inject}"></script>` : ''}
<script src="/tonconnect-ui.js"></script>
<script>
  const { TonConnectUI, TonConnect } = window.TON_CONNECT_UI;
  window.ui = new TonConnectUI({
    connector: new TonConnect({
      manifestUrl: location.origin + '/tonconnect-manifest.json',
      walletsListSource: ${way === 'includeWallets' ? "location.origin + '/no-wallets.json'" : JSON.stringify(ready.walletsList)},
      analytics: { mode: 'off' },
    }),
    buttonRootId: 'wallet',
    analytics: { mode: 'off' },
    ${way === 'includeWallets' ? `walletsListConfiguration: { includeWallets: [${JSON.stringify(included(ready))}] },` : ''}
  });
  window.ui.setConnectRequestParameters({ state: 'ready', value: { tonProof: 'nonce-7' } });
</script>`;

/** What the page's \`ui\` is, as far as it is used here. */
interface PageWindow {
  ui: {
    wallet: { account: ProvenAccount; connectItems?: { tonProof?: { proof: Proof } } } | null;
    connectionRestored: Promise<boolean>;
    sendTransaction(request: object): Promise<{ boc: string }>;
    signData(request: object): Promise<{ signature: string }>;
    disconnect(): Promise<void>;
  };
}

/** What the injected script offers, as far as it is used here. */
interface JsBridge {
  connect(version: number, request: object): Promise<object>;
}

describe('the test wallet against @tonconnect/ui in a browser', function () {
  this.timeout(30_000);
  let localnet: LocalnetCommand;
  let browser: Browser;
  let site: Server;
  let shown = '';

  before(async () => {
    [localnet, browser] = await Promise.all([startLocalnetCommand(), launchBrowser()]);
    const ui = await readFile(uiFile);
    site = createServer((request, response) => {
      const files: Record<string, [string, string | Buffer]> = {
        '/': ['text/html', shown],
        '/tonconnect-ui.js': ['text/javascript', ui],
        '/no-wallets.json': ['application/json', '[]'],
        '/tonconnect-manifest.json': [
          'application/json',
          '{"url":"https://shop.example","name":"Browser shop","iconUrl":"https://shop.example/i.png"}',
        ],
      };
      const [type, text] = files[request.url ?? ''] ?? ['text/plain', ''];
      response.setHeader('content-type', type);
      response.end(text);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    await browser.close();
    site.close();
    await localnet.stop();
  });

  const asks = (method: string) => (line: WalletLine) => line.method === method && line.request !== undefined;
  const accounts = { 'the wallets list': 'alice', includeWallets: 'bob', 'the injected script': 'carol' };
  for (const way of ways) {
    describe(`over ${way}`, () => {
      const account = accounts[way];
      let wallet: WalletCommand;
      let tab: Page;
      let folder: string;

      before(async () => {
        folder = await mkdtemp(path.join(tmpdir(), 'tonwb-wallet-'));
        wallet = await startWalletCommand(localnet.origin, '--account', account, '--state', folder);
        shown = page(way, wallet.ready);
        tab = await (await browser.newContext()).newPage();
        await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
      });
      after(async () => {
        await tab.context().close();
        await wallet.stop();
        await rm(folder, { recursive: true, force: true });
      });

      /** Starts a payment in the page, and returns how it ends: the BoC, or the error's text. */
      const pay = async (amount: string): Promise<string> => {
        const address = Address.parse(localnet.rawOf('dave')).toString({ bounceable: false });
        const request = {
          validUntil: Math.floor(Date.now() / 1000) + 300,
          network: '-239',
          messages: [{ address, amount }],
        };
        return tab.evaluate(async (asked) => {
          try {
            return (await (window as unknown as PageWindow).ui.sendTransaction(asked)).boc;
          } catch (error) {
            return `failed: ${String(error)}`;
          }
        }, request);
      };
      const paid = async (): Promise<string[]> => {
        await localnet.untilIdle();
        return localnet.valuesSent(account, 'dave');
      };
      const connectedWallet = (): Promise<PageWindow['ui']['wallet']> =>
        tab.evaluate(() => (window as unknown as PageWindow).ui.wallet);

      it('connects with a proof that verifies', async () => {
        await tab.getByRole('button', { name: 'Connect wallet' }).click();
        await tab.getByRole('button', { name: /TON Workb/ }).click();
        if (way === 'the injected script') {
          await tab.getByRole('button', { name: 'Browser Extension' }).click();
        } else {
          const opened = tab.waitForEvent('popup');
          await tab.getByRole('button', { name: 'Desktop' }).click();
          await (await opened).close();
        }
        const asked = await wallet.take(asks('connect'));
        assert.equal(asked.dApp?.name, 'Browser shop');
        assert.match(asked.asks ?? '', /proof/);
        wallet.type('approve');
        await tab.getByRole('button', { name: /^[UE]Q/ }).waitFor();
        const connection = await connectedWallet();
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
        await tab.reload();
        const isRestored = await tab.evaluate(() => (window as unknown as PageWindow).ui.connectionRestored);
        assert.equal(isRestored, true);
        await tab.getByRole('button', { name: /^[UE]Q/ }).waitFor();
        assert.equal((await connectedWallet())?.account.address, localnet.rawOf(account));
        assert.equal(wallet.lines.length, before, 'nothing is asked again');
        const paying = pay('333');
        await wallet.take(asks('sendTransaction'));
        wallet.type('approve');
        assert.match(await paying, /^te6cc/);
        assert.deepEqual(await paid(), ['111', '333']);
      });

      it('answers a request that waits while the wallet is killed, if the page is not left', async () => {
        const paying = pay('444');
        await wallet.take(asks('sendTransaction'));
        const { port } = new URL(wallet.ready.bridge);
        await wallet.stop('SIGKILL');
        wallet = await startWalletCommand(
          ...[localnet.origin, '--account', account, '--state', folder, '--port', port],
        );
        await wallet.take(asks('sendTransaction'));
        wallet.type('approve');
        // The SDK gives up a stream that breaks, until its page gets the focus again.
        await tab.evaluate(() => {
          document.dispatchEvent(new Event('visibilitychange'));
        });
        assert.match(await paying, /^te6cc/);
        assert.deepEqual(await paid(), ['111', '333', '444'], 'each is paid once');
      });

      it('forgets the connection when the page disconnects', async () => {
        await tab.evaluate(() => (window as unknown as PageWindow).ui.disconnect());
        await tab.getByRole('button', { name: 'Connect wallet' }).waitFor();
        await tab.reload();
        const isRestored = await tab.evaluate(() => (window as unknown as PageWindow).ui.connectionRestored);
        assert.equal(isRestored, false);
        assert.equal(await connectedWallet(), null);
      });

      if (way === 'the injected script') {
        it('withdraws a request to connect when the page is loaded again, so that the next one connects', async () => {
          const connect = (): Promise<unknown> =>
            tab.evaluate(async () => {
              const { tonWorkbench } = window as unknown as { tonWorkbench: { tonconnect: JsBridge } };
              const manifestUrl = `${location.origin}/tonconnect-manifest.json`;
              return tonWorkbench.tonconnect.connect(2, { manifestUrl, items: [{ name: 'ton_addr' }] });
            });
          const left = connect().catch(() => undefined);
          const { request: first } = await wallet.take(asks('connect'));
          await tab.reload();
          await left;
          const connecting = connect();
          const { request } = await wallet.take(asks('connect'));
          assert.notEqual(request, first);
          // The only one that is pending: it needs no number.
          wallet.type('approve');
          assert.equal(((await connecting) as { event?: string }).event, 'connect');
        });
      }
    });
  }
});
