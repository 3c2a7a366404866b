import type { LocalAccount } from './localAccount';

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
