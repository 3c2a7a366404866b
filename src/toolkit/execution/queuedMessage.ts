import type { TransactionOutcome } from '../emulator/emulator';
import type { BlockContext } from './transactionSurroundings';

/** A message waiting for its transaction. */
export interface QueuedMessage {
  /** BoC, base64, with the very cells the sender's transaction holds. */
  boc: string;
  /** Raw address. */
  destination: string;
  /** For a message from outside: its dry run, which is used when nothing has changed since. */
  dryRun?: DryRun;
  ignoreSignatures?: boolean;
}

/** An execution that was not stored. */
export interface DryRun {
  context: BlockContext;
  /** The ShardAccount it ran on, BoC in base64. */
  shardAccount: string;
  outcome: TransactionOutcome;
}
