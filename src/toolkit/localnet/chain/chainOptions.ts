import type { ChainJournal } from '../records/chainJournal';
import type { Emulator } from '../../emulator/emulator';
import type { NetworkConfig } from '../../emulator/networkConfig';
import type { Log } from '../../log';
import type { Clock } from '../../time';
import type { ForkSource } from '../fork/forkSource';
import type { BlockMode } from '../records/blockMode';
import type { GenesisWish } from '../system/genesis';

export interface LocalChainOptions {
  emulator: Emulator;
  config: NetworkConfig;
  clock: Clock;
  log: Log;
  mode: BlockMode;
  /** What a new chain starts with; by default the named accounts. A stored chain keeps its own. */
  genesis?: GenesisWish | undefined;
  /** Stores the history; without it the chain is kept in memory only. */
  journal?: ChainJournal | undefined;
  /** Where a fork reads accounts; see {@link LocalChain.beginFork}. */
  forkSource?: ForkSource | undefined;
}
