import * as vscode from 'vscode';
import { lineMatches } from '../../toolkit/trace/traceFilter';
import type { ListedLine } from '../../toolkit/trace/liveLines';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { accountName } from '../project/accountName';
import type { LazyTree } from '../ui/registerCommands';
import type { LiveTraces, TraceServices } from './liveTraces';
import type { OpenTrace, Selection } from './openTraces';
import { rowsAtOnce } from './openTraces';
import type { TraceElement, TraceRowElement } from './traceElementItem';
import { UndoneDecorations, traceElementItem } from './traceElementItem';
import type { TraceFilters } from './traceFilters';
import { listedRow, traceRows } from './traceRows';

/** Milliseconds to wait for a row after its message was sent. */
const revealWithinMs = 30_000;

/** The view's code beyond its first empty state: rows, selection, and the badge for new failures. */
export class TracesView implements vscode.Disposable {
  readonly #services: TraceServices;
  readonly #view: vscode.TreeView<TraceElement>;
  readonly #tree: TracesTree;
  readonly #live: LiveTraces;
  readonly #subscription: vscode.Disposable;
  /** Failures that the user has not seen in the list yet. */
  #unseen = 0;
  /** A sent message whose row should be revealed. */
  #awaited: { hash: string; until: number } | undefined;

  constructor(
    services: TraceServices,
    rows: LazyTree<TraceElement>,
    live: LiveTraces,
    filters: TraceFilters,
  ) {
    const { traces } = services;
    const { view } = rows;
    const tree = new TracesTree(services, live, filters);
    const revealing = new Set<TraceNode>();
    this.#services = services;
    this.#view = view;
    this.#tree = tree;
    this.#live = live;
    this.#subscription = vscode.Disposable.from(
      tree,
      vscode.window.registerFileDecorationProvider(new UndoneDecorations()),
      tree.onDidCount((words) => {
        view.description = words;
      }),
      view.onDidChangeVisibility(() => this.#look()),
      view.onDidChangeSelection(({ selection: [element] }) => {
        if (element?.kind === 'node' && !revealing.has(element.node)) {
          traces.select({ key: element.trace.key, index: element.node.index, in: 'tree' });
        }
      }),
      traces.onDidSelect(async (selection) => {
        const element = tree.elementOf(selection);
        if (selection.in !== 'tree' && view.visible && element?.kind === 'node') {
          // A row that is selected because another view selected it says nothing new, and perhaps too late.
          revealing.add(element.node);
          try {
            await view.reveal(element, { select: true, focus: false });
          } finally {
            revealing.delete(element.node);
          }
        }
      }),
      traces.onDidSend((hash) => {
        this.#awaited = { hash, until: Date.now() + revealWithinMs };
        void this.#reveal();
      }),
      tree.onDidShow(() => void this.#reveal()),
      live.onDidChange((fresh) => {
        this.#count(fresh);
        void this.#reveal();
      }),
    );
    rows.attach(tree);
    this.#look();
  }

  /** Shows more of the traces already known. */
  showMore(): void {
    this.#tree.showMore();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #look(): void {
    this.#live.watch(this.#view.visible || this.#awaited !== undefined);
    if (this.#view.visible) {
      this.#unseen = 0;
      this.#view.badge = undefined;
    }
  }

  #count(fresh: readonly ListedLine[]): void {
    if (this.#view.visible) {
      return;
    }
    this.#unseen += fresh.filter(({ status }) => status === 'failed').length;
    const words = `${this.#unseen} failed on the local network`;
    this.#view.badge = this.#unseen === 0 ? undefined : { value: this.#unseen, tooltip: words };
  }

  /** Selects the row of the sent message; the focus stays where it is. */
  async #reveal(): Promise<void> {
    const awaited = this.#awaited;
    if (awaited === undefined) {
      return;
    }
    const line = this.#live.findByHash(awaited.hash);
    const row = line && (this.#view.visible ? this.#tree.rowOf(line.key) : this.#tree.newRow(line));
    if (row !== undefined || awaited.until < Date.now()) {
      this.#awaited = undefined;
    }
    this.#look();
    if (row !== undefined) {
      await this.#view
        .reveal(row, { select: true, focus: false })
        .then(undefined, (error: unknown) =>
          this.#services.log.debug(`a row was not shown: ${String(error)}`),
        );
    }
  }
}

/** Milliseconds within which changes are combined into one refresh. */
const debounceMs = 80;

/** The rows of the view "Traces": a row per trace, its transactions below; failed ones are expanded down to the cause. */
class TracesTree implements vscode.TreeDataProvider<TraceElement>, vscode.Disposable {
  readonly #services: TraceServices;
  readonly #live: LiveTraces;
  readonly #filters: TraceFilters;
  readonly #changed = new vscode.EventEmitter<TraceElement[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #counted = new vscode.EventEmitter<string>();
  /** The filter as text, and how many traces match; empty without a filter. */
  readonly onDidCount = this.#counted.event;
  readonly #shown = new vscode.EventEmitter<void>();
  /** Fires when the editor has read the rows. */
  readonly onDidShow = this.#shown.event;
  readonly #subscription: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  /** Keys of traces changed since the last refresh; undefined if the list itself changed. */
  #grown: Set<string> | undefined = new Set();
  /** The row objects of traces that the editor knows. */
  #rows = new Map<string, TraceRowElement>();
  #most = rowsAtOnce;
  #nameOf: (address: string) => string | undefined = () => undefined;

