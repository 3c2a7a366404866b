import * as vscode from 'vscode';
import type { CommandArguments, CommandId } from '../../commandArguments';
import type { Log } from '../../toolkit/log';

/** Command implementations by id. */
export type CommandHandlers = { [K in CommandId]?: (...args: CommandArguments[K]) => unknown };

/**
 * Registers commands: arguments are validated first, and errors are shown uniformly.
 * @param onCall called immediately for each call, before anything can change
 */
export function registerCommands(
  log: Log,
  commands: CommandHandlers,
  onCall?: () => void,
): vscode.Disposable {
  const registered = Object.entries(commands).map(([key, run]) => {
    const id = key as CommandId;
    const guarded = async (...given: unknown[]): Promise<void> => {
      onCall?.();
      try {
        const { readArguments } = await import('./readArguments');
        await (run as (...args: unknown[]) => unknown)(...readArguments(id, given));
      } catch (error) {
        const { showCommandError } = await import('./showCommandError');
        await showCommandError(id, error, log, () => guarded(...given));
      }
    };
    return vscode.commands.registerCommand(id, guarded);
  });
  return vscode.Disposable.from(...registered);
}

/** The id of a command without the extension's prefix. */
export type CommandName = CommandId extends `tonWorkbench.${infer Name}` ? Name : never;

/** Registers commands whose implementation is loaded with the first call of one of them. */
export function registerLazyCommands(
  log: Log,
  names: readonly CommandName[],
  load: () => Promise<{ commands: CommandHandlers }>,
): vscode.Disposable {
  const commands = names.map((name) => {
    const id = `tonWorkbench.${name}` as CommandId;
    return [
      id,
      async (...args: unknown[]) => {
        const run = (await load()).commands[id] as (...given: unknown[]) => unknown;
        await run(...args);
      },
    ];
  });
  return registerCommands(log, Object.fromEntries(commands) as CommandHandlers);
}
