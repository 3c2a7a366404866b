import { parseAddress } from '../api/requestParameters';
import type { LocalChain } from '../chain/localChain';

/** Paths that answer from account states; others answer from history, of which a fork only has its own. */
const indexedPaths: ReadonlySet<string> = new Set([
  '/accountStates',
  '/walletStates',
  '/addressInformation',
  '/account',
  '/walletInformation',
  '/wallet',
  '/jetton/masters',
  '/jetton/wallets',
  '/nft/collections',
  '/nft/items',
  '/nft/sales',
  '/multisig/wallets',
  '/multisig/orders',
]);

/** Maximum accounts read for one request: the service's own limit. */
const most = 1_000;

/** On a fork, reads the accounts that a request of the non-indexed API asks about. */
export async function preloadV2(chain: LocalChain, values: Readonly<Record<string, unknown>>): Promise<void> {
  if (chain.fork !== undefined) {
    await preload(chain, [values['address']]);
  }
}

/** On a fork, reads the accounts that a request of the indexed API asks about. */
export async function preloadV3(
  chain: LocalChain,
  path: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (chain.fork !== undefined && indexedPaths.has(path)) {
    await preload(chain, [values['address']].flat());
  }
}

async function preload(chain: LocalChain, texts: readonly unknown[]): Promise<void> {
  const addresses = texts
    .slice(0, most)
    .map((text) => (typeof text === 'string' ? parseAddress(text) : null))
    .filter((address) => address !== null);
  await Promise.all(addresses.map((address) => chain.load(address)));
}
