import type { JournalEntry } from '../records/journalEntry';

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
