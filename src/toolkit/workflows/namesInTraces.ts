import type { Network } from '../access/network';
import { faucetAddress } from '../accounts/localAccount';

/**
 * The account names used in a network's traces, by raw address.
 *
 * @param known name and raw address, in ascending priority
 */
export function namesInTraces(
  { kind }: Pick<Network, 'kind'>,
  known: Iterable<readonly [name: string, address: string]>,
): Map<string, string> {
  return new Map([
    // The local network's faucet coins come from the zero address, which nobody owns.
    ...(kind === 'local' ? [[faucetAddress, 'faucet'] as const] : []),
    ...[...known].map(([name, address]) => [address, name] as const),
  ]);
}
