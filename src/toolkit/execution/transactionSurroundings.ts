import type { TransactionSurroundings } from '../emulator/emulator';
import type { NetworkConfig } from '../emulator/networkConfig';

/** Shared by all transactions of a block. */
export interface BlockContext {
  /** Of the masterchain block. */
  seqno: number;
  /** Unix seconds. */
  now: number;
  /** Logical time at which the block begins. */
  startLt: bigint;
  /** 32 bytes. */
  seed: Buffer;
}

/** The configuration and libraries that transactions run under. */
export interface ExecutionRules {
  readonly config: NetworkConfig;
  /** BoC (base64) of the library dictionary; null without libraries. */
  readonly libraries: string | null;
}

/**
 * The emulator's parameters for a transaction in a block.
 *
 * @param shardAccount the account before it, BoC in base64
 */
export function transactionSurroundings(
  { config, libraries }: ExecutionRules,
  { now, startLt, seed }: BlockContext,
  shardAccount: string,
): TransactionSurroundings {
  // The emulator raises the lt above the account's last one and the message's own.
  return { config: config.base64, libraries, shardAccount, now, lt: startLt + 1n, seed };
}
