import type { DeployedCode } from '../abi/describeContract';
import { covered } from '../replay/coverReplay';
import type { CoveredRun } from '../replay/coverReplay';
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
