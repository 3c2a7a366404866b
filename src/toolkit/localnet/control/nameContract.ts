import { accountNames } from '../accounts/accountNames';
import { ApiError } from '../api/apiError';
import type { LocalChain } from '../chain/localChain';

/** What can follow the @ in stack text. */
const form = /^[A-Za-z_][\w-]{0,63}$/;

/**
 * The name that a contract would get: one that another account has already gets a number behind it.
 * @param address raw, in lower case
 */
export function freeName({ settings, genesis }: LocalChain, address: string, wish: string): string {
  if (!form.test(wish)) {
    throw new ApiError(
      422,
      'name may only have letters, digits, _ and -, and cannot start with a digit or -',
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
 * Remembers what a contract is called, with the chain: every window and program that uses the network sees it.
 * @param address raw, in lower case
 * @returns the name it has now
 */
export function nameContract(chain: LocalChain, address: string, wish: string): string {
  const name = freeName(chain, address, wish);
  chain.configure({ names: { ...chain.settings.names, [address]: name } });
  return name;
}

/** Every name on the network with its raw address: the wallets', and those that contracts were given. */
export function namesOn({ genesis, settings }: LocalChain): Map<string, string> {
  const contracts = Object.entries(settings.names ?? {}).map(([address, name]): [string, string] => [
    name,
    address,
  ]);
  return new Map([...contracts, ...accountNames(genesis.accounts)]);
}
