import { fromNano } from '@ton/core';
import type { JournalDisk } from '../base/journal/journalDisk';
import type { Log } from '../base/log';
import type { LoadedState, LocalChainOptions } from './chain/chainState';
import { WaitingMessages } from './chain/chainState';
import { LocalChain } from './chain/localChain';
import type { ForkSource, ForkWish } from './fork/fork';
import { forkMismatchError, forkNeededError } from './fork/fork';
import { loadConflictError, loadMismatchError, otherWalletsError } from './localnetErrors';
import type { JournalEntry } from './records/blockInput';
import { StateStore } from './storage/stateStore';
import type { GenesisWish } from './system/systemAccounts';

export interface OpenChainOptions extends Omit<LocalChainOptions, 'journal' | 'forkSource'> {
  /** Makes the chain a fork, or continues the one in the folder. */
  fork?: { wish: ForkWish; source: ForkSource } | undefined;
  /** Folder for the state; in memory only without it. */
  stateDirectory?: string | undefined;
  /** Provides the initial state of a new chain. */
  load?: (() => Promise<LoadedState>) | undefined;
  disk?: JournalDisk | undefined;
  /** The previous worker crashed and may have left its lock. */
  afterCrash?: boolean | undefined;
}

export interface OpenChain {
  chain: LocalChain;
  store: StateStore | undefined;
}

/**
 * A chain ready for use: new, or restored from its folder, with all previously accepted messages executed. Throws
 * `localnet-state-in-use` if another network uses the folder, `localnet-fork-needed` or `localnet-fork-mismatch` if
 * the folder's chain is of another kind than requested, `localnet-load-mismatch` if it has a chain and another is to
 * be loaded, and the errors of pinning a fork and reading a dump.
 */
export async function openChain(options: OpenChainOptions): Promise<OpenChain> {
  const { stateDirectory, fork, load } = options;
  if (load !== undefined && (fork !== undefined || options.genesis !== undefined)) {
    throw loadConflictError();
  }
  const chainOptions = { ...options, forkSource: fork?.source };
  if (stateDirectory === undefined) {
    const chain = new LocalChain(chainOptions);
    await (load === undefined ? resume(chain, new WaitingMessages(), fork?.source) : begin(chain, load));
    return { chain, store: undefined };
  }
  const opened: { store?: StateStore } = {};
  const chain = new LocalChain({
    ...chainOptions,
    journal: {
      require: (entry) => opened.store?.require(entry),
      record: (entry) => opened.store?.record(entry),
      reset: (entries) => opened.store?.reset(entries),
      get fault() {
        return opened.store?.fault;
      },
      get problems() {
        return opened.store?.problems ?? [];
      },
    },
  });
  const waiting = new WaitingMessages();
  const { log, disk, afterCrash } = options;
  const replay = (entry: JournalEntry): void => chain.replay(entry, waiting);
  const store = await StateStore.open(stateDirectory, replay, log, { disk, afterCrash });
  opened.store = store;
  try {
    checkFork(chain, fork?.wish, stateDirectory);
    if (load !== undefined) {
      if (chain.ledger.blocks.length > 0) {
        throw loadMismatchError(stateDirectory);
      }
      await begin(chain, load);
      return { chain, store };
    }
    checkWallets(chain, options.genesis, stateDirectory, log);
    await resume(chain, waiting, fork?.source);
  } catch (error) {
    await store.close();
    throw error;
  }
  return { chain, store };
}

async function begin(chain: LocalChain, load: () => Promise<LoadedState>): Promise<void> {
  await chain.takeOver(await load());
}

async function resume(
  chain: LocalChain,
  waiting: WaitingMessages,
  source: ForkSource | undefined,
): Promise<void> {
  if (source === undefined || chain.fork !== undefined) {
    await chain.resume(waiting);
    return;
  }
  const point = await source.pin();
  chain.beginFork(point, await source.config(point));
}

/** A folder keeps the wallets it was created with, and their current balances. */
function checkWallets(
  { ledger, genesis: own }: LocalChain,
  wish: GenesisWish | undefined,
  folder: string,
  log: Log,
): void {
  if (ledger.blocks.length === 0 || wish === undefined) {
    return;
  }
  const { accounts: wished = own.accounts, balance = own.balance } = wish;
  const kept = new Set(own.accounts.map(({ address }) => address));
  if (wished.some(({ address }) => !kept.has(address))) {
    throw otherWalletsError(folder, own, wished);
  }
  const other = [
    ...(wished.length === kept.size ? [] : [`with ${kept.size} wallets, not ${wished.length}`]),
    ...(balance === own.balance
      ? []
      : [`with ${fromNano(own.balance)} TON in each wallet, not ${fromNano(balance)}`]),
  ];
  if (other.length > 0) {
    log.warn(
      `The state in ${folder} was made ${other.join(' and ')}. The network continues with its wallets and what they ` +
        'own now. To start over, use another folder; control/setAccount sets the balance of one account.',
    );
  }
}

/** A folder keeps its kind: a fork of the same network at the same block, or not a fork. */
function checkFork({ fork, ledger }: LocalChain, wish: ForkWish | undefined, folder: string): void {
  const point = fork?.point;
  if (wish === undefined && point !== undefined) {
    throw forkNeededError(folder, point);
  }
  if (wish === undefined || (point === undefined && ledger.blocks.length === 0)) {
    return;
  }
  if (point?.url !== wish.url || (wish.seqno ?? point.seqno) !== point.seqno) {
    throw forkMismatchError(folder, point, wish);
  }
}
