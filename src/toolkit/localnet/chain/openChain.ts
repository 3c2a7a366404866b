import { StateStore } from '../storage/stateStore';
import type { JournalEntry } from '../storage/journalEntry';
import type { JournalDisk } from '../storage/journalFile';
import type { LocalChainOptions } from './localChain';
import { LocalChain } from './localChain';

export interface OpenChainOptions extends Omit<LocalChainOptions, 'journal'> {
  /** Folder that keeps the state; in memory only without it. */
  stateDirectory?: string | undefined;
  disk?: JournalDisk | undefined;
  /** The worker before this one crashed and may have left its lock. */
  afterCrash?: boolean | undefined;
}

export interface OpenChain {
  chain: LocalChain;
  store: StateStore | undefined;
}

/**
 * A chain ready for use: new, or as its folder has it, with all that was accepted before executed.
 * Throws `localnet-state-in-use` when another network works on the folder.
 */
export async function openChain(options: OpenChainOptions): Promise<OpenChain> {
  const { stateDirectory } = options;
  if (stateDirectory === undefined) {
    return { chain: LocalChain.begin(options), store: undefined };
  }
  const opened: { store?: StateStore } = {};
  const chain = new LocalChain({
    ...options,
    journal: {
      require: (entry) => opened.store?.require(entry),
      record: (entry) => opened.store?.record(entry),
      reset: () => opened.store?.reset(),
    },
  });
  const accepted = new Map<string, Buffer>();
  const { log, disk, afterCrash } = options;
  const replay = (entry: JournalEntry): void => chain.replay(entry, accepted);
  const store = StateStore.open(stateDirectory, replay, log, { disk, afterCrash });
  opened.store = store;
  try {
    await chain.resume(accepted);
  } catch (error) {
    store.close();
    throw error;
  }
  return { chain, store };
}
