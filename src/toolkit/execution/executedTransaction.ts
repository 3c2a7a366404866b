import type { LightCell } from '../cell/light/lightCell';
import type { DebugOutput } from '../emulator/emulator';

/** One executed transaction and the account it left behind. */
export interface ExecutedTransaction {
  /** Raw address of the account, in lower case. */
  address: string;
  /** Transaction, BoC. */
  boc: Buffer;
  /** The same, when it was read already. */
  cell?: LightCell;
  /** ShardAccount after it, BoC. */
  shardAccount: Buffer;
  ignoreSignatures?: boolean;
  /** What its contract printed. */
  debugOutput?: DebugOutput | undefined;
}