  constructor(services: TraceServices, live: LiveTraces, filters: TraceFilters) {
    this.#services = services;
    this.#live = live;
    this.#filters = filters;
    this.#subscription = vscode.Disposable.from(
      services.traces.onDidChange((trace) => this.#refresh(trace)),
      live.onDidChange(() => this.#refresh()),
      filters.onDidChange(() => this.#refresh()),
    );
  }

  /** Shows more of the traces already known. */
  showMore(): void {
    this.#most += rowsAtOnce;
    this.#refresh();
  }

  /** The row of a trace, once it is in the list. */
  rowOf(key: string): TraceRowElement | undefined {
    return this.#rows.get(key);
  }

  /** The row of a trace that the editor has not asked for, because the list is not visible. */
  newRow(line: ListedLine): TraceRowElement {
    const row = this.#rows.get(line.key) ?? listedRow(line, this.#services.traces.find(line.key));
    this.#rows.set(line.key, row);
    return row;
  }

  /** The row of a transaction. */
  elementOf({ key, index }: Selection): TraceElement | undefined {
    const trace = this.#services.traces.find(key);
    const node = trace?.model.nodes[index];
    return trace === undefined || node === undefined ? undefined : nodeElement(trace, node);
  }

  async getChildren(element?: TraceElement): Promise<TraceElement[]> {
    switch (element?.kind) {
      case undefined:
        return this.#topRows();
      case 'waiting':
      case 'older':
      case 'olderOfAccount':
        return [];
      case 'more':
        return page(element.trace, element.parent, element.from);
      case 'node':
        return page(element.trace, element.node, 0);
      case 'rehearsal':
        return page(element.trace, undefined, 0);
      case 'trace': {
        const trace = element.trace ?? (await this.#services.traces.load(element.key));
        const { rehearsal } = element;
        return [
          ...(rehearsal === undefined
            ? []
            : [{ kind: 'rehearsal' as const, key: rehearsal.key, of: element, trace: rehearsal }]),
          ...(trace === undefined ? [] : page(trace, undefined, 0)),
        ];
      }
    }
  }

  /** Needed to reveal a row. */
  getParent(element: TraceElement): TraceElement | undefined {
    if (element.kind === 'more') {
      const { trace, parent, from } = element;
      return from > rowsAtOnce ? { ...element, from: from - rowsAtOnce } : this.#rowOver(trace, parent);
    }
    if (element.kind === 'rehearsal') {
      return element.of;
    }
    if (element.kind !== 'node') {
      return undefined;
    }
    const { trace, node } = element;
    const from = (node.parent?.children ?? trace.model.roots).indexOf(node);
    return from < rowsAtOnce
      ? this.#rowOver(trace, node.parent)
      : { kind: 'more', trace, parent: node.parent, from: from - (from % rowsAtOnce) };
  }

  getTreeItem(element: TraceElement): vscode.TreeItem {
    return traceElementItem(element, {
      name: this.#nameOf,
      localName: this.#services.networks.local().name,
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#counted.dispose();
    this.#shown.dispose();
  }

  #refresh(trace?: OpenTrace): void {
    this.#grown = trace === undefined ? undefined : this.#grown?.add(trace.key);
    this.#timer ??= setTimeout(() => this.#show(), debounceMs);
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
      const trace = this.#services.traces.find(key);
      return row === undefined || trace === undefined
        ? []
        : [Object.assign(row, { trace, line: this.#live.lineOf(trace) })];
    });
    if (grown === undefined || rows.length < grown.size) {
      this.#changed.fire(undefined);
    } else if (rows.length > 0) {
      this.#changed.fire(rows);
    }
  }

  #topRows(): TraceElement[] {
    const { traces } = this.#services;
    this.#nameOf = accountName(this.#services);
    const listing = traces.listing();
    const filter = { ...this.#filters.value(), account: listing?.account };
    const isShown = (line: ListedLine): boolean =>
      this.#filters.isEmpty() || lineMatches(line, this.#live.whole(line.key)?.context, filter);
    const { rows, shown, all } = traceRows({ traces, live: this.#live, isShown, most: this.#most });
    const words = this.#filters.words();
    this.#counted.fire(words === '' ? '' : `${words}: ${shown} of ${all}`);
    const before = this.#rows;
    this.#rows = new Map();
    const kept = rows.map((row) => {
      if (row.kind !== 'trace') {
        return row;
      }
      const same = Object.assign(before.get(row.key) ?? row, row);
      this.#rows.set(row.key, same);
      return same;
    });
    this.#shown.fire();
    return [
      ...traces.waiting().map((message) => ({ kind: 'waiting' as const, message })),
      ...kept,
      ...(listing?.hasMore === true ? [{ kind: 'olderOfAccount' as const, listing }] : []),
    ];
  }

  #rowOver(trace: OpenTrace, parent: TraceNode | undefined): TraceElement | undefined {
    if (parent !== undefined) {
      return nodeElement(trace, parent);
    }
    const folded = [...this.#rows.values()].find(({ rehearsal }) => rehearsal?.key === trace.key);
    return folded === undefined
      ? this.#rows.get(trace.key)
      : { kind: 'rehearsal', key: trace.key, of: folded, trace };
  }
}

function nodeElement(trace: OpenTrace, node: TraceNode): TraceElement {
  return { kind: 'node', trace, node, account: { address: node.account ?? '' } };
}

/** At most a page of transactions per level, and a row for the rest. */
function page(trace: OpenTrace, parent: TraceNode | undefined, from: number): TraceElement[] {
  const all = parent?.children ?? trace.model.roots;
  const rows: TraceElement[] = all.slice(from, from + rowsAtOnce).map((node) => nodeElement(trace, node));
  return from + rowsAtOnce < all.length
    ? [...rows, { kind: 'more', trace, parent, from: from + rowsAtOnce }]
    : rows;
}
