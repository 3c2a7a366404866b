import type { JournalEntry } from './journalEntry';

/** Where a chain records what happens to it. */
export interface ChainJournal {
  /** Throws when the disk refuses the entry. For what must not happen unrecorded. */
  require(entry: JournalEntry): void;
  /** Never throws. For what has already happened: it is written as soon as the disk accepts it. */
  record(entry: JournalEntry): void;
  /** Throws `localnet-state-unwritable` while the disk has not taken the last entry. */
  assertWritable(): void;
  /** Problems with the stored state, as sentences. */
  readonly problems: readonly string[];
  /** Starts over with these entries. Throws when the disk refuses them; the earlier ones are then kept. */
  reset(entries: readonly JournalEntry[]): void;
}
