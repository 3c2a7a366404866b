import path from 'node:path';
import type { Clock } from '../time';
import type { JournalDisk } from './journalDisk';

/**
 * Links a file to a second name in the same folder, `journal.damaged-1800000000000.log`, so that it survives
 * being replaced. Returns that name.
 */
export function keepAside(
  file: string,
  why: 'damaged' | 'unreadable',
  { disk, clock }: { disk: JournalDisk; clock: Clock },
): string {
  const { dir, name, ext } = path.parse(file);
  for (let moment = clock.now(); ; moment += 1) {
    const aside = path.join(dir, `${name}.${why}-${moment}${ext}`);
    try {
      disk.link(file, aside);
      disk.protect(aside);
      return aside;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
  }
}
