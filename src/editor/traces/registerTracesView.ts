import * as vscode from 'vscode';
import { views } from '../../contributions';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { rowsAtOnce } from './openTraces';
import type { OpenTrace, OpenTraces, Selection } from './openTraces';
import type { TraceElement } from './traceElement';
import type { TraceFilters } from './traceFilters';
import type { traceElementItem } from './traceElementItem';

const debounceMs = 80;

/** The view "Traces": a row per trace, its transactions below; failed ones are expanded down to the cause. */
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
  readonly #changed = new vscode.EventEmitter<TraceElement[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #counted = new vscode.EventEmitter<string>();
  /** The filter as text, and how many traces match; empty without a filter. */
  readonly onDidCount = this.#counted.event;
  readonly #filters: TraceFilters;
  readonly #subscription: vscode.Disposable;
  /** Builds rows; loaded with the first one. */
  #items: { traceElementItem: typeof traceElementItem } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Keys of traces changed since the last refresh; undefined if the list itself changed. */
  #grown: Set<string> | undefined = new Set();
  /** The rows of the traces as the editor knows them: by object. */
  #rows = new Map<string, TraceElement & { kind: 'trace' }>();

  constructor(traces: OpenTraces, filters: TraceFilters) {
    this.#traces = traces;
    this.#filters = filters;
    const refresh = (trace?: OpenTrace): void => {
      this.#grown = trace === undefined ? undefined : this.#grown?.add(trace.key);
      this.#timer ??= setTimeout(() => this.#show(), debounceMs);
    };
    this.#subscription = vscode.Disposable.from(
      traces.onDidChange(refresh),
      filters.onDidChange(() => refresh()),
    );
  }

  /**
   * A growing trace is refreshed alone: refreshing the whole view would take the row from under a button being
   * clicked.
   */
  #show(): void {
    const grown = this.#filters.isEmpty() ? this.#grown : undefined;
    this.#timer = undefined;
    this.#grown = new Set();
    const rows = [...(grown ?? [])].flatMap((key) => {
      const row = this.#rows.get(key);
      const trace = this.#traces.find(key);
      return row === undefined || trace === undefined ? [] : [Object.assign(row, { trace })];
    });
    if (grown === undefined || rows.length > 0) {
      this.#changed.fire(grown === undefined ? undefined : rows);
    }
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
      return from > rowsAtOnce ? { ...element, from: from - rowsAtOnce } : rowOver(trace, parent);
    }
    if (element.kind !== 'node') {
      return undefined;
    }
    const { trace, node } = element;
    const from = (node.parent?.children ?? trace.model.roots).indexOf(node);
    return from < rowsAtOnce
      ? rowOver(trace, node.parent)
      : { kind: 'more', trace, parent: node.parent, from: from - (from % rowsAtOnce) };
  }

  async #topRows(): Promise<TraceElement[]> {
    const all = this.#traces.list();
    const listing = this.#traces.listing();
    const waiting = this.#traces.waiting().map((message) => ({ kind: 'waiting' as const, message }));
    if (all.length > 0 || waiting.length > 0 || listing !== undefined) {
      this.#items ??= await import('./traceElementItem');
    }
    const fitting = await this.#fitting(all);
    const words = this.#filters.words();
    this.#counted.fire(words === '' ? '' : `${words}: ${fitting.length} of ${all.length}`);
    const before = this.#rows;
    this.#rows = new Map(
      fitting.map((trace) => [
        trace.key,
        Object.assign(before.get(trace.key) ?? { kind: 'trace' as const, trace }, { trace }),
      ]),
    );
    return [
      ...waiting,
      ...this.#rows.values(),
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
    return this.#items?.traceElementItem(element) ?? new vscode.TreeItem('…');
  }
}

function nodeElement(trace: OpenTrace, node: TraceNode): TraceElement {
  return { kind: 'node', trace, node, account: { address: node.account ?? '' } };
}

function rowOver(trace: OpenTrace, parent: TraceNode | undefined): TraceElement {
  return parent === undefined ? { kind: 'trace', trace } : nodeElement(trace, parent);
}

/** At most a page of transactions per level, and a row for the rest. */
function page(trace: OpenTrace, parent: TraceNode | undefined, from: number): TraceElement[] {
  const all = parent?.children ?? trace.model.roots;
  const rows: TraceElement[] = all.slice(from, from + rowsAtOnce).map((node) => nodeElement(trace, node));
  return from + rowsAtOnce < all.length
    ? [...rows, { kind: 'more', trace, parent, from: from + rowsAtOnce }]
    : rows;
}
