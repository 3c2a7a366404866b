import path from 'node:path';
import type { JournalReading } from './readJournal';

/** A problem found in a journal when it was opened. Nothing is dropped without one. */
export interface JournalFinding {
  /**
   * `cut`: the last entry is incomplete. `damaged`: bytes have changed since they were written. `unreadable`: not a
   * journal, or one of another version.
   */
  kind: 'cut' | 'damaged' | 'unreadable';
  /** For people: what was found, what is used, and where the rest is. */
  text: string;
  /** The file that holds the found data completely; null if only what `text` says was lost. */
  keptAs: string | null;
}

export function cutFinding(file: string, bytes: number, missing: number | undefined): JournalFinding {
  const lacks =
    missing === undefined ? '' : `; ${count(missing, 'byte')} ${missing === 1 ? 'is' : 'are'} missing`;
  return {
    kind: 'cut',
    text:
      `The last entry of ${file} is incomplete (${count(bytes, 'byte')} ${bytes === 1 ? 'was' : 'were'} written${lacks}) and was dropped. ` +
      'An entry cut off by a crash was never acknowledged; everything before it is there.',
    keptAs: null,
  };
}

/** An empty or barely begun file: it never had contents, or was emptied. */
export function emptyFinding(file: string, bytes: number): JournalFinding {
  return {
    kind: 'cut',
    text: `${file} has ${count(bytes, 'byte')} and no entry, so a new one was started. If it had entries, another program removed them.`,
    keptAs: null,
  };
}

export function damageFinding(
  file: string,
  { end, frames, damage }: JournalReading,
  keptAs: string,
): JournalFinding {
  const { why = '', wholeAfter = 0, rescued = [] } = damage ?? {};
  const after =
    wholeAfter === 0
      ? ''
      : ` Of the ${count(wholeAfter, 'whole entry', 'whole entries')} after the damage, ${rescued.length === 0 ? 'none' : rescued.length} could be used.`;
  return {
    kind: 'damaged',
    text: `${file} is damaged at byte ${end} (${why}). The ${count(frames, 'entry', 'entries')} before the damage ${frames === 1 ? 'was' : 'were'} kept.${after} The damaged file was saved as ${path.basename(keptAs)}.`,
    keptAs,
  };
}

export function unreadableFinding(file: string, keptAs: string): JournalFinding {
  return {
    kind: 'unreadable',
    text: `${file} is not a journal of this version. It was saved as ${path.basename(keptAs)}, and a new one was started.`,
    keptAs,
  };
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
