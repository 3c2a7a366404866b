import type { StateFidelity } from '../../accounts/libraryShelf';
import type { ExecutedTransaction } from '../../execution/encodeRun';
import type { LocalAccount } from '../../accounts/localAccount';
import type { FailedMessage, TransactionHead } from './records';

/** A state of an account. */
export interface AccountChange {
  address: string;
  /** ShardAccount, BoC. */
  shardAccount: Buffer;
}

/** The same, already packed (packAccount.ts). */
export interface PackedChange {
  address: string;
  packed: Buffer;
  /** Lowercase hex. */
  codeHash: string | null;
}

/** The same as stored by a ledger: nothing needs to be read or hashed again. */
export interface KeptTransaction extends PackedChange {
  boc: Buffer;
  head: TransactionHead;
  ignoreSignatures?: boolean;
}

/** All contents of a block. Applying the same block to the same ledger gives the same ledger. */
export interface BlockInput {
  genUtime: number;
  startLt: bigint;
  changes: readonly AccountChange[];
  /** Codes (BoC) that come with stored transactions. */
  codes?: readonly Buffer[];
  transactions: readonly (ExecutedTransaction | KeptTransaction)[];
  failed?: readonly FailedMessage[] | undefined;
  /** Hashes of failed messages to drop. */
  dropped?: readonly string[] | undefined;
}

/** A block as made by the emulator. */
export interface ExecutedBlock extends BlockInput {
  transactions: readonly ExecutedTransaction[];
}

/** A block that was applied before, so that nothing needs to be computed again. */
export interface KeptBlock extends BlockInput {
  codes: readonly Buffer[];
  transactions: readonly KeptTransaction[];
}

/** What a ledger starts from: nothing, or another network's block. */
export interface LedgerBase {
  seqno: number;
  /** Unix seconds. */
  genUtime: number;
  endLt: bigint;
}

/** The block of another network that a chain continues from. Part of the state; never changes. */
export interface ForkPoint {
  /** The network's name, for people. */
  network: string;
  /** Base URL of the API that states are read from. Identifies the network. */
  url: string;
  /** Masterchain seqno. The fork's own blocks start with the next one. */
  seqno: number;
  /** Time of that block, Unix seconds. */
  genUtime: number;
  /** Logical time at which it ended, decimal. */
  endLt: string;
  /** Its root hash, lowercase hex: the network may have another block of this number later. Forks of earlier versions have none. */
  rootHash?: string | undefined;
  /**
   * The forked network is local and has the named wallets itself: they are read from it like any other account.
   * Otherwise the fork's first block creates them.
   */
  hasNamedAccounts: boolean;
}

/** A fork's public status. */
export interface ForkStatus {
  network: string;
  url: string;
  seqno: number;
  genUtime: number;
  /** Accounts read so far as the service's exact cells. */
  exact: number;
  /** Accounts read so far that were rebuilt from code, data, and balance: their storage fees may differ. */
  partial: number;
  /** Addresses read so far without an account. */
  absent: number;
  libraries: number;
  /** Why the last read failed; null if it did not. */
  failure: string | null;
}

/** A user's changes to a chain; small, stored with its history. */
export interface ChainSettings {
  /** Seconds that the network's clock is ahead of the machine's. */
  timeOffset: number;
  /** Imported configuration: BoC in base64, its origin for people, and the ids of parameters set since. */
  config?: { boc: string; origin: string; set?: readonly number[] | undefined } | undefined;
  /** Libraries added from outside: BoCs, base64. */
  libraries: string[];
  /** Named snapshots: the seqno of each. */
  snapshots: Record<string, number>;
  /** Names of contracts: by raw address, lowercase. */
  names?: Readonly<Record<string, string>> | undefined;
  /** The initial wallets, if not the default; the balance in nanocoins. */
  genesis?: { accounts: readonly LocalAccount[]; balance: string } | undefined;
}

export const initialSettings: ChainSettings = { timeOffset: 0, libraries: [], snapshots: {} };

/** The settings of a network that starts over: it keeps only its wallets. */
export function freshSettings({ genesis }: ChainSettings): ChainSettings {
  return { ...initialSettings, ...(genesis === undefined ? {} : { genesis }) };
}

/** A chain's history in order. Replaying the entries restores the chain. */
export type JournalEntry =
  /** An external message (with its hash) was accepted; the client is answered only after this is written. */
  | { type: 'accepted'; hash: string; boc: Buffer }
  /** A forged internal message waits for its block. */
  | { type: 'injected'; hash: string; destination: string; boc: Buffer }
  /** A block was made; `settled` are the above messages (by hash) that it executed or dropped. */
  | { type: 'block'; block: KeptBlock; settled: string[] }
  | { type: 'settings'; settings: ChainSettings }
  /** The chain was taken back to the end of that block. */
  | { type: 'restored'; seqno: number }
  /** The chain continues from a loaded state, contained in the next block; the first entry of such a chain. */
  | { type: 'loaded'; base: LedgerBase }
  /** The chain continues from a block of another network; the first entry of a fork. */
  | { type: 'fork'; point: ForkPoint; settings: ChainSettings }
  /** An account was read from that network; the ShardAccount is empty if it does not exist. */
  | { type: 'fetched'; address: string; fidelity: StateFidelity; shardAccount: Buffer }
  | { type: 'library'; boc: Buffer };

/** Where a chain records its history. */
export interface ChainJournal {
  /** Throws if the disk fails: for actions that must not happen unrecorded, before they do. */
  require(entry: JournalEntry): void;
  /** Never throws: for what has happened; written as soon as the disk accepts it. */
  record(entry: JournalEntry): void;
  /** Why the last entry could not be written; undefined if it was. */
  readonly fault: string | undefined;
  /** Problems of the saved state, as text. */
  readonly problems: readonly string[];
  /** Starts over with these entries. Throws if the disk fails; then the previous ones stay. */
  reset(entries: readonly JournalEntry[]): void;
}

/** When blocks are made: some time after a message arrives, at intervals, or only on request. Milliseconds. */
export type BlockMode =
  { kind: 'automatic'; delay: number } | { kind: 'interval'; every: number } | { kind: 'manual' };
