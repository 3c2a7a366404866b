import type { JournalEntry } from './journalEntry';

/** Where a chain writes down what happens. */
export interface ChainJournal {
  /** Throws when the disk refuses it: what must not happen unrecorded asks first. */
  require(entry: JournalEntry): void;
  /** Never throws: what has happened is written as soon as the disk takes it. */
  record(entry: JournalEntry): void;
  /** Why the last entry could not be written; undefined when it was. */
  readonly fault: string | undefined;
  /** What is wrong with what is kept, in words. */
  readonly problems: readonly string[];
  /** Begins anew with these entries. Throws when the disk refuses them; what stood before then stays. */
  reset(entries: readonly JournalEntry[]): void;
}
