import type { Address, Cell } from '@ton/core';
import { beginCell, storeShardAccount, toNano } from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { storageUsed } from '../../accounts/storageUsed';
import { namedAccounts } from '../accounts/namedAccounts';
import type { AccountChange } from './accountIndex';
import { rawAddress } from './readMessage';

/** What each named wallet owns at the start. */
export const genesisBalance = toNano('1000000');

/** The named wallets, deployed and funded (seqno 0, default wallet ids), with storage paid up to `now`. */
export function genesisAccounts(now: number): AccountChange[] {
  return namedAccounts.map(({ kind, publicKey }) => {
    const key = Buffer.from(publicKey, 'hex');
    const wallet =
      kind === 'v5r1'
        ? WalletContractV5R1.create({ publicKey: key })
        : WalletContractV4.create({ workchain: 0, publicKey: key });
    const shardAccount = activeAccount(wallet.address, genesisBalance, wallet.init, now);
    return { address: rawAddress(wallet.address.workChain, wallet.address.hash), shardAccount };
  });
}

/** ShardAccount (BoC) of a contract that has never had a transaction. */
function activeAccount(addr: Address, coins: bigint, init: { code: Cell; data: Cell }, now: number): Buffer {
  const storage = {
    lastTransLt: 0n,
    balance: { coins },
    state: { type: 'active' as const, state: { code: init.code, data: init.data } },
  };
  const storageStats = { used: storageUsed(storage), storageExtra: null, lastPaid: now, duePayment: null };
  const account = {
    account: { addr, storageStats, storage },
    lastTransactionHash: 0n,
    lastTransactionLt: 0n,
  };
  return beginCell().store(storeShardAccount(account)).endCell().toBoc({ crc32: false });
}
