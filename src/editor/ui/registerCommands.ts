import * as vscode from 'vscode';
import { registerCommand } from '../../contributions';
import type { CommandId, CommandTypes } from '../../contributions';
import { isPassing, toWorkbenchError } from '../../toolkit/errors';
import type { Log } from '../../toolkit/log';
import { showError } from './showError';

/** They only read, so running them again after an error that passes can do nothing twice. */
const readingCommands: ReadonlySet<string> = new Set<CommandId>([
  'tonWorkbench.runGetMethod',
  'tonWorkbench.runGetMethodOn',
  'tonWorkbench.runPinnedMethod',
  'tonWorkbench.runOnContract',
  'tonWorkbench.refreshContracts',
  'tonWorkbench.openTrace',
  'tonWorkbench.recentTraces',
  'tonWorkbench.moreTraces',
  'tonWorkbench.followTrace',
  'tonWorkbench.openAccount',
  'tonWorkbench.callEndpoint',
  'tonWorkbench.testApiKey',
  'tonWorkbench.checkDeliveryOnChain',
]);

/** Registers commands; whatever one of them throws is told to the user in the same way. */
export function registerCommands(
  log: Log,
  commands: { [K in CommandId]?: (...args: Parameters<CommandTypes[K]>) => unknown },
): vscode.Disposable {
  const registered = Object.entries(commands).map(([id, run]) => {
    const guarded = async (...args: unknown[]): Promise<void> => {
      try {
        await (run as (...given: unknown[]) => unknown)(...args);
      } catch (error) {
        const known = toWorkbenchError(error);
        const mayRetry = readingCommands.has(id) && isPassing(known) && known.details.changesChain !== true;
        const actions = mayRetry ? [{ title: 'Retry', run: () => guarded(...args) }] : [];
        await showError(known, log, actions);
      }
    };
    return registerCommand(vscode.commands, id as CommandId, guarded);
  });
  return vscode.Disposable.from(...registered);
}
