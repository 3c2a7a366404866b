import type { DeployedCode } from '../contracts/abi/contractDescription';
import { covered } from '../replay/coveredRun';
import type { CoveredRun } from '../replay/coveredRun';
import type { SourceMap } from '../sourceMap/sourceMap';
import type { RanRecord } from './runRecord';

/**
 * Counts what a record ran of its source.
 *
 * @param linesOf the source lines of a code, if they are known
 */
export async function coverRecord(
  { recording, deployed, isExact, transaction }: RanRecord,
  linesOf: (deployed: DeployedCode) => Promise<SourceMap | undefined>,
): Promise<CoveredRun> {
  const hasDiverged = transaction === undefined ? !isExact : transaction.replay.verdict === 'diverged';
  if (hasDiverged) {
    return { outcome: 'diverged' };
  }
  if (recording === undefined) {
    return { outcome: 'no-code' };
  }
  const map = await linesOf(deployed);
  return map === undefined ? { outcome: 'no-lines' } : covered(recording, map);
}
