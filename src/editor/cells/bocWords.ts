import { accountName } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { coinLabel } from '../ui/coinLabel';

/** This window's names for addresses and coins. */
export async function bocWords(
  services: Services,
): Promise<{ address: (raw: string) => string; coin: string }> {
  const { readAddressForm, toFriendlyAddress } = await import('../../toolkit/address/addressForm');
  const name = accountName(services);
  const testOnly = services.networks.current().kind === 'testnet';
  const address = (raw: string): string => {
    if (!/^-?\d+:[0-9a-f]{64}$/i.test(raw)) {
      return raw;
    }
    const friendly = toFriendlyAddress(readAddressForm(raw), { bounceable: true, testOnly });
    const known = name(raw);
    return known === undefined ? friendly : `${known} (${friendly})`;
  };
  return { address, coin: coinLabel() };
}
