import { isTurnOver, nextTurn } from '../../base/turns';

export interface Page {
  limit: number;
  offset: number;
  ascending: boolean;
}

/** All inclusive. */
export interface Ranges {
  startUtime: number | undefined;
  endUtime: number | undefined;
  startLt: bigint | undefined;
  endLt: bigint | undefined;
}

export function inRanges(ranges: Ranges, utime: number, lt: bigint): boolean {
  return (
    (ranges.startUtime === undefined || utime >= ranges.startUtime) &&
    (ranges.endUtime === undefined || utime <= ranges.endUtime) &&
    (ranges.startLt === undefined || lt >= ranges.startLt) &&
    (ranges.endLt === undefined || lt <= ranges.endLt)
  );
}

/** The rows of one page from candidates already in order; reads no further than needed. */
export function takePage<T>(candidates: Iterable<T>, { limit, offset }: Page): T[] {
  const rows: T[] = [];
  let skipped = 0;
  for (const candidate of candidates) {
    if (skipped < offset) {
      skipped += 1;
    } else {
      rows.push(candidate);
      if (rows.length >= limit) {
        break;
      }
    }
  }
  return rows;
}

/** Like {@link takePage}, for candidates that take time to check; undefined means no match. */
export async function takePageInTurns<T>(
  candidates: Iterable<T | undefined>,
  { limit, offset }: Page,
): Promise<T[]> {
  const rows: T[] = [];
  let skipped = 0;
  for (const candidate of candidates) {
    if (candidate !== undefined && skipped < offset) {
      skipped += 1;
    } else if (candidate !== undefined && rows.push(candidate) >= limit) {
      break;
    }
    if (isTurnOver()) {
      await nextTurn();
    }
  }
  return rows;
}
