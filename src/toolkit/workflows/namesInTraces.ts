import type { Network } from '../access/network';
import { faucetAddress } from '../localnet/accounts/faucetAddress';

/**
 * How traces of a network call its accounts, by raw address.
 *
 * @param known name and raw address, the more important last
 */
export function namesInTraces(
  { kind }: Pick<Network, 'kind'>,
  known: Iterable<readonly [name: string, address: string]>,
): Map<string, string> {
  return new Map([
    // Coins of the local network's faucet come from the zero address, which nobody owns.
    ...(kind === 'local' ? [[faucetAddress, 'faucet'] as const] : []),
    ...[...known].map(([name, address]) => [address, name] as const),
  ]);
}
