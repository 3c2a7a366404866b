import type { LightCell } from '../cell/light/lightCell';
import type { DebugOutput } from '../emulator/emulator';

/** An executed transaction and the account state it left. */
export interface ExecutedTransaction {
  /** Raw address of the account, lowercase. */
  address: string;
  /** Transaction, BoC. */
  boc: Buffer;
  /** The parsed transaction, if available. */
  cell?: LightCell;
  /** ShardAccount after it, BoC. */
  shardAccount: Buffer;
  ignoreSignatures?: boolean;
  /** The contract's debug output. */
  debugOutput?: DebugOutput | undefined;
}
