import { walletAppName, walletFeatures } from './connectReply';
import type { LocalAccount } from '../localnet/accounts/localAccount';

/** The property of `window` that has the injected wallet. */
export const injectedKey = 'tonWorkbench';

/** The name that dApps show. */
const walletName = 'TON Workbench';

/** Where a wallet can be reached: without a trailing slash. */
export interface WalletAddresses {
  /** Of the HTTP bridge. */
  bridge: string;
  universalLink: string;
  /** A wallets list with this wallet alone, for `walletsListSource`. */
  walletsList: string;
  /** The script of the JS bridge. */
  inject: string;
}

const platforms = ['ios', 'android', 'chrome', 'firefox', 'safari', 'windows', 'macos', 'linux'];

export function walletAddresses(port: number): WalletAddresses {
  const origin = `http://127.0.0.1:${port}`;
  return {
    bridge: `${origin}/bridge`,
    universalLink: `${origin}/connect`,
    walletsList: `${origin}/wallets.json`,
    inject: `${origin}/inject.js`,
  };
}

/** The wallet in the form of the public wallets list. */
export function walletsListEntry(port: number, kind: LocalAccount['kind']): object {
  const { bridge, universalLink } = walletAddresses(port);
  return {
    ...{ app_name: walletAppName, name: walletName },
    ...{ image: iconUrl(port), about_url: aboutUrl(port) },
    ...{ universal_url: universalLink, platforms },
    bridge: [
      { type: 'sse', url: bridge },
      { type: 'js', key: injectedKey },
    ],
    features: walletFeatures(kind),
  };
}

/** The wallet for `walletsListConfiguration.includeWallets` of @tonconnect/ui. */
export function includedWallet(port: number, kind: LocalAccount['kind']): object {
  const { bridge, universalLink } = walletAddresses(port);
  return {
    ...{ appName: walletAppName, name: walletName },
    ...{ imageUrl: iconUrl(port), aboutUrl: aboutUrl(port) },
    ...{ bridgeUrl: bridge, universalLink, jsBridgeKey: injectedKey, platforms },
    features: walletFeatures(kind),
  };
}

function iconUrl(port: number): string {
  return `http://127.0.0.1:${port}/icon.svg`;
}

function aboutUrl(port: number): string {
  return `http://127.0.0.1:${port}/`;
}
