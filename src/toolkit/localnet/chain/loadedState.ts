import type { ChainSettings } from '../records/chainSettings';
import type { ExecutedBlock, LedgerBase } from '../records/blockInput';

/** An imported state that a chain continues from, without its history. */
export interface LoadedState {
  base: LedgerBase;
  settings: ChainSettings;
  /** The first block on that base, which contains every account. */
  block: ExecutedBlock;
}
