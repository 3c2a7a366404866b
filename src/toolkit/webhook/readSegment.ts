import { isUtf8 } from 'node:buffer';
import type { Log } from '../log';
import type { Clock } from '../time';
import type { JournalFileSystem } from './fileSystem';

/** One file of the journal. */
export interface Segment {
  number: number;
  bytes: number;
  lines: number;
}

const lineBreak = 0x0a;

export function segmentName(number: number): string {
  return `deliveries-${String(number).padStart(6, '0')}.jsonl`;
}

/** The numbers of the segments in a directory, oldest first. */
export async function listSegments(directory: string, fileSystem: JournalFileSystem): Promise<number[]> {
  return (await fileSystem.readdir(directory))
    .map((name) => Number(/^deliveries-(\d{6,})\.jsonl$/.exec(name)?.[1] ?? Number.NaN))
    .filter((number) => !Number.isNaN(number))
    .sort((left, right) => left - right);
}

/**
 * Reads one segment line by line. What is not a line of ours is set aside in `<file>.damaged-<time>`: a tail is cut off
 * the segment (the process died in the middle of a write), a damaged line further up stays and is passed over.
 */
export async function readSegment(
  file: string,
  fileSystem: JournalFileSystem,
  clock: Clock,
  log: Log,
  onLine: (line: string, offset: number, length: number) => void,
): Promise<Omit<Segment, 'number'>> {
  const bytes = await fileSystem.readFile(file);
  const damaged: Buffer[] = [];
  let lines = 0;
  let goodEnd = 0;
  let offset = 0;
  while (offset < bytes.length) {
    const end = bytes.indexOf(lineBreak, offset);
    const next = end === -1 ? bytes.length : end + 1;
    const line = bytes.subarray(offset, end === -1 ? bytes.length : end);
    if (end !== -1 && accept(line, () => onLine(line.toString('utf8'), offset, next - offset))) {
      lines += 1;
      goodEnd = next;
    } else {
      damaged.push(bytes.subarray(offset, next));
    }
    offset = next;
  }
  if (damaged.length > 0) {
    const aside = `${file}.damaged-${clock.now()}`;
    await fileSystem.writeFile(aside, Buffer.concat(damaged), { flag: 'w', mode: 0o600 });
    log.warn(`Damaged lines of the webhook journal were set aside in ${aside}`);
  }
  if (goodEnd < bytes.length) {
    const handle = await fileSystem.open(file, 'r+', 0o600);
    await handle.truncate(goodEnd);
    await handle.close();
  }
  return { bytes: goodEnd, lines };
}

function accept(line: Buffer, use: () => void): boolean {
  if (!isUtf8(line)) {
    return false;
  }
  try {
    use();
    return true;
  } catch {
    return false;
  }
}
