import * as vscode from 'vscode';

/** What a view has to refresh: single rows, or undefined for all of it. */
type RefreshedRows<T> = T | T[] | undefined | null | void;

/** Placeholder for a tree whose code is not loaded yet: empty, so that the view shows its empty state. */
export class LazyTree<T> implements vscode.TreeDataProvider<T>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<RefreshedRows<T>>();
  readonly onDidChangeTreeData = this.#changed.event;
  #tree: vscode.TreeDataProvider<T> | undefined;

  /** Uses the rows of `tree` from now on. */
  attach(tree: vscode.TreeDataProvider<T>): void {
    this.#tree = tree;
    tree.onDidChangeTreeData?.((rows) => this.#changed.fire(rows));
    this.#changed.fire(undefined);
  }

  getChildren(element?: T): vscode.ProviderResult<T[]> {
    return this.#tree?.getChildren(element) ?? [];
  }

  getTreeItem(element: T): vscode.TreeItem | Thenable<vscode.TreeItem> {
    return this.#tree?.getTreeItem(element) ?? new vscode.TreeItem('');
  }

  /** Rows can be revealed where the tree tells what they are under. */
  getParent(element: T): vscode.ProviderResult<T> {
    return this.#tree?.getParent?.(element);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
