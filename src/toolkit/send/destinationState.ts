import { Cell, loadShardAccount } from '@ton/core';
import { loadFolded } from '../cell/loadFolded';

/** A message's destination account, as needed for sending. */
export interface DestinationState {
  status: 'nonexist' | 'uninit' | 'active' | 'frozen';
  /** Nanocoins. */
  balance: bigint;
  code: Cell | undefined;
  data: Cell | undefined;
}

/** The state in a ShardAccount (BoC, base64). */
export function readDestination(shardAccount: string): DestinationState {
  const { account } = loadFolded(Cell.fromBase64(shardAccount), loadShardAccount);
  if (account == null) {
    return { status: 'nonexist', balance: 0n, code: undefined, data: undefined };
  }
  const { state, balance } = account.storage;
  return {
    status: state.type,
    balance: balance.coins,
    code: state.type === 'active' ? (state.state.code ?? undefined) : undefined,
    data: state.type === 'active' ? (state.state.data ?? undefined) : undefined,
  };
}
