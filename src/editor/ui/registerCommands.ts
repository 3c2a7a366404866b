import * as vscode from 'vscode';
import { registerCommand } from '../../contributions';
import type { CommandId, CommandTypes } from '../../contributions';
import type { Log } from '../../toolkit/log';

/** Registers commands; whatever one of them throws is told to the user in the same way. */
export function registerCommands(
  log: Log,
  commands: { [K in CommandId]?: (...args: Parameters<CommandTypes[K]>) => unknown },
): vscode.Disposable {
  const registered = Object.entries(commands).map(([key, run]) => {
    const id = key as CommandId;
    const guarded = async (...args: unknown[]): Promise<void> => {
      try {
        await (run as (...given: unknown[]) => unknown)(...args);
      } catch (error) {
        const { showCommandError } = await import('./showCommandError');
        await showCommandError(id, error, log, () => guarded(...args));
      }
    };
    return registerCommand(vscode.commands, id, guarded);
  });
  return vscode.Disposable.from(...registered);
}
