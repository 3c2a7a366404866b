import { surroundings } from './surroundings';
import type { Surroundings } from './surroundings';
import { configuredNetworks, resolveNetwork } from '../toolkit/access/resolveNetwork';
import type { NetworkChoice } from '../toolkit/access/resolveNetwork';
import { findLocalNetwork, lastLocalNetwork } from '../toolkit/localnet/folder/localNetworkFile';

/**
 * The network for a name or URL. `local` is the one that the editor announces to its terminals (TON_LOCAL_V2,
 * TON_LOCAL_V3), else the folder's (`.ton/local.json`), running or crashed, else the one at the default address.
 * @throws WorkbenchError `network-unknown` (input)
 */
export function networkHere(
  nameOrUrl: string,
  { environment, folder }: Pick<Surroundings, 'environment' | 'folder'> = surroundings(),
): NetworkChoice {
  const choice = resolveNetwork(nameOrUrl);
  if (choice.network !== configuredNetworks[0]) {
    return choice;
  }
  const { TON_LOCAL_V2: v2, TON_LOCAL_V3: v3 } = environment;
  const urls = v2 || v3 ? { v2, v3 } : (findLocalNetwork(folder) ?? lastLocalNetwork(folder));
  const first = urls?.v2 || urls?.v3;
  if (urls === undefined || !first) {
    return choice;
  }
  const { network } = resolveNetwork(first);
  return { network: { ...network, name: 'Local', v2: urls.v2 || network.v2, v3: urls.v3 || network.v3 } };
}
