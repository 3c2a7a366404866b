import type { Network } from '../toolkit/access/network';
import type { LocalAccount } from '../toolkit/localnet/accounts/localAccount';

/** Milliseconds for the network's own list; without an answer the usual wallets stand. */
const patience = 2_000;

/** The named accounts of a network: on a local one its wallets, name to raw address; none elsewhere. */
export async function localAccounts(network: Network): Promise<ReadonlyMap<string, string>> {
  if (network.kind !== 'local') {
    return new Map();
  }
  const { accountNames } = await import('../toolkit/localnet/accounts/accountNames');
  return accountNames(await localWallets(network));
}

/** The wallets of a local network as it tells them itself: it may have been started with others than the usual ten. */
export async function localWallets(network: Network): Promise<readonly LocalAccount[]> {
  const [{ callControl }, { controlOf }, { namedAccounts }] = await Promise.all([
    import('../toolkit/localnet/callControl'),
    import('../toolkit/localnet/controlOf'),
    import('../toolkit/localnet/accounts/namedAccounts'),
  ]);
  const control = controlOf(network);
  if (control === undefined) {
    return namedAccounts;
  }
  const signal = AbortSignal.timeout(patience);
  const told: unknown = await callControl(control, 'accounts', {}, signal).catch(() => undefined);
  return isWallets(told) ? told : namedAccounts;
}

/** Whatever listens on this machine may answer anything. */
function isWallets(value: unknown): value is LocalAccount[] {
  return (
    Array.isArray(value) &&
    value.every(
      (one: Partial<LocalAccount> | null) => typeof one?.name === 'string' && typeof one.address === 'string',
    )
  );
}
