import * as vscode from 'vscode';
import { asCommand, views } from '../../contributions';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { shortAddress } from '../ui/shortAddress';
import type { OpenTrace, OpenTraces, WaitingMessage } from './openTraces';
import type * as traceWords from './traceWords';
import type { RowWords } from './traceWords';

/** A row of the view, as its commands get it. */
export type TraceElement =
  | { kind: 'waiting'; message: WaitingMessage }
  | { kind: 'trace'; trace: OpenTrace }
  | { kind: 'node'; trace: OpenTrace; node: TraceNode; account: { address: string } }
  | { kind: 'more'; trace: OpenTrace; parent: TraceNode | undefined; from: number };

/** Rows of one level that are shown at once. */
const pageSize = 200;
const debounceMs = 80;

/** The view "Traces": each trace a row, each transaction below it; failed ones stand open down to the cause. */
export function registerTracesView(traces: OpenTraces): vscode.Disposable {
  const provider = new TracesTree(traces);
  const view = vscode.window.createTreeView(views.traces, {
    treeDataProvider: provider,
    showCollapseAll: true,
  });
  return vscode.Disposable.from(view, provider);
}

class TracesTree implements vscode.TreeDataProvider<TraceElement>, vscode.Disposable {
  readonly #traces: OpenTraces;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  #words: typeof traceWords | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(traces: OpenTraces) {
    this.#traces = traces;
    this.#subscription = traces.onDidChange(() => {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#changed.fire();
      }, debounceMs);
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async getChildren(element?: TraceElement): Promise<TraceElement[]> {
    if (element === undefined) {
      const waiting = this.#traces.waiting().map((message) => ({ kind: 'waiting' as const, message }));
      const traces = this.#traces.list().map((trace) => ({ kind: 'trace' as const, trace }));
      if (traces.length > 0) {
        this.#words ??= await import('./traceWords');
      }
      return [...waiting, ...traces];
    }
    if (element.kind === 'waiting') {
      return [];
    }
    const { trace } = element;
    if (element.kind === 'more') {
      return page(trace, element.parent, element.from);
    }
    return page(trace, element.kind === 'node' ? element.node : undefined, 0);
  }

  getTreeItem(element: TraceElement): vscode.TreeItem {
    switch (element.kind) {
      case 'waiting':
        return waitingItem(element.message);
      case 'trace':
        return this.#traceItem(element.trace);
      case 'node':
        return this.#nodeItem(element.trace, element.node);
      case 'more':
        return moreItem(element.trace, element.parent, element.from);
    }
  }

  #traceItem(trace: OpenTrace): vscode.TreeItem {
    const row = this.#words?.traceRow(trace.context) ?? unknownRow;
    const failed = row.symbol === '✗';
    const item = itemOf(
      row,
      failed ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.id = trace.key;
    item.description = [row.description, trace.origin, ...(trace.status === 'gone' ? ['dropped'] : [])].join(
      '  ',
    );
    if (trace.status === 'rehearsal') {
      // What would happen must not look like what happened.
      item.label = `rehearsal: ${row.label}`;
      item.iconPath = new vscode.ThemeIcon('beaker');
    }
    item.contextValue = trace.status === 'following' ? 'trace-following' : 'trace';
    item.command = asCommand('tonWorkbench.showTrace', 'Show Trace', { key: trace.key });
    return item;
  }

  #nodeItem(trace: OpenTrace, node: TraceNode): vscode.TreeItem {
    const row = this.#words?.nodeRow(node, trace.context) ?? unknownRow;
    const open = this.#words?.pathToCause(trace.model).has(node) === true || node.depth < 3;
    const item = itemOf(
      row,
      node.children.length === 0
        ? vscode.TreeItemCollapsibleState.None
        : open
          ? vscode.TreeItemCollapsibleState.Expanded
          : vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.id = `${trace.key}/${node.hash ?? node.index}`;
    item.contextValue = 'transaction';
    item.command = asCommand('tonWorkbench.showTransaction', 'Show Transaction', {
      key: trace.key,
      index: node.index,
    });
    return item;
  }
}

/** At most a page of transactions of one level, and a row for the rest. */
function page(trace: OpenTrace, parent: TraceNode | undefined, from: number): TraceElement[] {
  const all = parent?.children ?? trace.model.roots;
  const rows: TraceElement[] = all
    .slice(from, from + pageSize)
    .map((node) => ({ kind: 'node', trace, node, account: { address: node.account ?? '' } }));
  return from + pageSize < all.length
    ? [...rows, { kind: 'more', trace, parent, from: from + pageSize }]
    : rows;
}

const unknownRow: RowWords = { label: '…', description: '', symbol: '?', tooltip: '' };

function itemOf(row: RowWords, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.description = row.description;
  item.iconPath = iconOf(row.symbol);
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(row.tooltip);
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: `${wordOf(row.symbol)}: ${row.label} ${row.description}` };
  return item;
}

function iconOf(symbol: string): vscode.ThemeIcon {
  switch (symbol) {
    case '✓':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case '✗':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    case '◌':
      return new vscode.ThemeIcon('loading~spin');
    case '↩':
      return new vscode.ThemeIcon('discard');
    case '·':
      return new vscode.ThemeIcon('circle-outline');
    default:
      return new vscode.ThemeIcon('question');
  }
}

function wordOf(symbol: string): string {
  const words: Record<string, string> = {
    '✓': 'success',
    '✗': 'failed',
    '◌': 'pending',
    '↩': 'bounced',
    '·': 'code not run',
  };
  return words[symbol] ?? 'unknown';
}

function waitingItem({ hash, origin }: WaitingMessage): vscode.TreeItem {
  const item = new vscode.TreeItem('sent, waiting for a block');
  item.id = `waiting/${hash}`;
  item.description = `${shortAddress(hash)}  ${origin}`;
  item.iconPath = new vscode.ThemeIcon('loading~spin');
  item.contextValue = 'waiting';
  return item;
}

function moreItem(trace: OpenTrace, parent: TraceNode | undefined, from: number): vscode.TreeItem {
  const all = parent?.children ?? trace.model.roots;
  const item = new vscode.TreeItem(
    `${Math.min(pageSize, all.length - from)} more of ${all.length}`,
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `${trace.key}/${parent?.hash ?? parent?.index ?? 'root'}/more/${from}`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  return item;
}
