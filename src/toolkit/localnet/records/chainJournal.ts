import type { JournalEntry } from './journalEntry';

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
