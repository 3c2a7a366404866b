import type { Access } from '../access/createAccess';

/**
 * Whose jetton wallets accounts are, by raw address, as far as the network knows. It only tells wallets apart, so a
 * network without v3, or that does not answer, tells nothing.
 */
export async function jettonWalletOwners(
  access: Access,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  if (addresses.length === 0 || access.network.v3 === undefined) {
    return new Map();
  }
  try {
    const { jetton_wallets: wallets } = await access.v3.jettonWallets(
      { address: [...addresses], limit: addresses.length },
      { priority: 'background' },
    );
    return new Map(
      (wallets ?? []).flatMap(({ address, owner }): [string, string][] =>
        address == null || owner == null ? [] : [[address, owner]],
      ),
    );
  } catch {
    return new Map();
  }
}
