import type { AccountRecord } from './accountRecord';
import type { FailedMessage } from './failedMessage';
import type { MessageHead } from './messageHead';
import type { TransactionRecord } from './transactionRecord';

/** Hashes in records are base64, addresses raw with upper-case hex: what the indexed API prints. */

/** A masterchain block and the one basechain block it refers to. Both have the same seqno. */
export interface BlockRecord {
  seqno: number;
  /** Unix seconds. */
  genUtime: number;
  startLt: bigint;
  endLt: bigint;
  /** Synthetic: SHA-256 over our own description of the block (blockHashes.ts). */
  master: BlockHashes;
  shard: BlockHashes;
  /** Accounts whose state was set from outside. */
  changed: AccountRecord[];
  /** By lt; those of the masterchain's accounts belong to the masterchain block. */
  transactions: TransactionRecord[];
  /** Hashes (base64) of codes that no account had before. */
  newCodes: readonly string[];
  /** Messages whose turn came and that could not be executed. */
  failed?: readonly FailedMessage[] | undefined;
  /** Hashes (base64) of failed messages that were given up. */
  dropped?: readonly string[] | undefined;
}

export interface BlockHashes {
  rootHash: string;
  fileHash: string;
}

/** A message, as what it is and whom it connects. */
export interface MessageRecord extends MessageHead {
  producer: TransactionRecord | null;
  consumer: TransactionRecord | null;
}

/** All transactions that one root brought about. */
export interface TraceRecord {
  /** In order of execution; the first is the root and gives the trace its id. */
  transactions: TransactionRecord[];
  messages: number;
  /** Internal messages sent and not yet received. */
  pendingMessages: number;
  endLt: bigint;
}

export interface TraceEntry {
  trace: TraceRecord;
  endLt: bigint;
}
