import type { ChainSettings } from '../records/chainSettings';
import type { ExecutedBlock, LedgerBase } from '../records/blockInput';

/** A state from elsewhere that a chain continues from, without the history behind it. */
export interface LoadedState {
  base: LedgerBase;
  settings: ChainSettings;
  /** The first block on that base, which holds every account. */
  block: ExecutedBlock;
}
