import type { Emulator } from '../../emulator/emulator';
import type { NetworkConfig } from '../../emulator/networkConfig';
import type { Log } from '../../log';
import type { Clock } from '../../time';
import type { ForkSource } from '../fork/forkSource';
import type { JournalEntry } from '../storage/journalEntry';
import type { BlockMode } from './blockTimer';
import type { GenesisWish } from './genesis';

export interface LocalChainOptions {
  emulator: Emulator;
  config: NetworkConfig;
  clock: Clock;
  log: Log;
  mode: BlockMode;
  /** What a new chain begins with; by default the named accounts. A chain that is kept goes on with its own. */
  genesis?: GenesisWish | undefined;
  /** Keeps what happened; without it the chain lives in memory only. */
  journal?: ChainJournal | undefined;
  /** Where a fork reads accounts; see {@link LocalChain.beginFork}. */
  forkSource?: ForkSource | undefined;
}

/** Where a chain writes down what happens. */
export interface ChainJournal {
  /** Throws when the disk refuses it: what must not happen unrecorded asks first. */
  require(entry: JournalEntry): void;
  /** Never throws: what has happened is written as soon as the disk takes it. */
  record(entry: JournalEntry): void;
  /** Why the last entry could not be written; undefined when it was. */
  readonly fault: string | undefined;
  /** What is wrong with what is kept, in words. */
  readonly problems: readonly string[];
  /** Begins anew with these entries. Throws when the disk refuses them; what stood before then stays. */
  reset(entries: readonly JournalEntry[]): void;
}
