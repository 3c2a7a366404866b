import type { Account, AccountState, AccountStorage, Address, Cell, StateInit, StorageUsed } from '@ton/core';
import { beginCell, storeAccountStorage, storeShardAccount } from '@ton/core';
import { subtreeSize } from '../cell/bocStatistics';
import { fromCoreCell } from '../cell/readBoc';

/** What services say about an account if they do not provide its cell. */
export interface AccountParts {
  address: Address;
  status: 'nonexist' | 'uninit' | 'active' | 'frozen';
  /** Nanocoins. */
  balance: bigint;
  code: Cell | undefined;
  data: Cell | undefined;
  /** Lowercase hex; of a frozen account. */
  frozenHash: string | undefined;
  /** Logical time of the last transaction; 0 if there was none. */
  lastLt: bigint;
  /** Number of messages the last transaction sent: they have the logical times after it. */
  lastMessages: number;
  /** Lowercase hex. */
  lastHash: string | undefined;
  /** Unix seconds until which storage is paid: the time of the last transaction. */
  lastPaid: number;
}

/**
 * A ShardAccount (block.tlb) of these parts, as BoC in base64. Storage use is counted as validators do: distinct
 * cells of the account's storage.
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

/** The ShardAccount of an unused address, as BoC in base64. */
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

/**
 * An account's storage use as counted by validators: the distinct cells of its AccountStorage (block.tlb), and their
 * bits. The emulator starts from the number stated in the account and crashes if it is too small.
 */
export function storageUsed(storage: AccountStorage): StorageUsed {
  const root = beginCell().store(storeAccountStorage(storage)).endCell();
  const { cells, bits } = subtreeSize(fromCoreCell(root), 0);
  return { cells: BigInt(cells), bits: BigInt(bits) };
}
