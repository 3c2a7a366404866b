import type { TransactionRef } from '../../commandTargets';
import { failureAt } from '../../toolkit/replay/failureAt';
import type { ReplayInputs } from '../../toolkit/replay/replayInputs';
import type { ReplayReport } from '../../toolkit/replay/replayReport';
import type { ThrownAt } from '../../toolkit/sourceMap/thrownAt';
import { thrownLine } from '../../toolkit/sourceMap/thrownAt';
import { fileName } from '../../toolkit/base/text';
import { accountNameOn } from '../project/accountName';
import { thrownLines } from '../traces/traceKnowledge';
import { findReplayTarget, openQuietly } from './findReplayTarget';
import type { ReplayServices } from './replays';
import { replayLines } from './showReplay';

/**
 * Runs a failed transaction of the list, or one of a rehearsal, again, in the background, and lets its pages name the line that threw.
 *
 * @returns whether the line is certain
 * @throws WorkbenchError as `openQuietly`
 */
export async function nameThrow(
  services: ReplayServices,
  ref: TransactionRef | ReplayInputs,
): Promise<boolean> {
  const target =
    'target' in ref
      ? { inputs: ref, requests: 0, isRehearsal: true }
      : await findReplayTarget(services, '', ref, { rehearsals: true });
  if (target === undefined) {
    return false;
  }
  const replay = await openQuietly(services, target);
  const steps = await replayLines(services, replay, new AbortController().signal);
  const thrown = steps === undefined ? undefined : failureAt(steps, replay.report.replay.replayed);
  if (thrown !== undefined) {
    keepThrown(services, replay.report, thrown);
  }
  return thrown !== undefined;
}

/** Lets the pages of a transaction name the line that threw. One that was changed has no pages. */
export function keepThrown(
  services: ReplayServices,
  { inputs, replay, edits }: Pick<ReplayReport, 'inputs' | 'replay' | 'edits'>,
  thrown: ThrownAt,
): void {
  if (edits.length > 0) {
    return;
  }
  const hash = replay.original.hash().toString('hex');
  thrownLines(services).keep(hash, thrownLine(thrown, fileName, accountNameOn(services, inputs.network)));
  const { traces } = services;
  for (const trace of traces.list().filter(({ model }) => model.nodes.some((node) => node.hash === hash))) {
    // Its pages and its row are written again.
    traces.add([trace]);
  }
}
