import path from 'node:path';
import { keepAside } from '../../journal/keepAside';
import type { JournalDisk } from '../../journal/journalDisk';
import type { Clock } from '../../time';

export function segmentName(number: number): string {
  return `deliveries-${String(number).padStart(6, '0')}.log`;
}

/** The numbers of the segments in a folder, oldest first. */
export function listSegments(directory: string, disk: Pick<JournalDisk, 'list'>): number[] {
  return disk
    .list(directory)
    .map((name) => Number(/^deliveries-(\d{6,})\.log$/.exec(name)?.[1] ?? Number.NaN))
    .filter((number) => !Number.isNaN(number))
    .sort((left, right) => left - right);
}

/** Files from the version without checksums: renamed and reported. */
export function keepEarlierVersion(
  directory: string,
  options: { disk: JournalDisk; clock: Clock },
): string[] {
  const { disk } = options;
  const earlier = disk.list(directory).filter((name) => /^(?:deliveries-\d{6,}|orders)\.jsonl$/.test(name));
  return earlier.sort().map((name) => {
    const file = path.join(directory, name);
    const keptAs = path.basename(keepAside(file, 'unreadable', options));
    disk.remove(file);
    return (
      `${name} is from an earlier version and is not read. It was kept as ${keptAs}; ` +
      'orders that were paid in it are open again.'
    );
  });
}
