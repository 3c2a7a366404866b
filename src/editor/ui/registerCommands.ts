import * as vscode from 'vscode';
import type { CommandArguments, CommandId } from '../../commandArguments';
import { views } from '../../contributions';
import type { Log } from '../../toolkit/base/log';

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

/** The rows that a view has to refresh, or undefined for all of them. */
type RefreshedRows<T> = T | T[] | undefined | null | void;

/** What a click on a row runs, by view: without arguments, see LazyTree. */
const openCommands = {
  hits: 'tonWorkbench.openHitsRow',
  contracts: 'tonWorkbench.openContractsRow',
  traces: 'tonWorkbench.openTracesRow',
  webhooks: 'tonWorkbench.openWebhooksRow',
  localNetwork: 'tonWorkbench.openLocalNetworkRow',
} as const satisfies Record<keyof typeof views, CommandId>;

/** Milliseconds between checks for a row that VS Code is reading again, and their number. */
const lookMs = 50;
const looks = 60;

/** A click or Enter on a row. */
interface Click<T> {
  /** The selected row; undefined while VS Code reads the view again. */
  row: T | undefined;
  /** How many times the selection had changed. */
  selections: number;
}

/**
 * A view and its rows, which are empty until the code of the tree is loaded, so that the view shows its empty state.
 *
 * A click on a row runs the row's own command, but never as the row's: VS Code keeps the arguments of a row's command
 * only until it refreshes that row, and refuses a click meanwhile ("Actual command not found"). So all rows of a view
 * have one command without arguments, which runs what the selected row opens.
 */
export class LazyTree<T extends object> implements vscode.TreeDataProvider<T>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<RefreshedRows<T>>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly view: vscode.TreeView<T>;
  readonly #parts: vscode.Disposable;
  readonly #id: CommandId;
  /** What each row opens. */
  readonly #commands = new WeakMap<T, vscode.Command>();
  #tree: vscode.TreeDataProvider<T> | undefined;
  /** How many times the selection has changed. */
  #selections = 0;

  constructor(name: keyof typeof views, log: Log, options: { showCollapseAll?: boolean } = {}) {
    const id = openCommands[name];
    this.#id = id;
    this.view = vscode.window.createTreeView(views[name], { treeDataProvider: this, ...options });
    const clicks: Click<T>[] = [];
    this.#parts = vscode.Disposable.from(
      this.#changed,
      this.view,
      this.view.onDidChangeSelection(() => (this.#selections += 1)),
      registerCommands(log, { [id]: () => this.#open(clicks.shift()) }, () =>
        clicks.push({ row: this.view.selection[0], selections: this.#selections }),
      ),
    );
  }

  /** Shows the rows of `tree` from now on. */
  attach(tree: vscode.TreeDataProvider<T>): void {
    this.#tree = tree;
    tree.onDidChangeTreeData?.((rows) => this.#changed.fire(rows));
    this.#changed.fire(undefined);
  }

  getChildren(element?: T): vscode.ProviderResult<T[]> {
    return this.#tree?.getChildren(element) ?? [];
  }

  async getTreeItem(element: T): Promise<vscode.TreeItem> {
    const item = (await this.#tree?.getTreeItem(element)) ?? new vscode.TreeItem('');
    if (item.command === undefined) {
      this.#commands.delete(element);
    } else {
      this.#commands.set(element, item.command);
      item.command = { title: item.command.title, command: this.#id };
    }
    return item;
  }

  /** Rows can be revealed only if the tree knows their parents. */
  getParent(element: T): vscode.ProviderResult<T> {
    return this.#tree?.getParent?.(element);
  }

  dispose(): void {
    this.#parts.dispose();
  }

  /** Opens the row that was clicked, even if another one has since been revealed and thus selected. */
  async #open(click: Click<T> | undefined): Promise<void> {
    let row = click?.row;
    // While VS Code rereads a view, it does not know the row that it shows as selected.
    for (
      let look = 0;
      row === undefined && look < looks && this.#selections === click?.selections;
      look += 1
    ) {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      row = this.#selections === click?.selections ? this.view.selection[0] : undefined;
    }
    const command = row === undefined ? undefined : this.#commands.get(row);
    if (command !== undefined) {
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    }
  }
}
