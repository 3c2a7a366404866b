import type { DeployedCode } from '../contracts/abi/contractDescription';
import type { Emulator } from '../execution/emulator/emulator';
import { everyStep } from '../execution/emulator/emulator';
import { recordGetMethod } from '../execution/emulator/recordGetMethod';
import type { Recording } from '../recording/recording';
import type { RunCounts } from '../sourceMap/mapSteps';
import { countRun, mapSteps } from '../sourceMap/mapSteps';
import type { SourceMap } from '../sourceMap/sourceMap';
import type { GetMethodInputs } from './gatherGetMethod';
import type { ReplayInputs } from './replayInputs';
import { replayedCode } from './replayedCode';
import { replayRecording, runReplay } from './runReplay';

/** What a transaction or a get-method ran of its source, or why that is not known. */
export type CoveredRun =
  | {
      outcome: 'covered';
      /** Of the code that ran, lowercase hex. */
      codeHash: string;
      counts: RunCounts;
      /** The first steps of a long execution, which the engine's log has lost. */
      stepsMissing: number;
    }
  /** `diverged`: the replay did something else than the transaction. */
  | { outcome: 'no-code' | 'no-lines' | 'diverged' };

/**
 * Runs a transaction again, and counts what it ran of its source.
 *
 * @param linesOf the source lines of a code, if they are known
 * @throws WorkbenchError as {@link runReplay}
 */
export async function coverReplay(
  inputs: ReplayInputs,
  emulator: Pick<Emulator, 'runTransaction' | 'runTickTock'>,
  linesOf: (deployed: DeployedCode) => Promise<SourceMap | undefined>,
  signal?: AbortSignal,
): Promise<CoveredRun> {
  const replay = await runReplay(inputs, emulator, { verbosity: everyStep, signal });
  if (replay.verdict === 'diverged') {
    return { outcome: 'diverged' };
  }
  const recording = replayRecording(replay);
  if (recording === undefined) {
    return { outcome: 'no-code' };
  }
  const map = await linesOf(replayedCode(replay));
  if (map === undefined) {
    return { outcome: 'no-lines' };
  }
  return covered(recording, map);
}

/**
 * Runs a get-method again, and counts what it ran of its source.
 *
 * @param map the lines of the code that they are wanted of
 * @throws WorkbenchError as `recordGetMethod`
 */
export async function coverGetMethod(
  inputs: GetMethodInputs,
  emulator: Pick<Emulator, 'runGetMethod'>,
  map: SourceMap,
): Promise<CoveredRun> {
  if (inputs.codeHash !== map.codeHash) {
    return { outcome: 'no-lines' };
  }
  const { recording } = await recordGetMethod(emulator, inputs);
  return covered(recording, map);
}

/** What a recorded execution ran of the source with these lines. */
export function covered(recording: Recording, map: SourceMap): CoveredRun {
  const { codeHash } = map;
  const { stepsMissing } = recording;
  return { outcome: 'covered', codeHash, counts: countRun(mapSteps(recording, map)), stepsMissing };
}
