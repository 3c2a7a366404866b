/** So many accounts keep what was read of them; of the others it is read again when somebody asks. */
const most = 4_096;

/** What can let go of all that it has read. */
interface Reader {
  forget(): void;
}

/** Accounts that hold parsed states and BoCs besides their bytes. The oldest lets go of them when there are too many. */
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
