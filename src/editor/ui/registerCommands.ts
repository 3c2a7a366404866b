import * as vscode from 'vscode';
import type { CommandArguments, CommandId } from '../../commandArguments';
import type { Log } from '../../toolkit/log';

/** Command implementations by id. */
export type CommandHandlers = { [K in CommandId]?: (...args: CommandArguments[K]) => unknown };

/**
 * Registers commands: arguments are validated first, and errors are shown uniformly. A command tells with true that it
 * has changed what it is for, such as the network; of other values, nothing leaves it.
 * @param onCall called immediately for each call, before anything can change
 */
export function registerCommands(
  log: Log,
  commands: CommandHandlers,
  onCall?: () => void,
): vscode.Disposable {
  const registered = Object.entries(commands).map(([key, run]) => {
    const id = key as CommandId;
    const guarded = async (...given: unknown[]): Promise<true | undefined> => {
      onCall?.();
      try {
        const { readArguments } = await import('./readArguments');
        const done = await (run as (...args: unknown[]) => unknown)(...readArguments(id, given));
        return done === true ? true : undefined;
      } catch (error) {
        const { showCommandError } = await import('./showCommandError');
        const args = (error instanceof Error ? answered.get(error) : undefined) ?? given;
        await showCommandError(id, error, log, () => guarded(...args));
        return undefined;
      }
    };
    return vscode.commands.registerCommand(id, guarded);
  });
  return vscode.Disposable.from(...registered);
}

/** By error: the arguments that its command would have needed to ask for nothing. */
const answered = new WeakMap<Error, readonly unknown[]>();

/**
 * Does what a command is for, after its questions were answered: if that fails, Retry and what mends the error run the
 * command again with these arguments, so that nothing has to be typed twice.
 */
export async function afterAnswers<T>(args: readonly unknown[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) {
      answered.set(error, args);
    }
    throw error;
  }
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
