/** Number of accounts that keep their parsed state; others are parsed again on demand. */
const most = 4_096;

/** Something that can drop its parsed state. */
interface Reader {
  forget(): void;
}

/** Accounts that hold parsed states and BoCs besides their bytes. If there are too many, the oldest drop theirs. */
export class RecentAccounts {
  readonly #accounts = new Set<Reader>();

  note(account: Reader): void {
    this.#accounts.add(account);
    if (this.#accounts.size > most) {
      const [oldest] = this.#accounts;
      this.#accounts.delete(oldest as Reader);
      oldest?.forget();
    }
  }
}
