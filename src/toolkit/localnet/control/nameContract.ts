import { accountNames } from '../../accounts/localAccount';
import { ApiError } from '../api/apiError';
import type { Ledger } from '../chain/ledger';
import type { LocalChain } from '../chain/localChain';

/** The word of compose lines for the address that code and data give. */
const newContract = 'new';

/** What can follow the @ in stack text. */
const form = /^[A-Za-z_][\w-]{0,63}$/;

/**
 * The name that a contract would get: a name already in use gets a number appended.
 * @param address raw, lowercase
 */
export function freeName({ settings, genesis }: LocalChain, address: string, wish: string): string {
  if (!form.test(wish)) {
    throw new ApiError(
      422,
      'name may only have letters, digits, _ and -, and cannot start with a digit or -',
    );
  }
  if (wish === newContract) {
    throw new ApiError(
      422,
      `name cannot be ${newContract}: in lines that send, that is a contract yet to be deployed`,
    );
  }
  const { [address]: _, ...names } = settings.names ?? {};
  const taken = new Set([...accountNames(genesis.accounts).keys(), ...Object.values(names)]);
  let name = wish;
  for (let number = 2; taken.has(name); number += 1) {
    name = `${wish}-${number}`;
  }
  return name;
}

/**
 * Names a contract. Stored with the chain, so every window and program using the network sees it.
 * @param address raw, lowercase
 * @returns the name it got
 */
export function nameContract(chain: LocalChain, address: string, wish: string): string {
  const name = freeName(chain, address, wish);
  chain.configure({ names: { ...chain.settings.names, [address]: name } });
  return name;
}

/**
 * Forgets the names of contracts whose deployment was undone; an account with another history keeps its name.
 * @param before the ledger before the chain went back
 */
export function forgetUndone(chain: LocalChain, before: Ledger): void {
  const hasCode = ({ accounts }: Ledger, address: string): boolean =>
    accounts.get(address)?.versions.at(-1)?.codeHash != null;
  const { names = {} } = chain.settings;
  const kept = Object.entries(names).filter(
    ([address]) => hasCode(chain.ledger, address) || !hasCode(before, address),
  );
  if (kept.length < Object.keys(names).length) {
    chain.configure({ names: Object.fromEntries(kept) });
  }
}

/** Every name on the network with its raw address: the wallets and named contracts. */
export function namesOn({ genesis, settings }: LocalChain): Map<string, string> {
  const contracts = Object.entries(settings.names ?? {}).map(([address, name]): [string, string] => [
    name,
    address,
  ]);
  return new Map([...contracts, ...accountNames(genesis.accounts)]);
}
