import type { ExecutedTransaction } from '../../execution/executedTransaction';
import type { TransactionHead } from './transactionHead';
import type { FailedMessage } from './failedMessage';

/** A state of an account. */
export interface AccountChange {
  address: string;
  /** ShardAccount, BoC. */
  shardAccount: Buffer;
}

/** The same, already packed (packAccount.ts). */
export interface PackedChange {
  address: string;
  packed: Buffer;
  /** Lowercase hex. */
  codeHash: string | null;
}

/** The same as stored by a ledger: nothing needs to be read or hashed again. */
export interface KeptTransaction extends PackedChange {
  boc: Buffer;
  head: TransactionHead;
  ignoreSignatures?: boolean;
}

/** All contents of a block. Applying the same block to the same ledger gives the same ledger. */
export interface BlockInput {
  genUtime: number;
  startLt: bigint;
  changes: readonly AccountChange[];
  /** Codes (BoC) that come with stored transactions. */
  codes?: readonly Buffer[];
  transactions: readonly (ExecutedTransaction | KeptTransaction)[];
  failed?: readonly FailedMessage[] | undefined;
  /** Hashes of failed messages to drop. */
  dropped?: readonly string[] | undefined;
}

/** A block as made by the emulator. */
export interface ExecutedBlock extends BlockInput {
  transactions: readonly ExecutedTransaction[];
}

/** A block that was applied before, so that nothing needs to be computed again. */
export interface KeptBlock extends BlockInput {
  codes: readonly Buffer[];
  transactions: readonly KeptTransaction[];
}

/** What a ledger starts from: nothing, or another network's block. */
export interface LedgerBase {
  seqno: number;
  /** Unix seconds. */
  genUtime: number;
  endLt: bigint;
}
