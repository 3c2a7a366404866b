import * as vscode from 'vscode';
import type { CommandId } from '../../commandArguments';
import { views } from '../../contributions';
import type { Log } from '../../toolkit/log';
import { registerCommands } from './registerCommands';

/** The rows that a view has to refresh, or undefined for all of them. */
type RefreshedRows<T> = T | T[] | undefined | null | void;

/** What a click on a row runs, by view: without arguments, see LazyTree. */
const openCommands = {
  contracts: 'tonWorkbench.openContractsRow',
  traces: 'tonWorkbench.openTracesRow',
  webhooks: 'tonWorkbench.openWebhooksRow',
  localNetwork: 'tonWorkbench.openLocalNetworkRow',
} as const satisfies Record<keyof typeof views, CommandId>;

/** Milliseconds between checks for a row that VS Code is reading again, and their number. */
const lookMs = 50;
const looks = 60;

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
  readonly #command: vscode.Disposable;
  readonly #open: { id: CommandId; of: WeakMap<T, vscode.Command> };
  #tree: vscode.TreeDataProvider<T> | undefined;
  #clicks = 0;

  constructor(name: keyof typeof views, log: Log, options: { showCollapseAll?: boolean } = {}) {
    const id = openCommands[name];
    this.#open = { id, of: new WeakMap() };
    this.view = vscode.window.createTreeView(views[name], { treeDataProvider: this, ...options });
    this.#command = registerCommands(log, { [id]: () => this.#openSelected() });
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
    const { id, of } = this.#open;
    if (item.command === undefined) {
      of.delete(element);
    } else {
      of.set(element, item.command);
      item.command = { title: item.command.title, command: id };
    }
    return item;
  }

  /** Rows can be revealed only if the tree knows their parents. */
  getParent(element: T): vscode.ProviderResult<T> {
    return this.#tree?.getParent?.(element);
  }

  dispose(): void {
    this.view.dispose();
    this.#command.dispose();
    this.#changed.dispose();
  }

  async #openSelected(): Promise<void> {
    const click = (this.#clicks += 1);
    // While VS Code rereads a view, it does not know the row that it shows as selected.
    for (let look = 0; this.view.selection.length === 0 && look < looks; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
    const [row] = this.view.selection;
    const command = row === undefined ? undefined : this.#open.of.get(row);
    if (command !== undefined && click === this.#clicks) {
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    }
  }
}
