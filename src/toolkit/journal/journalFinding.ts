import path from 'node:path';
import type { JournalReading } from './readJournal';

/** What was found wrong with a journal when it was opened. Nothing is dropped without one. */
export interface JournalFinding {
  /**
   * `cut`: the last entry had not been written to its end. `damaged`: bytes are not what was written. `unreadable`: no
   * journal at all, or one of another version.
   */
  kind: 'cut' | 'damaged' | 'unreadable';
  /** In words, for people: what was found, what is used, and where the rest is. */
  text: string;
  /** The file that holds what was found, whole; null when nothing more than `text` says was lost. */
  keptAs: string | null;
}

export function cutFinding(file: string, bytes: number, missing: number | undefined): JournalFinding {
  const lacks = missing === undefined ? '' : `; ${count(missing, 'byte')} of it are missing`;
  return {
    kind: 'cut',
    text:
      `The last entry of ${file} was not written to its end (${count(bytes, 'byte')} are there${lacks}) and was dropped. ` +
      'What is cut off by a crash was never acknowledged; everything before it is there.',
    keptAs: null,
  };
}

/** An empty or barely begun file: nothing was ever in it, or it was emptied. */
export function emptyFinding(file: string, bytes: number): JournalFinding {
  return {
    kind: 'cut',
    text: `${file} has ${count(bytes, 'byte')} and no entry: it was begun anew. If it held something, it was emptied by another program.`,
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
      : ` Behind the damage stand ${count(wholeAfter, 'whole entry', 'whole entries')}, of which ${rescued.length} could be used.`;
  return {
    kind: 'damaged',
    text: `${file} is damaged at byte ${end} (${why}). The ${count(frames, 'entry', 'entries')} before it ${frames === 1 ? 'is' : 'are'} used.${after} The damaged file was kept as ${path.basename(keptAs)}.`,
    keptAs,
  };
}

export function unreadableFinding(file: string, keptAs: string): JournalFinding {
  return {
    kind: 'unreadable',
    text: `${file} is no journal of this version. It was kept as ${path.basename(keptAs)}, and a new one was begun.`,
    keptAs,
  };
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
