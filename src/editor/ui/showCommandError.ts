import type { CommandId } from '../../commandArguments';
import { isPassing, toWorkbenchError } from '../../toolkit/base/errors';
import type { Log } from '../../toolkit/base/log';
import { showError } from './showError';

/** These only read, so running them again after a transient error is safe. */
const readingCommands: ReadonlySet<CommandId> = new Set<CommandId>([
  'tonWorkbench.runGetMethod',
  'tonWorkbench.runGetMethodOn',
  'tonWorkbench.runPinnedMethod',
  'tonWorkbench.runOnContract',
  'tonWorkbench.refreshContracts',
  'tonWorkbench.openTrace',
  'tonWorkbench.recentTraces',
  'tonWorkbench.moreTraces',
  'tonWorkbench.openAnswerTraces',
  'tonWorkbench.followTrace',
  'tonWorkbench.openAccount',
  'tonWorkbench.replayTransaction',
  'tonWorkbench.replayWithChanges',
  'tonWorkbench.callEndpoint',
  'tonWorkbench.checkDeliveryOnChain',
]);

/**
 * Shows a command's error; commands that only read offer to run again if that may help.
 * @param again runs the command with the same arguments
 */
export async function showCommandError(
  id: CommandId,
  error: unknown,
  log: Log,
  again: () => unknown,
): Promise<void> {
  const known = toWorkbenchError(error);
  const mayRepeat = readingCommands.has(id) && known.details.changesChain !== true;
  const retry = mayRepeat && isPassing(known) ? [{ title: 'Retry', run: again }] : [];
  await showError(known, log, retry, undefined, mayRepeat ? again : undefined);
}
