import { beginCell, storeAccountStorage } from '@ton/core';
import type { AccountStorage, StorageUsed } from '@ton/core';
import { subtreeSize } from '../cell/bocStatistics';
import { fromCoreCell } from '../cell/fromCoreCell';

/**
 * The storage an account uses, as a validator counts it: the distinct cells of its AccountStorage (block.tlb), and their
 * bits. The emulator goes on from the number that an account states and breaks down where it is too small.
 */
export function storageUsed(storage: AccountStorage): StorageUsed {
  const root = beginCell().store(storeAccountStorage(storage)).endCell();
  const { cells, bits } = subtreeSize(fromCoreCell(root), 0);
  return { cells: BigInt(cells), bits: BigInt(bits) };
}
