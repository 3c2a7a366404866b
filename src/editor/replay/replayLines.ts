import type { RanGetMethod } from '../../commandTargets';
import type { RecordedGetMethod } from '../../toolkit/emulator/recordGetMethod';
import type { GetMethodInputs } from '../../toolkit/replay/gatherGetMethod';
import { mapSteps } from '../../toolkit/sourceMap/mapSteps';
import type { MappedSteps } from '../../toolkit/sourceMap/mapSteps';
import { replayedCode } from '../../toolkit/replay/replayedCode';
import { ownMethodIdIn } from '../project/describeDeployed';
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

/** A get-method that ran again, step by step. */
export interface MethodExecution extends RecordedGetMethod {
  inputs: GetMethodInputs;
  /** Its source lines; undefined if no source in the workspace compiles to the code. */
  lines: MappedSteps | undefined;
}

/**
 * Runs a get-method again in the emulator's thread, on the state at its block, else on the newest one.
 *
 * @throws WorkbenchError as `gatherGetMethod` and `Replays.recordGetMethod`, those of stack text and of connecting
 */
export async function methodLines(
  {
    networks,
    connections,
    replays,
    project,
  }: Pick<ReplayServices, 'replays' | 'project' | 'connections' | 'networks'>,
  { network: name, address, method, stack, block }: RanGetMethod,
  signal: AbortSignal,
): Promise<MethodExecution> {
  const network = networks.list().find((one) => one.name === name) ?? networks.current();
  const [access, { gatherGetMethod }, { parseStackText }] = await Promise.all([
    connections.open(network, signal),
    import('../../toolkit/replay/gatherGetMethod'),
    import('../../toolkit/stack/parseStackText'),
  ]);
  const call = { address, method, stack: parseStackText(stack) };
  const ownId = ownMethodIdIn(project, method);
  const inputs = await gatherGetMethod(access, call, { seqno: block, ownId, signal });
  const [recorded, map] = await Promise.all([
    replays.recordGetMethod(inputs, signal),
    project.lines(inputs.codeHash),
  ]);
  return { ...recorded, inputs, lines: map && mapSteps(recorded.recording, map) };
}
