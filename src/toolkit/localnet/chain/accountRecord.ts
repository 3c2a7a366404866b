import type { LightCell } from '../cells/lightCell';
import { writeBoc } from '../cells/writeBoc';
import type { AccountVersion } from './accountVersion';
import { unpackAccount } from './packAccount';
import type { AccountFacts } from './readAccount';
import { readAccount } from './readAccount';
import type { TraceEntry } from './records';
import type { TransactionRecord } from './transactionRecord';

/** An account with all its states; the latest is read when it is first asked for. */
export class AccountRecord {
  /** Oldest first. */
  readonly versions: AccountVersion[] = [];
  readonly transactions: TransactionRecord[] = [];
  /** Traces by their end, oldest first; an entry whose end is not the trace's own is outdated. */
  readonly traces: TraceEntry[] = [];
  /** BoCs in base64 of code and data, filled when first needed. */
  codeBoc?: string | undefined;
  dataBoc?: string | undefined;
  #current: string | undefined;
  #facts: AccountFacts | undefined;

  constructor(
    readonly address: string,
    private readonly codes: ReadonlyMap<string, LightCell>,
  ) {}

  /** ShardAccount as BoC in base64, what the emulator takes. */
  get current(): string {
    return (this.#current ??= writeBoc(this.#whole()).toString('base64'));
  }

  get facts(): AccountFacts {
    return (this.#facts ??= readAccount(this.#whole()));
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
    this.versions.push(version);
    this.#facts = known?.facts;
    this.#current = known?.current;
  }

  #whole(): LightCell {
    const { packed, codeHash } = this.versions.at(-1) as AccountVersion;
    return unpackAccount(packed, codeHash === null ? null : (this.codes.get(codeHash) ?? null));
  }
}
