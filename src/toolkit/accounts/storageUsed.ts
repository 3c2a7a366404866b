import { beginCell, storeAccountStorage } from '@ton/core';
import type { AccountStorage, StorageUsed } from '@ton/core';
import { subtreeSize } from '../cell/bocStatistics';
import { fromCoreCell } from '../cell/fromCoreCell';

/**
 * An account's storage use as counted by validators: the distinct cells of its AccountStorage (block.tlb), and their
 * bits. The emulator starts from the number stated in the account and crashes if it is too small.
 */
export function storageUsed(storage: AccountStorage): StorageUsed {
  const root = beginCell().store(storeAccountStorage(storage)).endCell();
  const { cells, bits } = subtreeSize(fromCoreCell(root), 0);
  return { cells: BigInt(cells), bits: BigInt(bits) };
}
