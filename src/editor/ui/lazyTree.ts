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
