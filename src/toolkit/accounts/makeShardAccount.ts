import { beginCell, storeShardAccount } from '@ton/core';
import type { Account, AccountState, Address, Cell, StateInit } from '@ton/core';
import { storageUsed } from './storageUsed';

/** What services tell about an account where they do not give its cell. */
export interface AccountParts {
  address: Address;
  status: 'nonexist' | 'uninit' | 'active' | 'frozen';
  /** Nanocoins. */
  balance: bigint;
  code: Cell | undefined;
  data: Cell | undefined;
  /** Lower-case hex; of a frozen account. */
  frozenHash: string | undefined;
  /** Logical time of the last transaction; 0 when there was none. */
  lastLt: bigint;
  /** How many messages the last transaction sent: they have the logical times after it. */
  lastMessages: number;
  /** Lower-case hex. */
  lastHash: string | undefined;
  /** Unix seconds until which storage is paid: the time of the last transaction. */
  lastPaid: number;
}

/**
 * A ShardAccount (block.tlb) of these parts, as BoC in base64. The storage it uses is counted as a validator counts it:
 * distinct cells of the account's storage.
 */
export function makeShardAccount(parts: AccountParts): string {
  return beginCell()
    .store(
      storeShardAccount({
        account: parts.status === 'nonexist' ? null : makeAccount(parts),
        lastTransactionHash: parts.lastHash === undefined ? 0n : BigInt(`0x${parts.lastHash}`),
        lastTransactionLt: parts.lastLt,
      }),
    )
    .endCell()
    .toBoc({ crc32: false })
    .toString('base64');
}

/** The ShardAccount of an address that nothing was ever sent to, as BoC in base64. */
export function absentShardAccount(): string {
  return beginCell()
    .store(storeShardAccount({ account: null, lastTransactionHash: 0n, lastTransactionLt: 0n }))
    .endCell()
    .toBoc({ crc32: false })
    .toString('base64');
}

function makeAccount(parts: AccountParts): Account {
  const storage = {
    lastTransLt: parts.lastLt === 0n ? 0n : parts.lastLt + BigInt(parts.lastMessages) + 1n,
    balance: { coins: parts.balance },
    state: stateOf(parts),
  };
  return {
    addr: parts.address,
    storageStats: {
      used: storageUsed(storage),
      storageExtra: null,
      lastPaid: parts.lastPaid,
      duePayment: null,
    },
    storage,
  };
}

function stateOf({ status, code, data, frozenHash }: AccountParts): AccountState {
  if (status === 'frozen' && frozenHash !== undefined) {
    return { type: 'frozen', stateHash: BigInt(`0x${frozenHash}`) };
  }
  if (status !== 'active') {
    return { type: 'uninit' };
  }
  const state: StateInit = { code: code ?? null, data: data ?? null };
  return { type: 'active', state };
}
