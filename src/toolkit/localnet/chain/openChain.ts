import { StateStore } from '../storage/stateStore';
import type { JournalDisk } from '../storage/journalFile';
import type { LocalChainOptions } from './localChain';
import { LocalChain } from './localChain';

export interface OpenChainOptions extends Omit<LocalChainOptions, 'journal'> {
  /** Folder that keeps the state; in memory only without it. */
  stateDirectory?: string | undefined;
  disk?: JournalDisk | undefined;
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
  let journal: StateStore | undefined;
  const chain = new LocalChain({
    ...options,
    journal: {
      require: (entry) => journal?.require(entry),
      record: (entry) => journal?.record(entry),
      reset: () => journal?.reset(),
    },
  });
  const accepted = new Map<string, Buffer>();
  const store = StateStore.open(
    stateDirectory,
    (entry) => chain.replay(entry, accepted),
    options.log,
    options.disk,
  );
  journal = store;
  try {
    await chain.resume(accepted);
  } catch (error) {
    store.close();
    throw error;
  }
  return { chain, store };
}
