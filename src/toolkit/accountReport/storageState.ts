import type { AccountState, StateInit, StorageUsed } from '@ton/core';
import { Cell, beginCell, loadShardAccount, storeStateInit } from '@ton/core';
import { storageUsed } from '../accounts/makeShardAccount';
import { loadFolded } from '../cell/loadFolded';

/** What the storage fees of an account depend on. */
export interface StorageState {
  /** Raw, lowercase. */
  address: string;
  status: 'uninit' | 'active' | 'frozen';
  /** Nanocoins. */
  balance: bigint;
  /** With extra currencies, an account is never deleted. */
  hasExtraCurrencies: boolean;
  /** The distinct cells of its state, and their bits, as the account itself records them. */
  used: StorageUsed;
  /** Unix seconds until which storage was charged; 0: the next transaction begins to count. */
  lastPaid: number;
  /** Nanocoins: the debt that its last transaction left. */
  due: bigint;
  /** What a frozen account keeps instead of its code and data; undefined if it is not active. */
  whenFrozen: WhenFrozen | undefined;
}

/** An account after it was frozen. */
interface WhenFrozen {
  /** An account whose state is still the one that its address is the hash of needs no other hash. */
  status: 'frozen' | 'uninit';
  used: StorageUsed;
}

/**
 * Reads what storage fees depend on from a ShardAccount (BoC, base64); undefined if the account does not exist.
 *
 * @throws Error if it is not a ShardAccount, and WorkbenchError `over-limit`
 */
export function readStorageState(shardAccount: string): StorageState | undefined {
  const { account } = loadFolded(Cell.fromBase64(shardAccount), loadShardAccount);
  if (account == null) {
    return undefined;
  }
  const { addr, storage, storageStats } = account;
  const { state, balance } = storage;
  return {
    address: addr.toRawString(),
    status: state.type,
    balance: balance.coins,
    hasExtraCurrencies: (balance.other?.size ?? 0) > 0,
    used: storageStats.used,
    lastPaid: storageStats.lastPaid,
    due: storageStats.duePayment ?? 0n,
    whenFrozen: state.type === 'active' ? whenFrozen(state.state, addr.hash) : undefined,
  };
}

function whenFrozen(init: StateInit, address: Buffer): WhenFrozen {
  const hash = beginCell().store(storeStateInit(init)).endCell().hash();
  const state: AccountState = hash.equals(address)
    ? { type: 'uninit' }
    : { type: 'frozen', stateHash: BigInt(`0x${hash.toString('hex')}`) };
  // It is frozen without coins; extra currencies do not count.
  return { status: state.type, used: storageUsed({ lastTransLt: 0n, balance: { coins: 0n }, state }) };
}
