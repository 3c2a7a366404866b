import * as vscode from 'vscode';
import { asCommand, views } from '../../contributions';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { shortAddress } from '../ui/shortAddress';
import type { AccountListing, OpenTrace, OpenTraces, Selection, WaitingMessage } from './openTraces';
import type { TraceFilters } from './traceFilters';
import type * as traceWords from './traceWords';
import type { RowWords } from './traceWords';

/** A row of the view, as its commands get it. */
export type TraceElement =
  | { kind: 'waiting'; message: WaitingMessage }
  | { kind: 'trace'; trace: OpenTrace }
  | { kind: 'node'; trace: OpenTrace; node: TraceNode; account: { address: string } }
  | { kind: 'more'; trace: OpenTrace; parent: TraceNode | undefined; from: number }
  | { kind: 'older'; listing: AccountListing };

/** Rows of one level that are shown at once. */
const pageSize = 200;
const debounceMs = 80;

/** The view "Traces": each trace a row, each transaction below it; failed ones stand open down to the cause. */
export function registerTracesView(traces: OpenTraces, filters: TraceFilters): vscode.Disposable {
  const provider = new TracesTree(traces, filters);
  const view = vscode.window.createTreeView(views.traces, {
    treeDataProvider: provider,
    showCollapseAll: true,
  });
  return vscode.Disposable.from(
    view,
    provider,
    provider.onDidCount((words) => {
      view.description = words;
    }),
    view.onDidChangeSelection(({ selection: [element] }) => {
      if (element?.kind === 'node') {
        traces.select({ key: element.trace.key, index: element.node.index, in: 'tree' });
      }
    }),
    traces.onDidSelect(async (selection) => {
      const element = provider.elementOf(selection);
      if (selection.in !== 'tree' && view.visible && element !== undefined) {
        await view.reveal(element, { select: true, focus: false });
      }
    }),
  );
}

class TracesTree implements vscode.TreeDataProvider<TraceElement>, vscode.Disposable {
  readonly #traces: OpenTraces;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #counted = new vscode.EventEmitter<string>();
  /** The filter in words, and how many of the traces fit; empty without a filter. */
  readonly onDidCount = this.#counted.event;
  readonly #filters: TraceFilters;
  readonly #subscription: vscode.Disposable;
  #words: typeof traceWords | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(traces: OpenTraces, filters: TraceFilters) {
    this.#traces = traces;
    this.#filters = filters;
    const refresh = (): void => {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#changed.fire();
      }, debounceMs);
    };
    this.#subscription = vscode.Disposable.from(traces.onDidChange(refresh), filters.onDidChange(refresh));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#counted.dispose();
  }

  async getChildren(element?: TraceElement): Promise<TraceElement[]> {
    if (element === undefined) {
      return this.#topRows();
    }
    if (element.kind === 'waiting' || element.kind === 'older') {
      return [];
    }
    const { trace } = element;
    if (element.kind === 'more') {
      return page(trace, element.parent, element.from);
    }
    return page(trace, element.kind === 'node' ? element.node : undefined, 0);
  }

  /** The row of a transaction. */
  elementOf({ key, index }: Selection): TraceElement | undefined {
    const trace = this.#traces.find(key);
    const node = trace?.model.nodes[index];
    return trace === undefined || node === undefined ? undefined : nodeElement(trace, node);
  }

  /** Needed to reveal a row. */
  getParent(element: TraceElement): TraceElement | undefined {
    if (element.kind === 'more') {
      const { trace, parent, from } = element;
      return from > pageSize ? { ...element, from: from - pageSize } : rowOver(trace, parent);
    }
    if (element.kind !== 'node') {
      return undefined;
    }
    const { trace, node } = element;
    const from = (node.parent?.children ?? trace.model.roots).indexOf(node);
    return from < pageSize
      ? rowOver(trace, node.parent)
      : { kind: 'more', trace, parent: node.parent, from: from - (from % pageSize) };
  }

  async #topRows(): Promise<TraceElement[]> {
    const all = this.#traces.list();
    const listing = this.#traces.listing();
    const waiting = this.#traces.waiting().map((message) => ({ kind: 'waiting' as const, message }));
    if (all.length > 0) {
      this.#words ??= await import('./traceWords');
    }
    const fitting = await this.#fitting(all);
    const words = this.#filters.words();
    this.#counted.fire(words === '' ? '' : `${words}: ${fitting.length} of ${all.length}`);
    return [
      ...waiting,
      ...fitting.map((trace) => ({ kind: 'trace' as const, trace })),
      ...(listing?.hasMore === true ? [{ kind: 'older' as const, listing }] : []),
    ];
  }

  async #fitting(all: readonly OpenTrace[]): Promise<readonly OpenTrace[]> {
    if (this.#filters.isEmpty()) {
      return all;
    }
    const { matchesFilter } = await import('../../toolkit/trace/traceFilter');
    const { startTime, ...filter } = this.#filters.value();
    const account = this.#traces.listing()?.account;
    return all.filter(
      ({ context, model }) =>
        matchesFilter(context, { ...filter, account }) &&
        (startTime === undefined || (model.source.end_utime ?? startTime) >= startTime),
    );
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
      case 'older':
        return olderItem(element.listing);
    }
  }

  #traceItem(trace: OpenTrace): vscode.TreeItem {
    const row = this.#words?.traceRow(trace.context, trace.status === 'rehearsal') ?? unknownRow;
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
      item.iconPath = emulatedIcon(row.symbol);
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

function nodeElement(trace: OpenTrace, node: TraceNode): TraceElement {
  return { kind: 'node', trace, node, account: { address: node.account ?? '' } };
}

function rowOver(trace: OpenTrace, parent: TraceNode | undefined): TraceElement {
  return parent === undefined ? { kind: 'trace', trace } : nodeElement(trace, parent);
}

/** At most a page of transactions of one level, and a row for the rest. */
function page(trace: OpenTrace, parent: TraceNode | undefined, from: number): TraceElement[] {
  const all = parent?.children ?? trace.model.roots;
  const rows: TraceElement[] = all.slice(from, from + pageSize).map((node) => nodeElement(trace, node));
  return from + pageSize < all.length
    ? [...rows, { kind: 'more', trace, parent, from: from + pageSize }]
    : rows;
}

const unknownRow: RowWords = { label: '…', description: '', symbol: '?', isEmulated: false, tooltip: '' };

function itemOf(row: RowWords, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.description = row.description;
  item.iconPath = row.isEmulated ? emulatedIcon(row.symbol) : iconOf(row.symbol);
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(row.tooltip);
  item.tooltip = tooltip;
  item.accessibilityInformation = {
    label: `${row.isEmulated ? emulatedWord(row.symbol) : wordOf(row.symbol)}: ${row.label} ${row.description}`,
  };
  return item;
}

/** What was computed ahead must not look like what happened, nor like what is on its way. */
function emulatedIcon(symbol: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(
    'beaker',
    symbol === '✗' ? new vscode.ThemeColor('testing.iconFailed') : undefined,
  );
}

function emulatedWord(symbol: string): string {
  return symbol === '◌' ? 'emulated' : `emulated, ${wordOf(symbol)}`;
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

function olderItem({ title, origin, loaded }: AccountListing): vscode.TreeItem {
  const item = new vscode.TreeItem(`Load more traces of ${title}`);
  item.id = 'older';
  item.description = `${loaded} looked at, ${origin}`;
  item.iconPath = new vscode.ThemeIcon('history');
  item.command = asCommand('tonWorkbench.moreTraces', 'Load More Traces');
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
