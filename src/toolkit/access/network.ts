/** The role of a network: decides colors, confirmations, and default limits. */
export type NetworkKind = 'local' | 'mainnet' | 'testnet' | 'custom';

/** One network: the URLs of its two APIs and its role. Either URL may be missing. */
export interface Network {
  /** Unique, as shown. */
  name: string;
  kind: NetworkKind;
  /** Base of the non-indexed API, for example `https://toncenter.com/api/v2`, without a trailing slash. */
  v2?: string | undefined;
  /** Base of the indexed API, for example `https://toncenter.com/api/v3`, without a trailing slash. */
  v3?: string | undefined;
  /** Configuration parameter 19: -239 main network, -3 test network. Part of what v5 wallets sign. */
  globalId: number;
  /** Origin of a block explorer for links, if the network has one. */
  explorer?: string | undefined;
}

/** The two public networks of TON Center. */
export const publicNetworks: readonly Network[] = [
  {
    name: 'Mainnet',
    kind: 'mainnet',
    v2: 'https://toncenter.com/api/v2',
    v3: 'https://toncenter.com/api/v3',
    globalId: -239,
    explorer: 'https://tonviewer.com',
  },
  {
    name: 'Testnet',
    kind: 'testnet',
    v2: 'https://testnet.toncenter.com/api/v2',
    v3: 'https://testnet.toncenter.com/api/v3',
    globalId: -3,
    explorer: 'https://testnet.tonviewer.com',
  },
];

/** Cache key of a network: by name and addresses. */
export function networkKey({ name, v2, v3 }: Network): string {
  return JSON.stringify([name, v2, v3]);
}
