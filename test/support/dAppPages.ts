import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/browser.mjs';
import { pace } from '../../scripts/lib/pace.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { includedWallet } from '../../src/toolkit/tonConnect/injectedScript';
import { featuresOf } from '../../src/toolkit/tonConnect/walletFeatures';
import type { Proof, ProvenAccount } from './tonConnectProofs';
import type { WalletReady } from './walletCommand';

/** How a page gets to know the wallet. */
export const ways = ['the wallets list', 'includeWallets', 'the injected script'] as const;
export type Way = (typeof ways)[number];

const uiFile = path.join(
  path.dirname(createRequire(path.join(root, 'package.json')).resolve('@tonconnect/ui')),
  '../dist/tonconnect-ui.min.js',
);

/** The wallet as Copy Wallet Entry for a dApp gives it. */
const included = ({ bridge }: WalletReady): object =>
  includedWallet(Number(new URL(bridge).port), featuresOf('v4r2'));

const pageText = (way: Way, ready: WalletReady): string => `<!doctype html>
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

/** What a page's \`ui\` is, as far as it is used here. */
interface PageWindow {
  ui: {
    wallet: { account: ProvenAccount; connectItems?: { tonProof?: { proof: Proof } } } | null;
    connectionRestored: Promise<boolean>;
    sendTransaction(request: object): Promise<{ boc: string }>;
    disconnect(): Promise<void>;
  };
}

/** A browser, and a site with a page of @tonconnect/ui, unmodified. */
export interface DAppSite {
  /** Opens the page in a browser profile of its own. */
  open(way: Way, ready: WalletReady): Promise<DAppPage>;
  close(): Promise<void>;
}

export async function startDAppSite(): Promise<DAppSite> {
  const [browser, ui] = await Promise.all([launchBrowser(), readFile(uiFile)]);
  let shown = '';
  const server = createServer((request, response) => {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    open: async (way, ready) => {
      shown = pageText(way, ready);
      const tab = await browser.newPage();
      tab.setDefaultTimeout(60_000 * pace);
      const page = new DAppPage(tab, way, url);
      await page.tab.goto(url);
      return page;
    },
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}

/** A page of a dApp, as its visitor uses it. */
export class DAppPage {
  constructor(
    readonly tab: Page,
    private readonly way: Way,
    private readonly url: string,
  ) {}

  /** Asks to connect with the wallet, with the buttons of @tonconnect/ui. */
  async askToConnect(): Promise<void> {
    await this.tab.getByRole('button', { name: 'Connect wallet' }).click();
    await this.tab.getByRole('button', { name: /TON Workb/ }).click();
    if (this.way === 'the injected script') {
      await this.tab.getByRole('button', { name: 'Browser Extension' }).click();
    } else {
      const opened = this.tab.waitForEvent('popup');
      await this.tab.getByRole('button', { name: 'Desktop' }).click();
      await (await opened).close();
    }
  }

  /** Resolves once the page shows that it is connected. */
  untilConnected(): Promise<void> {
    return this.tab.getByRole('button', { name: /^[UE]Q/ }).waitFor();
  }

  wallet(): Promise<PageWindow['ui']['wallet']> {
    return this.tab.evaluate(() => (window as unknown as PageWindow).ui.wallet);
  }

  /** Whether a page that was just loaded has found its connection again. */
  isRestored(): Promise<boolean> {
    return this.tab.evaluate(() => (window as unknown as PageWindow).ui.connectionRestored);
  }

  /** Starts a payment, and returns how it ends: the BoC, the error's text, or that the page was left. */
  async pay(address: string, amount: string): Promise<string> {
    const request = {
      validUntil: Math.floor(Date.now() / 1000) + 300,
      network: '-239',
      messages: [{ address, amount }],
    };
    try {
      return await this.tab.evaluate(
        async (asked) => (await (window as unknown as PageWindow).ui.sendTransaction(asked)).boc,
        request,
      );
    } catch (error) {
      return `failed: ${String(error)}`;
    }
  }

  disconnect(): Promise<void> {
    return this.tab.evaluate(() => (window as unknown as PageWindow).ui.disconnect());
  }

  async leave(): Promise<void> {
    await this.tab.goto('about:blank');
  }

  async comeBack(): Promise<void> {
    await this.tab.goto(this.url);
  }

  close(): Promise<void> {
    return this.tab.context().close();
  }
}
