import { mapSteps } from '../../toolkit/sourceMap/mapSteps';
import type { MappedSteps } from '../../toolkit/sourceMap/mapSteps';
import { replayedCode } from '../../toolkit/replay/replayedCode';
import type { ReplayServices } from './replayServices';
import type { OpenReplay } from './replays';

/**
 * The source lines of a replay's steps; undefined if no code ran, or if no source in the workspace compiles to it.
 *
 * @throws WorkbenchError as `Replays.recording`
 */
export async function replayLines(
  { replays, project }: Pick<ReplayServices, 'replays' | 'project'>,
  replay: OpenReplay,
  signal: AbortSignal,
): Promise<MappedSteps | undefined> {
  const { codeHash } = replayedCode(replay.report.replay);
  if (codeHash === undefined) {
    return undefined;
  }
  const [recording, map] = await Promise.all([replays.recording(replay, signal), project.lines(codeHash)]);
  return recording === undefined || map === undefined ? undefined : mapSteps(recording, map);
}
