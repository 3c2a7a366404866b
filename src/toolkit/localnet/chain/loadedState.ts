import type { ChainSettings } from '../records/chainSettings';
import type { ExecutedBlock, LedgerBase } from '../records/blockInput';

/** A state that comes from elsewhere: a chain goes on from it, without the history behind it. */
export interface LoadedState {
  base: LedgerBase;
  settings: ChainSettings;
  /** The first block on that base, which holds every account. */
  block: ExecutedBlock;
}
