import { toWorkbenchError } from '../base/errors';
import type { WorkbenchError } from '../base/errors';
import type { Access, CallOptions } from './createAccess';
import { ownValue } from '../base/collections';

/**
 * The network that answers at an address, by its chain. `other` is neither of the public ones, such as a local
 * network.
 */
export type NetworkIdentity = 'mainnet' | 'testnet' | 'other';

/** Root hashes of the zero states, which identify a masterchain (`validator.zero_state` of global.config.json). */
const zeroStates: Readonly<Record<string, NetworkIdentity>> = {
  '17a3a92992aabea785a7a090985a265cd31f323d849da51239737e321fb05569': 'mainnet',
  '823f81f306ff02694f935cf5021548e3ce2b86b529812af6a12148879e95a128': 'testnet',
};

/**
 * `global_id` of a block, used without v2, which has the zero state. Other networks may share it: errs toward the
 * public networks.
 */
const globalIds: Readonly<Record<number, NetworkIdentity>> = { [-239]: 'mainnet', [-3]: 'testnet' };

/**
 * The network with this zero state (root hash, lowercase hex) or, less certainly, this global id; undefined if
 * neither is known.
 */
export function identityOf({
  zeroState,
  globalId,
}: {
  zeroState?: string | undefined;
  globalId?: number | undefined;
}): NetworkIdentity | undefined {
  if (zeroState !== undefined) {
    return ownValue(zeroStates, zeroState) ?? 'other';
  }
  return globalId === undefined ? undefined : (globalIds[globalId] ?? 'other');
}

/**
 * Asks the service which network it is: by the zero state (v2), else by the global id of the newest block (v3). A
 * relay of the main network is the main network, whatever its URL.
 * @throws WorkbenchError the last API's error, if none answers
 */
async function networkIdentity(
  access: Access,
  options: CallOptions = { priority: 'user' },
): Promise<NetworkIdentity> {
  const { network, v2, v3 } = access;
  let failure: WorkbenchError | undefined;
  if (network.v2 !== undefined) {
    try {
      const { init } = await v2.getMasterchainInfo({}, options);
      return identityOf({ zeroState: init.root_hash }) ?? 'other';
    } catch (error) {
      failure = toWorkbenchError(error);
    }
  }
  if (network.v3 !== undefined) {
    try {
      const { last } = await v3.masterchainInfo({}, options);
      return identityOf({ globalId: last?.global_id ?? undefined }) ?? 'other';
    } catch (error) {
      failure = toWorkbenchError(error);
    }
  }
  throw failure ?? toWorkbenchError(new Error('The network has no API.'));
}

/**
 * Whether messages sent there move real coins: the network is called the main network, or is it by its answer. An
 * unidentified network counts as the main network.
 * @throws WorkbenchError of kind `network`, if nothing answers
 */
export async function isMainNetwork(access: Access, options?: CallOptions): Promise<boolean> {
  if (access.network.kind === 'mainnet') {
    return true;
  }
  try {
    return (await networkIdentity(access, options)) === 'mainnet';
  } catch (error) {
    if (toWorkbenchError(error).kind === 'network') {
      throw error;
    }
    return true;
  }
}
