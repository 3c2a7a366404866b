import type { TransactionOutcome } from '../emulator/emulator';
import type { BlockContext } from './transactionSurroundings';

/** A message waiting for its transaction. */
export interface QueuedMessage {
  /** BoC, base64, with the same cells as in the sender's transaction. */
  boc: string;
  /** Raw address. */
  destination: string;
  /** For an external message: its dry run, used if nothing has changed since. */
  dryRun?: DryRun;
  ignoreSignatures?: boolean;
}

/** A dry-run execution. */
export interface DryRun {
  context: BlockContext;
  /** The ShardAccount it ran on, BoC in base64. */
  shardAccount: string;
  outcome: TransactionOutcome;
}
