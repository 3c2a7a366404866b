import { WorkbenchError } from '../base/errors';
import type { ErrorCode } from '../base/errorCodes';
import type { CoverageBook } from '../sourceMap/coverageBook';
import { counted } from '../trace/figures';
import type { CoveredRun } from './coveredRun';

/** How many transactions, or calls of get-methods, a coverage is of, and why others are left out. */
export interface CoverageTally {
  asked: number;
  covered: number;
  noCode: number;
  noLines: number;
  diverged: number;
  /** Covered transactions whose first steps are lost. */
  cut: number;
  /** Why transactions could not be replayed, one by one. */
  failures: readonly string[];
}

/** Of one transaction; the others of its account can be replayed all the same. */
const ownFailures: ReadonlySet<ErrorCode> = new Set([
  'replay-impossible',
  'replay-not-found',
  'archive-unavailable',
  'over-limit',
]);

/** How {@link coverAll} goes about it. */
export interface CoverAllOptions {
  /** Called with how many are done. */
  onDone?: (done: number) => void;
  /** How many run at the same time; by default one. */
  atOnce?: number;
}

/**
 * Covers transactions or get-methods, and adds up what they ran of their sources.
 *
 * @param book has the maps of their codes
 * @throws WorkbenchError `aborted`, and the errors of the access layer
 */
export async function coverAll<T>(
  runs: readonly T[],
  cover: (run: T) => Promise<CoveredRun>,
  book: CoverageBook,
  { onDone, atOnce = 1 }: CoverAllOptions = {},
): Promise<CoverageTally> {
  const tally = { asked: runs.length, covered: 0, noCode: 0, noLines: 0, diverged: 0, cut: 0 };
  const failures = new Map<number, string>();
  const count = (run: CoveredRun): void => {
    switch (run.outcome) {
      case 'covered':
        book.addRun(run.codeHash, run.counts);
        if (run.counts.places.size === 0) {
          tally.noLines += 1;
          break;
        }
        tally.covered += 1;
        tally.cut += run.stepsMissing > 0 ? 1 : 0;
        break;
      case 'no-code':
        tally.noCode += 1;
        break;
      case 'no-lines':
        tally.noLines += 1;
        break;
      case 'diverged':
        tally.diverged += 1;
        break;
    }
  };
  // All lanes take from it, so that each run is of one of them.
  const waiting = runs.entries();
  let done = 0;
  let isOver = false;
  const lane = async (): Promise<void> => {
    for (const [index, one] of waiting) {
      if (isOver) {
        return;
      }
      try {
        count(await cover(one));
      } catch (error) {
        if (!(error instanceof WorkbenchError) || !ownFailures.has(error.code)) {
          isOver = true;
          throw error;
        }
        failures.set(index, error.message);
      }
      done += 1;
      onDone?.(done);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { ...tally, failures: [...failures].sort(([a], [b]) => a - b).map(([, message]) => message) };
}

/**
 * Sentences about what is left out; none if nothing is.
 *
 * @param noun what was counted, in the singular
 */
export function leftOutNotes(
  { noCode, noLines, diverged, cut, failures }: CoverageTally,
  noun = 'transaction',
): string[] {
  const some = (count: number): string => counted(count, noun);
  const [why] = failures;
  return [
    noCode > 0 ? `${some(noCode)} ran no code.` : undefined,
    noLines > 0 ? `${some(noLines)} ran code whose source lines are not known here.` : undefined,
    diverged > 0 ? `${some(diverged)} behaved differently when replayed: not counted.` : undefined,
    why === undefined ? undefined : `${some(failures.length)} could not be replayed: ${why}`,
    cut > 0 ? `${some(cut)} ran so many steps that the first ones are lost: not counted.` : undefined,
  ].filter((note) => note !== undefined);
}
