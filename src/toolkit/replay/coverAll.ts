import { WorkbenchError } from '../errors';
import type { ErrorCode } from '../errorCodes';
import type { CoverageBook } from '../sourceMap/coverageBook';
import { counted } from '../trace/figures';
import type { CoveredRun } from './coverReplay';

/** How many transactions a coverage is of, and why others are left out. */
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

/**
 * Runs transactions again, one after another, and adds up what they ran of their sources.
 *
 * @param book has the maps of their codes
 * @param onDone called with how many are done
 * @throws WorkbenchError `aborted`, and the errors of the access layer
 */
export async function coverAll<T>(
  transactions: readonly T[],
  cover: (transaction: T) => Promise<CoveredRun>,
  book: CoverageBook,
  onDone: (done: number) => void = () => undefined,
): Promise<CoverageTally> {
  const tally = { asked: transactions.length, covered: 0, noCode: 0, noLines: 0, diverged: 0, cut: 0 };
  const failures: string[] = [];
  for (const [index, transaction] of transactions.entries()) {
    try {
      const run = await cover(transaction);
      switch (run.outcome) {
        case 'covered':
          book.addRun(run.codeHash, run.counts);
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
    } catch (error) {
      if (!(error instanceof WorkbenchError) || !ownFailures.has(error.code)) {
        throw error;
      }
      failures.push(error.message);
    }
    onDone(index + 1);
  }
  return { ...tally, failures };
}

/** Sentences about what is left out; none if nothing is. */
export function leftOutNotes({ noCode, noLines, diverged, cut, failures }: CoverageTally): string[] {
  const [why] = failures;
  return [
    noCode > 0 ? `${transactions(noCode)} ran no code.` : undefined,
    noLines > 0 ? `${transactions(noLines)} ran code that no source here compiles to.` : undefined,
    diverged > 0
      ? `${transactions(diverged)} did something else when replayed: not counted.`
      : undefined,
    why === undefined ? undefined : `${transactions(failures.length)} could not be replayed: ${why}`,
    cut > 0
      ? `${transactions(cut)} ran so many steps that the first ones are lost: not counted.`
      : undefined,
  ].filter((note) => note !== undefined);
}

function transactions(count: number): string {
  return counted(count, 'transaction');
}
