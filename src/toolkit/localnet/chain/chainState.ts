import { Cell } from '@ton/core';
import { writeLibraries } from '../../accounts/libraryShelf';
import { BitCursor, walkDictionary } from '../../cell/light/bitCursor';
import { writeLightCell } from '../../cell/light/lightCell';
import { isMasterchain } from '../../cell/light/readMessage';
import type { DebugOutput, Emulator } from '../../execution/emulator/emulator';
import { blockSeed } from '../../execution/emulator/emulator';
import type { NetworkConfig } from '../../execution/emulator/networkConfig';
import { importNetworkConfig } from '../../execution/emulator/networkConfig';
import type { BlockContext } from '../../execution/cascade';
import type { Log } from '../../base/log';
import { Listeners, numberWidths } from '../../base/numberWidths';
import { visibleText } from '../../base/text';
import type { Clock } from '../../base/time';
import type { ForkSource } from '../fork/fork';
import { Fork } from '../fork/fork';
import type {
  AccountChange,
  BlockMode,
  ChainJournal,
  ChainSettings,
  ExecutedBlock,
  ForkPoint,
  JournalEntry,
  LedgerBase,
} from '../records/blockInput';
import { initialSettings } from '../records/blockInput';
import type { AccountRecord } from '../records/records';
import type { Genesis, GenesisWish } from '../system/systemAccounts';
import { defaultGenesis, genesisAccounts, systemChanges } from '../system/systemAccounts';
import { ledgerUpTo } from './history';
import { Ledger } from './ledger';

type WaitingEntry = Extract<JournalEntry, { type: 'accepted' | 'injected' }>;

/** The messages that a journal promised to execute and that none of its blocks has executed yet, in order. */
export class WaitingMessages {
  readonly #entries = new Map<string, WaitingEntry>();

