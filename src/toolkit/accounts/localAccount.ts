/** Suffix of a wallet's twin with the test network's wallet id. */
const twinSuffix = '-testnet';

/** Raw addresses (lowercase hex) of a local network's wallets by name; the twins of v5r1 wallets have names too. */
export function accountNames(
  accounts: readonly Pick<LocalAccount, 'name' | 'address' | 'testnetAddress'>[],
): Map<string, string> {
  return new Map([
    ...accounts.map(({ name, address }): [string, string] => [name, address]),
    ...accounts.flatMap(({ name, testnetAddress }): [string, string][] =>
      testnetAddress === undefined ? [] : [[name + twinSuffix, testnetAddress]],
    ),
  ]);
}

/** One of the wallets that a local network starts with. Worthless by design: its keys are public. */
export interface LocalAccount {
  name: string;
  kind: 'v5r1' | 'v4r2';
  /** Raw, lowercase hex. */
  address: string;
  /**
   * Of a v5r1 wallet: the same key's address for a client configured for the test network (the network's id is part
   * of the wallet id, and so of the address). Funded the same, and named `<name>-testnet`.
   */
  testnetAddress?: string | undefined;
  /** 24 words, no password. */
  mnemonic: string;
  /** 32 bytes, hex. */
  publicKey: string;
  /** 64 bytes, hex. */
  secretKey: string;
}

/** How many messages a wallet sends at once. */
export const mostOrders: Readonly<Record<LocalAccount['kind'], number>> = { v4r2: 4, v5r1: 255 };

/** The source of a local network's faucet coins: the zero address, which nobody owns. Raw. */
export const faucetAddress = `0:${'00'.repeat(32)}`;
