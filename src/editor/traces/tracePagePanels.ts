import * as vscode from 'vscode';
import type { ReplayRef, TraceRef, TransactionRef } from '../../commandTargets';
import { webviewNotice } from '../ui/webviewHtml';
import { tracePageViewType } from '../../contributions';
import { comparisonSubject, comparisonTraces } from './comparisonSubject';
import type { LiveTraces } from './liveTraces';
import type { OpenTrace } from './openTraces';
import { replayedSubject, traceSubject } from './pageSubject';
import type { PageSubject } from './pageSubject';
import { TracePagePanel } from './tracePagePanel';
import type { TraceServices } from './traceServices';

/**
 * The pages of traces. A row's click shows its trace in one tab for all rows; a page that is asked for by name has a tab
 * of its own.
 */
export class TracePagePanels implements vscode.Disposable {
  readonly #services: TraceServices;
  readonly #live: LiveTraces;
  readonly #panels = new Set<TracePagePanel>();
  /** The tab for the rows that are clicked. */
  #passing: TracePagePanel | undefined;
  readonly #subscription: vscode.Disposable;

  constructor(services: TraceServices, live: LiveTraces) {
    const { traces } = services;
    this.#services = services;
    this.#live = live;
    const look = (): void => this.#panels.forEach((panel) => panel.look());
    this.#subscription = vscode.Disposable.from(
      traces.onDidChange(look),
      live.onDidChange(look),
      traces.onDidSelect((selection) => {
        if (selection.in !== 'page') {
          this.#panels.forEach((panel) => panel.select(selection));
        }
      }),
    );
  }

  /** Shows the page of a trace, of the trace of a transaction, or of a replay with changes. */
  async open(
    ref: TraceRef | TransactionRef | ReplayRef,
    { isPassing = false }: { isPassing?: boolean | undefined } = {},
  ): Promise<void> {
    if ('replay' in ref) {
      const replayed = await this.#services.traces.replayed?.(ref.replay);
      if (replayed !== undefined) {
        this.#show(replayedSubject(this.#services, ref.replay, replayed), undefined, isPassing);
      }
      return;
    }
    const trace = await this.#services.traces.load(ref.key);
    if (trace !== undefined) {
      const index = 'index' in ref ? ref.index : undefined;
      this.#show(traceSubject(this.#services, this.#live, trace), index, isPassing);
    }
  }

  /** Shows two traces in one picture. */
  compare(left: OpenTrace, right: OpenTrace): void {
    this.#show(comparisonSubject(this.#services, left, right), undefined, false);
  }

  /** Fills a tab that was open when the window was last loaded. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const key = (state as { key?: unknown } | null | undefined)?.key;
    const subject = typeof key === 'string' ? await this.#subjectOf(key) : undefined;
    if (subject === undefined) {
      panel.webview.html = webviewNotice(
        'This trace is no longer in the list. Rehearsals and traces from files are gone when the window reloads; open it again from Traces.',
      );
      return;
    }
    this.#keep(panel, subject);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#panels.forEach((panel) => panel.dispose());
  }

  #show(subject: PageSubject, index: number | undefined, isPassing: boolean): void {
    const known = [...this.#panels].find(({ key }) => key === subject.key);
    if (known !== undefined) {
      known.reveal(index);
      return;
    }
    if (isPassing && this.#passing !== undefined) {
      this.#passing.show(subject, index);
      this.#passing.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      tracePageViewType,
      subject.title(),
      vscode.ViewColumn.Active,
    );
    const kept = this.#keep(panel, subject, index);
    if (isPassing) {
      this.#passing = kept;
    }
  }

  #keep(panel: vscode.WebviewPanel, subject: PageSubject, index?: number): TracePagePanel {
    const { extensionUri } = this.#services.context;
    // An icon in a tab cannot use a theme color.
    panel.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, 'media/ton-light.svg'),
      dark: vscode.Uri.joinPath(extensionUri, 'media/ton-dark.svg'),
    };
    const kept = new TracePagePanel(this.#services, panel, subject, index);
    this.#panels.add(kept);
    panel.onDidDispose(() => {
      this.#panels.delete(kept);
      if (this.#passing === kept) {
        this.#passing = undefined;
      }
    });
    return kept;
  }

  /** A page of an earlier window, if its traces can be found again. */
  async #subjectOf(key: string): Promise<PageSubject | undefined> {
    try {
      const { traces } = this.#services;
      const [left, right] = await Promise.all(
        (comparisonTraces(key) ?? [key]).map((one) => traces.load(one)),
      );
      if (left === undefined) {
        return undefined;
      }
      return comparisonTraces(key) === undefined
        ? traceSubject(this.#services, this.#live, left)
        : right && comparisonSubject(this.#services, left, right);
    } catch (error) {
      this.#services.log.debug(`a trace's page was not restored: ${String(error)}`);
      return undefined;
    }
  }
}
