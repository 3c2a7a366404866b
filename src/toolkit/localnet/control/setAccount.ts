import type { Account, AccountStorage, StateInit } from '@ton/core';
import { Address, beginCell, Cell, Dictionary, loadShardAccount, storeShardAccount } from '@ton/core';
import { storageUsed } from '../../accounts/storageUsed';
import { loadFolded } from '../../cell/loadFolded';
import { absentAccount } from '../../emulator/absentAccount';
import type { LocalChain } from '../chain/localChain';
import type { BlockRecord } from '../records/records';

export interface AccountEdit {
  /** Raw, in lowercase. */
  address: string;
  /** Nanocoins. */
  balance?: bigint | undefined;
  /** Amounts by currency id; replaces all. */
  extraCurrencies?: ReadonlyMap<number, bigint> | undefined;
  code?: Cell | undefined;
  data?: Cell | undefined;
  /** For masterchain accounts: called at the start and end of every block. */
  tickTock?: { tick: boolean; tock: boolean } | undefined;
}

/** Makes a block that sets an account's balance, code, or data; omitted values are unchanged. */
export function setAccount(chain: LocalChain, edit: AccountEdit): Promise<BlockRecord> {
  const current = chain.ledger.accounts.get(edit.address)?.current ?? absentAccount;
  const before = loadFolded(Cell.fromBase64(current), loadShardAccount);
  const storage = before.account?.storage;
  const state = storage?.state.type === 'active' ? storage.state.state : {};
  const init: StateInit = {
    ...state,
    ...(edit.code === undefined ? {} : { code: edit.code }),
    ...(edit.data === undefined ? {} : { data: edit.data }),
    ...(edit.tickTock === undefined ? {} : { special: edit.tickTock }),
  };
  const isActive = init.code != null || storage?.state.type === 'active';
  const other =
    edit.extraCurrencies === undefined ? storage?.balance.other : currencies(edit.extraCurrencies);
  const after: AccountStorage = {
    lastTransLt: storage?.lastTransLt ?? 0n,
    balance: { coins: edit.balance ?? storage?.balance.coins ?? 0n, ...(other == null ? {} : { other }) },
    state: isActive ? { type: 'active', state: init } : (storage?.state ?? { type: 'uninit' }),
  };
  const account: Account = {
    addr: Address.parseRaw(edit.address),
    storageStats: {
      used: storageUsed(after),
      // A hash of the cells before the edit would be wrong; the next transaction sets the new one.
      storageExtra: null,
      lastPaid: before.account?.storageStats.lastPaid ?? chain.now(),
      duePayment: before.account?.storageStats.duePayment ?? null,
    },
    storage: after,
  };
  const shardAccount = beginCell()
    .store(storeShardAccount({ ...before, account }))
    .endCell();
  return chain.changeNow({ address: edit.address, shardAccount: shardAccount.toBoc() });
}

function currencies(amounts: ReadonlyMap<number, bigint>): Dictionary<number, bigint> {
  const result = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  for (const [id, amount] of amounts) {
    result.set(id, amount);
  }
  return result;
}
