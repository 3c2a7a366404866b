import { mapSteps } from '../../toolkit/sourceMap/mapSteps';
import type { MappedSteps } from '../../toolkit/sourceMap/mapSteps';
import { replayedCode } from '../../toolkit/replay/replayedCode';
import type { ReplayServices } from './replayServices';
import type { OpenReplay } from './replays';
import { withProgress } from '../ui/withProgress';
import { replayHasThrown } from './showReplay';

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

/** The replay with its source lines, if it threw. They hold its recording, so they are not kept with it. */
export async function withLines(services: ReplayServices, replay: OpenReplay): Promise<OpenReplay> {
  if (!replayHasThrown(replay.report)) {
    return replay;
  }
  const lines = await withProgress('Finding the line that threw', (signal) =>
    replayLines(services, replay, signal),
  );
  return { ...replay, report: { ...replay.report, lines } };
}
