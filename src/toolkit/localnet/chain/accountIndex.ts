import type { LightCell } from '../cells/lightCell';
import { readBoc } from '../cells/readBoc';
import { packAccount } from './packAccount';
import { readAccount } from './readAccount';
import type { AccountFacts } from './readAccount';
import { isMasterchain } from './readMessage';
import type { AccountRecord, AccountVersion, TransactionRecord } from './records';

/** A state of an account. */
export interface AccountChange {
  address: string;
  /** ShardAccount, BoC. */
  shardAccount: Buffer;
}

/** Every account with all its states. */
export class AccountIndex {
  readonly accounts = new Map<string, AccountRecord>();
  /** Those that the masterchain calls on every block. */
  readonly tickTock = new Set<AccountRecord>();
  /** Those that carry libraries. */
  readonly withLibraries = new Set<AccountRecord>();
  /** Each code once, by its hash (base64). */
  readonly codes = new Map<string, LightCell>();

  /** The state the account had at the end of a block. */
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

  /** Takes the state that a block brings an account. */
  set(change: AccountChange, seqno: number, transaction: TransactionRecord | null): AccountRecord {
    const cell = readBoc(change.shardAccount);
    const facts = readAccount(cell);
    const found = this.accounts.get(change.address);
    const packed = packAccount(cell, facts);
    const codeHash = this.#keepCode(found, facts);
    const version = { packed, codeHash, seqno, transaction };
    const current = change.shardAccount.toString('base64');
    if (found === undefined) {
      const record = {
        address: change.address,
        current,
        facts,
        versions: [version],
        transactions: [],
        traces: [],
      };
      this.accounts.set(change.address, record);
      return this.#classify(record);
    }
    if (found.facts.code !== facts.code) {
      delete found.codeBoc;
    }
    delete found.dataBoc;
    found.current = current;
    found.facts = facts;
    found.versions.push(version);
    return this.#classify(found);
  }

  #classify(account: AccountRecord): AccountRecord {
    const { tick, tock, libraries } = account.facts;
    if ((tick || tock) && isMasterchain(account.address)) {
      this.tickTock.add(account);
    } else {
      this.tickTock.delete(account);
    }
    if (libraries === null) {
      this.withLibraries.delete(account);
    } else {
      this.withLibraries.add(account);
    }
    return account;
  }

  /** Keeps one copy of each code; an unchanged code is recognised without hashing it. */
  #keepCode(account: AccountRecord | undefined, facts: AccountFacts): string | null {
    if (facts.code === null) {
      return null;
    }
    const before = account?.facts.code ?? null;
    if (before?.sameAs(facts.code) === true) {
      facts.code = before;
      return (account as AccountRecord).versions.at(-1)?.codeHash ?? before.hash64;
    }
    const hash = facts.code.hash64;
    const known = this.codes.get(hash);
    if (known === undefined) {
      this.codes.set(hash, facts.code);
    } else {
      facts.code = known;
    }
    return hash;
  }
}
