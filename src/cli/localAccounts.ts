import type { Network } from '../toolkit/access/network';
import type { LocalAccount } from '../toolkit/localnet/accounts/localAccount';

/** Milliseconds for the network's own list; without an answer the usual wallets stand. */
const patience = 2_000;

/** What has a name on a local network. */
interface NamedOnLocal {
  wallets: readonly LocalAccount[];
  /** Addresses by name, raw: the wallets and what was deployed under a name. */
  accounts: ReadonlyMap<string, string>;
}

/** The named accounts of a network: on a local one its wallets and deployed contracts, name to raw address; none elsewhere. */
export async function localAccountNames(network: Network): Promise<ReadonlyMap<string, string>> {
  return network.kind === 'local' ? (await namedOnLocal(network)).accounts : new Map();
}

/**
 * The names of a local network as it tells them itself: it may have been started with other wallets than the usual ten,
 * which are assumed where nothing answers.
 */
export async function namedOnLocal(network: Network): Promise<NamedOnLocal> {
  const [{ callControl }, { controlOf }, { namedAccounts }, { accountNames }] = await Promise.all([
    import('../toolkit/localnet/callControl'),
    import('../toolkit/localnet/controlOf'),
    import('../toolkit/localnet/accounts/namedAccounts'),
    import('../toolkit/localnet/accounts/accountNames'),
  ]);
  const control = controlOf(network);
  const ask = (command: 'accounts' | 'status'): Promise<unknown> =>
    control === undefined
      ? Promise.resolve(undefined)
      : callControl(control, command, {}, AbortSignal.timeout(patience)).catch(() => undefined);
  const [told, status] = await Promise.all([ask('accounts'), ask('status')]);
  const wallets = isWallets(told) ? told : namedAccounts;
  return { wallets, accounts: new Map([...deployedNames(status), ...accountNames(wallets)]) };
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

function deployedNames(status: unknown): [string, string][] {
  const { names } = (status ?? {}) as { names?: unknown };
  return typeof names === 'object' && names !== null
    ? Object.entries(names).flatMap(([address, name]: [string, unknown]) =>
        typeof name === 'string' ? [[name, address] as [string, string]] : [],
      )
    : [];
}
