import type { ReplayTarget } from '../../commandTargets';
import { WorkbenchError, toWorkbenchError } from '../../toolkit/base/errors';
import { showError } from '../ui/showError';
import { askChanges } from './askChanges';
import type { Changes } from './findReplayTarget';
import { findReplayTarget, gatherInWindow, runInWindow } from './findReplayTarget';
import type { GatheredInputs, OpenReplay, ReplayServices } from './replays';
import { showReplay, withLines } from './showReplay';

/**
 * TON: Replay With Changes…: runs a transaction again with another message, state, time, or configuration, and shows what
 * that changes. Nothing is ever sent.
 */
export async function replayWithChangesCommand(
  services: ReplayServices,
  given: ReplayTarget | undefined,
): Promise<void> {
  const target = await findReplayTarget(services, 'TON: Replay With Changes', given);
  if (target === undefined) {
    return;
  }
  const last = 'report' in target && target.report.edits.length > 0 ? target : undefined;
  const gathered = await gatherInWindow(services, target);
  // The boxes start with what was, and that includes the state after the account's earlier transactions.
  const original = 'report' in target && last === undefined ? target : await runInWindow(services, gathered);
  const changes = await askChanges(services, original, last);
  if (changes !== undefined) {
    await runChanged(services, gathered, changes);
  }
}

/** Runs with the changes. A message that is not accepted because of its signature can be run without checking it. */
async function runChanged(
  services: ReplayServices,
  gathered: GatheredInputs,
  changes: Changes,
): Promise<void> {
  let replay: OpenReplay;
  try {
    replay = await runInWindow(services, gathered, changes);
  } catch (error) {
    if (!WorkbenchError.is(error, 'replay-refused') || changes.edits.ignoreSignatures === true) {
      throw error;
    }
    const ignoring: Changes = {
      texts: [...changes.texts, 'signature=ignored'],
      edits: { ...changes.edits, ignoreSignatures: true },
    };
    const run = (): Promise<void> => runChanged(services, gathered, ignoring);
    await showError(toWorkbenchError(error), services.log, [{ title: 'Ignore Signatures', run }]);
    return;
  }
  await showReplay(services, await withLines(services, replay));
}
