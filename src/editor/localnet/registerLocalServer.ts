import * as vscode from 'vscode';
import type { Services } from '../project/services';
import { registerLazyCommands } from '../ui/registerCommands';
import type { CommandHandlers, CommandName } from '../ui/registerCommands';

/** What a view shows of a server beside the local network. */
export interface LocalServerView<State> {
  readonly onDidChange: vscode.Event<void>;
  /** Undefined while it does not run. */
  state(): State | undefined;
}

/** Everything about such a server, loaded on first use. */
export interface LocalServerFeature<State> {
  commands: CommandHandlers;
  server: { follow(): Promise<void>; state(): State | undefined };
  /** Stops it until the next window. */
  close(): Promise<void>;
}

/** A server as other features see it; it must be closed before the window goes away. */
export interface RegisteredLocalServer<State> extends vscode.Disposable, LocalServerView<State> {
  close(): Promise<void>;
}

/**
 * Registers the names of a server's commands; everything else is loaded by the first of them, or with the network that
 * it ran on.
 * @param load its `onChange` is told when what the view shows has changed
 */
export function registerLocalServer<State>(
  { localNetwork, context, log }: Services,
  { isOnKey, commands }: { isOnKey: string; commands: readonly CommandName[] },
  load: (onChange: () => void) => Promise<LocalServerFeature<State>>,
): RegisteredLocalServer<State> {
  const changed = new vscode.EventEmitter<void>();
  let feature: LocalServerFeature<State> | undefined;
  let loading: Promise<LocalServerFeature<State>> | undefined;
  const use = (): Promise<LocalServerFeature<State>> =>
    (loading ??= load(() => changed.fire()).then((loaded) => (feature = loaded)));
  const follow = (): void => {
    if (feature !== undefined || context.workspaceState.get(isOnKey) === true) {
      use()
        .then(({ server }) => server.follow())
        .catch((error: unknown) => log.error(`${isOnKey} cannot follow its network`, error));
    }
  };
  const parts = vscode.Disposable.from(
    changed,
    localNetwork.onDidChange(follow),
    registerLazyCommands(log, commands, use),
  );
  return {
    onDidChange: changed.event,
    state: () => feature?.server.state(),
    close: async () => (await loading)?.close(),
    dispose: () => void parts.dispose(),
  };
}
