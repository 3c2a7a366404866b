import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TonConnect } from '@tonconnect/sdk';
import type { Wallet } from '@tonconnect/sdk';
import type { WalletReady } from './walletCommand';

/** A site with a manifest, on this machine. */
export interface ManifestSite {
  manifestUrl: string;
  /** What signatures are bound to. */
  domain: string;
  close(): void;
}

export async function startManifestSite(): Promise<ManifestSite> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        url: 'https://shop.example',
        name: 'Test shop',
        iconUrl: 'https://shop.example/icon.png',
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    manifestUrl: `http://127.0.0.1:${port}/tonconnect-manifest.json`,
    domain: 'shop.example',
    close: () => void server.close(),
  };
}

/** A dApp's storage, which outlives the dApp. */
export type DAppStorage = Map<string, string>;

/** A dApp in Node: the SDK, unmodified, over a storage. */
export function openDApp(
  manifestUrl: string,
  walletsList: string,
  store: DAppStorage = new Map(),
): TonConnect {
  return new TonConnect({
    manifestUrl,
    walletsListSource: walletsList,
    analytics: { mode: 'off' },
    storage: {
      setItem: (key, value) => Promise.resolve(void store.set(key, value)),
      getItem: (key) => Promise.resolve(store.get(key) ?? null),
      removeItem: (key) => Promise.resolve(void store.delete(key)),
    },
  });
}

/** Resolves with the wallet once it is connected; rejects with what it answered instead. */
export function connected(dApp: TonConnect): Promise<Wallet> {
  return new Promise((resolve, reject) => {
    dApp.onStatusChange((wallet) => wallet !== null && resolve(wallet), reject);
  });
}

/** Asks to connect, as a click on the wallet's button does: the link is opened. */
export async function askToConnect(dApp: TonConnect, ready: WalletReady, tonProof?: string): Promise<void> {
  const link = dApp.connect(
    { bridgeUrl: ready.bridge, universalLink: ready.universalLink },
    tonProof === undefined ? undefined : { request: { tonProof } },
  );
  await fetch(link);
}