  get entries(): readonly WaitingEntry[] {
    return [...this.#entries.values()];
  }

  add(entry: WaitingEntry): void {
    this.#entries.set(entry.hash, entry);
  }

  settle(hashes: readonly string[]): void {
    hashes.forEach((hash) => this.#entries.delete(hash));
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** The last second that fits a block's 32 bits, minus one for what follows it. */
export const latestTime = numberWidths.seconds - 1;

/** Maximum characters per printed text in a log line. */
const mostPrinted = 1_000;

/** A chain's state at any moment, and how its journal restores it. Makes no blocks. */
export class ChainState {
  ledger = new Ledger();
  readonly emulator: Emulator;
  config: NetworkConfig;
  /** BoC (base64) of the library dictionary; null without libraries. */
  libraries: string | null = null;
  /** Set if this chain continues from a block of another network. */
  fork: Fork | undefined;
  settings: ChainSettings = initialSettings;
  readonly #options: LocalChainOptions;
  /** The last imported configuration, and its origin. */
  #imported: { config: NetworkConfig; boc: string } | undefined;
  readonly #adopted = new Listeners<AccountRecord>();

  constructor(options: LocalChainOptions) {
    this.#options = options;
    this.emulator = options.emulator;
    this.config = options.config;
  }

  /** The wallets this chain started with. */
  get genesis(): Genesis {
    return genesisOf(this.settings);
  }

  /** The network's time in Unix seconds. Never goes back. */
  now(): number {
    return this.timeWith(this.settings, this.ledger);
  }

  protected timeWith({ timeOffset }: ChainSettings, { lastUtime }: Ledger): number {
    return Math.min(latestTime, Math.max(this.#wall() + timeOffset, lastUtime));
  }

  /** Seconds by which the network's clock is ahead of the machine's. */
  get ahead(): number {
    return this.now() - this.#wall();
  }

  #wall(): number {
    return Math.floor(this.#options.clock.now() / 1000);
  }

  /** The parameters of a block that would begin now. */
  newContext(): BlockContext {
    const { nextSeqno: seqno } = this.ledger;
    return { seqno, now: this.now(), startLt: this.ledger.nextStartLt, seed: blockSeed(seqno) };
  }

  /** Logs a contract's output from the TVM's debug instructions. */
  tellPrinted(address: string, output: DebugOutput): void {
    const name = this.settings.names?.[address] ?? address;
    for (const text of output) {
      this.#options.log.info(`${name} printed: ${visibleText(text, mostPrinted)}`);
    }
  }

  /** Called when a fork has read an account. Returns a function that removes the listener. */
  onAdopt(listener: (account: AccountRecord) => void): () => void {
    return this.#adopted.add(listener);
  }

  /** On a fork, makes sure that the ledger has the other network's account. Throws the errors of reading it. */
  async load(address: string): Promise<void> {
    if (this.fork?.knows(address) === false) {
      await this.fork.load(address);
    }
  }

  /** Replays a journal entry. All entries come before the first use. */
  replay(entry: JournalEntry, waiting: WaitingMessages): void {
    switch (entry.type) {
      case 'accepted':
      case 'injected':
        waiting.add(entry);
        return;
      case 'block':
        this.ledger.apply(entry.block);
        waiting.settle(entry.settled);
        return;
      case 'settings':
        this.use(entry.settings);
        return;
      case 'restored':
        this.ledger = ledgerUpTo(this.ledger, entry.seqno);
        waiting.clear();
        return;
      case 'loaded':
        this.ledger = new Ledger(entry.base);
        return;
      case 'fork':
        this.openFork(entry.point, entry.settings);
        return;
      case 'fetched':
      case 'library':
        this.fork?.restore(entry);
    }
  }

  protected openFork(point: ForkPoint, settings: ChainSettings): void {
    const { seqno, genUtime, endLt } = point;
    this.ledger = new Ledger({ seqno, genUtime, endLt: BigInt(endLt) });
    this.fork = new Fork(point, settings, this.#options.forkSource, {
      has: (address) => this.ledger.accounts.has(address),
      adopt: (address, shardAccount) => this.#adopted.tell(this.ledger.adopt({ address, shardAccount })),
      librariesChanged: () => this.#useLibraries(),
      record: (entry) => this.#options.journal?.record(entry),
    });
    this.use(settings);
  }

  protected use(settings: ChainSettings): void {
    const { config } = settings;
    if (config !== undefined && !this.#isUsed(config)) {
      this.config = importNetworkConfig(config.boc, config.origin);
      this.#imported = { config: this.config, boc: config.boc };
    }
    this.settings = settings;
    this.#useLibraries();
  }

  #isUsed({ boc, origin }: NonNullable<ChainSettings['config']>): boolean {
    return (
      this.config === this.#imported?.config && this.#imported.boc === boc && this.config.origin === origin
    );
  }

  #useLibraries(): void {
    const added = this.settings.libraries.map((boc) => Cell.fromBase64(boc));
    this.libraries = libraryDictionary([...(this.fork?.libraries.values() ?? []), ...added], this.ledger);
  }
}

/** The wallets that a chain with these settings starts with. */
function genesisOf({ genesis }: ChainSettings): Genesis {
  return genesis === undefined
    ? defaultGenesis
    : { accounts: genesis.accounts, balance: BigInt(genesis.balance) };
}

/**
 * The network's libraries in the emulator's format (BoC, base64): those added from outside and the public ones of
 * masterchain accounts. Null if there are none.
 */
function libraryDictionary(added: readonly Cell[], ledger: Ledger): string | null {
  const cells = [...added];
  for (const account of ledger.libraryAccounts) {
    const { libraries } = account.facts;
    if (libraries !== null && isMasterchain(account.address)) {
      walkDictionary(libraries, 256, (_, value) => {
        const isPublic = value.bit();
        const [root] = Cell.fromBoc(writeLightCell(new BitCursor(value.rest()).ref()));
        if (isPublic && root !== undefined) {
          cells.push(root);
        }
      });
    }
  }
  return writeLibraries(cells);
}

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

/** The contents of a chain's first block. */
interface FirstState {
  ledger: Ledger;
  settings: ChainSettings;
  config: NetworkConfig;
  /** Set when the chain continues from a block of another network. */
  fork: Fork | undefined;
}

/**
 * The first block of a chain: it creates the wallets, unless the forked network has them, and the system contracts.
 * @param genUtime Unix seconds
 */
export function firstBlock(state: FirstState, genUtime: number): ExecutedBlock {
  const { ledger, settings, fork } = state;
  const wallets = fork?.point.hasNamedAccounts === true ? [] : genesisAccounts(genUtime, genesisOf(settings));
  const changes = [...wallets, ...systemChangesOf(state, genUtime)];
  return { genUtime, startLt: ledger.nextStartLt, changes, transactions: [] };
}

/** Changes that the system contracts still need. A fork uses its network's own contracts. */
export function systemChangesOf(
  { fork, ledger, config }: Pick<FirstState, 'fork' | 'ledger' | 'config'>,
  now: number,
): AccountChange[] {
  return fork === undefined ? systemChanges(ledger.accounts, config, now) : [];
}

/** An imported state that a chain continues from, without its history. */
export interface LoadedState {
  base: LedgerBase;
  settings: ChainSettings;
  /** The first block on that base, which contains every account. */
  block: ExecutedBlock;
}
