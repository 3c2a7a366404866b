import type { Access } from '../access/createAccess';

/** Balance and state of an account. */
export interface ContractState {
  /** Nanocoins. */
  balance: bigint;
  /** active, uninit, frozen, nonexist. */
  status: string;
}

/** Balance and state of accounts by raw address: one request to v3, or one per account to v2 if there is no v3. */
export async function contractStates(
  access: Access,
  addresses: readonly string[],
): Promise<Map<string, ContractState>> {
  if (addresses.length === 0) {
    return new Map();
  }
  const options = { priority: 'background' } as const;
  if (access.network.v3 !== undefined) {
    const { accounts } = await access.v3.accountStates(
      { address: [...addresses], include_boc: false },
      options,
    );
    return new Map(
      (accounts ?? []).flatMap(({ address, balance, status }) =>
        address == null ? [] : [[address, { balance: balance ?? 0n, status: status ?? 'nonexist' }]],
      ),
    );
  }
  const found = await Promise.all(
    addresses.map(async (address): Promise<[string, ContractState]> => {
      const { balance, state } = await access.v2.getAddressInformation({ address }, options);
      return [address, { balance: BigInt(balance), status: state }];
    }),
  );
  return new Map(found);
}
