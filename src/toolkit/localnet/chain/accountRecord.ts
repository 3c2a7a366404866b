import type { LightCell } from '../cells/lightCell';
import { writeBoc } from '../cells/writeBoc';
import { append } from './append';
import type { AccountVersion } from './accountVersion';
import { unpackAccount } from './packAccount';
import type { AccountFacts } from './readAccount';
import { readAccount } from './readAccount';
import type { RecentAccounts } from './recentAccounts';
import type { TraceEntry } from './records';
import type { TransactionRecord } from './transactionRecord';

/** An account with all its states; the latest is read when it is first asked for. */
export class AccountRecord {
  /** Oldest first. */
  versions: AccountVersion[] = [];
  /** Oldest first. */
  transactions: TransactionRecord[] = [];
  /** Traces by their end, oldest first; an entry whose end is not the trace's own is outdated. */
  traces: TraceEntry[] = [];
  /** BoCs in base64 of code and data, filled when first needed. */
  codeBoc?: string | undefined;
  dataBoc?: string | undefined;
  #current: string | undefined;
  #facts: AccountFacts | undefined;

  constructor(
    readonly address: string,
    private readonly codes: ReadonlyMap<string, LightCell>,
    private readonly recent: RecentAccounts,
  ) {}

  /** ShardAccount as BoC in base64, what the emulator takes. */
  get current(): string {
    if (this.#current === undefined) {
      this.#current = writeBoc(this.#whole()).toString('base64');
      this.recent.note(this);
    }
    return this.#current;
  }

  get facts(): AccountFacts {
    if (this.#facts === undefined) {
      this.#facts = readAccount(this.#whole());
      this.recent.note(this);
    }
    return this.#facts;
  }

  /** The latest version's facts, if somebody has read them. */
  get knownFacts(): AccountFacts | undefined {
    return this.#facts;
  }

  /** Adds the latest version; its facts and its BoC (base64) where they are at hand. */
  add(version: AccountVersion, known?: { facts: AccountFacts; current: string }): void {
    if (this.versions.at(-1)?.codeHash !== version.codeHash) {
      this.codeBoc = undefined;
    }
    this.dataBoc = undefined;
    this.versions = append(this.versions, version);
    this.#facts = known?.facts;
    this.#current = known?.current;
    if (known !== undefined) {
      this.recent.note(this);
    }
  }

  addTransaction(transaction: TransactionRecord): void {
    this.transactions = append(this.transactions, transaction);
  }

  /** Adds an entry; the one before it goes when it is of the same trace. */
  addTrace(entry: TraceEntry): void {
    if (this.traces.at(-1)?.trace === entry.trace) {
      this.traces.pop();
    }
    this.traces = append(this.traces, entry);
  }

  /** Lets go of all that can be read again. */
  forget(): void {
    this.#facts = undefined;
    this.#current = undefined;
    this.codeBoc = undefined;
    this.dataBoc = undefined;
  }

  #whole(): LightCell {
    const { packed, codeHash } = this.versions.at(-1) as AccountVersion;
    return unpackAccount(packed, codeHash === null ? null : (this.codes.get(codeHash) ?? null));
  }
}
