import type { ExecutedTransaction } from '../../execution/executedTransaction';
import type { TransactionHead } from './transactionHead';
import type { FailedMessage } from './failedMessage';

/** A state of an account. */
export interface AccountChange {
  address: string;
  /** ShardAccount, BoC. */
  shardAccount: Buffer;
}

/** The same, packed already (packAccount.ts). */
export interface PackedChange {
  address: string;
  packed: Buffer;
  /** Lower-case hex. */
  codeHash: string | null;
}

/** The same as a ledger keeps it: nothing of it need be read or hashed again. */
export interface KeptTransaction extends PackedChange {
  boc: Buffer;
  head: TransactionHead;
  ignoreSignatures?: boolean;
}

/** All that a block brings. The same block applied to the same ledger gives the same ledger. */
export interface BlockInput {
  genUtime: number;
  startLt: bigint;
  changes: readonly AccountChange[];
  /** Codes (BoC) that come with kept transactions. */
  codes?: readonly Buffer[];
  transactions: readonly (ExecutedTransaction | KeptTransaction)[];
  failed?: readonly FailedMessage[] | undefined;
  /** Hashes of failed messages to drop. */
  dropped?: readonly string[] | undefined;
}

/** A block as the emulator has made it. */
export interface ExecutedBlock extends BlockInput {
  transactions: readonly ExecutedTransaction[];
}

/** A block that was applied once, so that nothing of it needs to be computed again. */
export interface KeptBlock extends BlockInput {
  codes: readonly Buffer[];
  transactions: readonly KeptTransaction[];
}

/** What a ledger starts from: nothing, or a block of another network. */
export interface LedgerBase {
  seqno: number;
  /** Unix seconds. */
  genUtime: number;
  endLt: bigint;
}
