import * as vscode from 'vscode';
import type { ListedLine } from '../../toolkit/trace/liveLines';
import type { LazyTree } from '../ui/lazyTree';
import type { LiveTraces } from './liveTraces';
import type { TraceElement } from './traceElement';
import type { TraceFilters } from './traceFilters';
import { TracesTree } from './tracesTree';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import type { TraceServices } from './traceServices';
import { UndoneDecorations } from './undoneDecorations';

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
