import { messageKey, messageOf } from '../toolkit/gas/gasKeys';
import type { GasBaseline } from '../toolkit/gas/gasBaseline';
import { readBaseline } from '../toolkit/gas/gasBaseline';
import { replayedCode } from '../toolkit/replay/replayedCode';
import type { Replay } from '../toolkit/replay/runReplay';
import { vmPhaseOf } from '../toolkit/replay/replayErrors';
import { pathHere, surroundings } from './surroundings';
import { pathExists } from './writeWholeFile';
import { readGivenText } from './readGivenFile';

/**
 * What a run is called in a baseline: `Till Withdraw`. Undefined if it failed, or if the project around the working
 * folder has no name for the message.
 */
export async function baselineKey(replay: Replay): Promise<string | undefined> {
  if (vmPhaseOf(replay.replayed)?.success !== true) {
    return undefined;
  }
  const [{ describeContract }, { projectWith }] = await Promise.all([
    import('../toolkit/contracts/abi/contractDescription'),
    import('./projectWith'),
  ]);
  const deployed = replayedCode(replay);
  const { name, messages } = describeContract(deployed, await projectWith(surroundings().folder, deployed));
  const message = messageOf(replay.replayed, messages);
  return name === undefined || message === undefined ? undefined : messageKey(name, message);
}

/**
 * Reads a baseline file, as `TON: Save Gas Baseline` writes it.
 *
 * @param isNew whether a file that does not exist is an empty baseline
 * @throws WorkbenchError `file-unreadable`, `gas-baseline-unreadable`, `over-limit` (input)
 */
export async function readBaselineFile(file: string, isNew: boolean): Promise<GasBaseline> {
  if (isNew && !(await pathExists(pathHere(file)))) {
    return new Map();
  }
  const given = { path: file, what: 'The baseline', code: 'file-unreadable' } as const;
  return readBaseline(await readGivenText(given, 'gasBaseline'));
}
