import { Cell } from '@ton/core';
import type { DebugOutput, Emulator } from '../../emulator/emulator';
import type { NetworkConfig } from '../../emulator/networkConfig';
import { importNetworkConfig } from '../../emulator/networkConfig';
import { blockSeed } from '../../emulator/blockSeed';
import { visibleText } from '../../text';
import { Fork } from '../fork/fork';
import type { ForkPoint } from '../records/forkPoint';
import type { JournalEntry } from '../records/journalEntry';
import type { BlockContext } from '../../execution/transactionSurroundings';
import type { LocalChainOptions } from './chainOptions';
import type { ChainSettings } from '../records/chainSettings';
import { initialSettings } from '../records/chainSettings';
import type { Genesis } from '../system/genesis';
import { defaultGenesis } from '../system/genesis';
import { ledgerUpTo } from './history';
import { Ledger } from './ledger';
import { libraryDictionary } from './libraryDictionary';
import { Listeners } from '../../listeners';
import type { AccountRecord } from '../records/records';
import type { WaitingMessages } from './waitingMessages';
import { numberWidths } from '../../numberWidths';

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
export function genesisOf({ genesis }: ChainSettings): Genesis {
  return genesis === undefined
    ? defaultGenesis
    : { accounts: genesis.accounts, balance: BigInt(genesis.balance) };
}
