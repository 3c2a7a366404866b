import * as vscode from 'vscode';
import { registerCommand } from '../../contributions';
import type { CommandId, CommandTypes } from '../../contributions';
import type { Log } from '../../toolkit/log';
import { showError } from './showError';

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
        await showError(error, log);
      }
    };
    return registerCommand(vscode.commands, id as CommandId, guarded);
  });
  return vscode.Disposable.from(...registered);
}
