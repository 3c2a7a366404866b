import type { LightCell } from '../../cell/light/lightCell';
import { readLightCell } from '../../cell/light/lightCell';
import type { AccountFacts } from '../../cell/light/readMessage';
import { isMasterchain, readAccount } from '../../cell/light/readMessage';
import type { AccountChange, PackedChange } from '../records/blockInput';
import { packAccount } from '../records/packAccount';
import { AccountRecord, AccountVersion, RecentAccounts } from '../records/records';

/** Every account with all its states. */
export class AccountIndex {
  readonly accounts = new Map<string, AccountRecord>();
  /** Each code once, by hash. */
  readonly codes = new Map<string, LightCell>();
  readonly #tickTock = new Set<AccountRecord>();
  readonly #withLibraries = new Set<AccountRecord>();
  readonly #unread = new Set<AccountRecord>();
  readonly #recent = new RecentAccounts();

  /** Accounts that the masterchain calls in every block. */
  get tickTock(): ReadonlySet<AccountRecord> {
    this.#read();
    return this.#tickTock;
  }

  /** Masterchain accounts that hold libraries; the libraries of other accounts are not public. */
  get withLibraries(): ReadonlySet<AccountRecord> {
    this.#read();
    return this.#withLibraries;
  }

  /** The account's state at the end of a block. */
  versionAt(address: string, seqno: number): AccountVersion | undefined {
    const versions = this.accounts.get(address)?.versions ?? [];
    let low = 0;
    let high = versions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((versions[middle] as AccountVersion).seqno <= seqno) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return versions[low - 1];
  }

  /** Adds an account's state from a block. */
  set(change: AccountChange, seqno: number): AccountRecord {
    const cell = readLightCell(change.shardAccount);
    const facts = readAccount(cell);
    const record = this.#record(change.address);
    const packed = packAccount(cell, facts);
    const codeHash = this.#keepCode(record, facts);
    const current = change.shardAccount.toString('base64');
    record.add(new AccountVersion(packed, codeHash, seqno), { facts, current });
    this.#classify(record);
    return record;
  }

  /** Like {@link set}, for a state packed before; its code must be in {@link codes}. */
  setPacked({ address, packed, codeHash }: PackedChange, seqno: number): AccountRecord {
    const record = this.#record(address);
    if (codeHash !== null && !this.codes.has(codeHash)) {
      throw new Error(`the code ${codeHash} is missing`);
    }
    const before = record.versions.at(-1)?.codeHash;
    record.add(new AccountVersion(packed, before === codeHash ? before : codeHash, seqno));
    if (isMasterchain(address)) {
      this.#unread.add(record);
    }
    return record;
  }

  #record(address: string): AccountRecord {
    const found = this.accounts.get(address);
    if (found !== undefined) {
      return found;
    }
    const record = new AccountRecord(address, this.codes, this.#recent);
    this.accounts.set(address, record);
    return record;
  }

  /** Parses masterchain accounts on first use; other accounts are never called and hold no public libraries. */
  #read(): void {
    this.#unread.forEach((account) => this.#classify(account));
    this.#unread.clear();
  }

  #classify(account: AccountRecord): void {
    if (!isMasterchain(account.address)) {
      return;
    }
    const { tick, tock, libraries } = account.facts;
    if (tick || tock) {
      this.#tickTock.add(account);
    } else {
      this.#tickTock.delete(account);
    }
    if (libraries === null) {
      this.#withLibraries.delete(account);
    } else {
      this.#withLibraries.add(account);
    }
  }

  /** Keeps one copy of each code; unchanged code is recognized without hashing it. */
  #keepCode(account: AccountRecord, facts: AccountFacts): string | null {
    if (facts.code === null) {
      return null;
    }
    const before = account.knownFacts?.code ?? null;
    if (before?.sameAs(facts.code) === true) {
      facts.code = before;
      return account.versions.at(-1)?.codeHash ?? before.hexHash;
    }
    facts.code = this.addCode(facts.code);
    return facts.code.hexHash;
  }

  /** The one copy of that code. */
  addCode(code: LightCell): LightCell {
    const known = this.codes.get(code.hexHash);
    if (known === undefined) {
      this.codes.set(code.hexHash, code);
    }
    return known ?? code;
  }
}
