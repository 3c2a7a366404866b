import * as vscode from 'vscode';
import type { ReplayRef, TraceRef, TransactionRef, UndoRef } from '../../commandTargets';
import { tracePageViewType } from '../../contributions';
import { clockTime } from '../../toolkit/base/text';
import type { ComparedPage } from '../../toolkit/trace/page/comparedPage';
import { webviewNotice } from '../ui/webviewHtml';
import type { LiveTraces, TraceServices } from './liveTraces';
import type { OpenTrace } from './openTraces';
import type { PageSubject } from './exportTracePage';
import { detailsOf, replayedSubject, traceSubject } from './exportTracePage';
import { traceTitle } from './traceDocuments';
import { TracePagePanel } from './tracePagePanel';

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

const prefix = 'comparison ';

/** The keys of the traces that a page compares; undefined if it is another page. */
function comparisonTraces(key: string): string[] | undefined {
  return key.startsWith(prefix) ? key.slice(prefix.length).split(' ').map(decodeURIComponent) : undefined;
}

/** The page of two traces. */
function comparisonSubject(
  services: TraceServices,
  firstLeft: OpenTrace,
  firstRight: OpenTrace,
): PageSubject {
  const key = prefix + [firstLeft, firstRight].map((trace) => encodeURIComponent(trace.key)).join(' ');
  const current = (trace: OpenTrace): OpenTrace => services.traces.find(trace.key) ?? trace;
  const sides = (): [left: OpenTrace, right: OpenTrace] => [current(firstLeft), current(firstRight)];
  const undoOf = ({ key: of }: OpenTrace): UndoRef | undefined => services.traces.undoable.get(of);
  let compared: ComparedPage | undefined;
  const nodeAt: PageSubject['at'] = (index) => {
    const [left, right] = sides();
    const pair = index === undefined ? undefined : compared?.pairs[index];
    return pair?.right === undefined && pair?.left !== undefined
      ? { trace: left, node: pair.left }
      : { trace: right, node: pair?.right };
  };
  return {
    key,
    title: () => `${sides().map(traceTitle).join(' and ')}`,
    parts: () => [...sides().map(({ context }) => context), undoOf(sides()[1])],
    page: async () => {
      const { comparedPage } = await import('../../toolkit/trace/page/comparedPage');
      const [left, right] = sides();
      const [name, otherName] = sideNames(left, right, undoOf(right) !== undefined);
      compared = comparedPage(
        { name, context: left.context },
        { name: otherName, context: right.context },
        { key, commands: undoOf(right) === undefined ? ['text'] : ['undo', 'text'] },
      );
      return compared.page;
    },
    at: nodeAt,
    details: async (index) => {
      const { trace, node } = nodeAt(index);
      const side = compared?.pairs[index]?.right === undefined ? 'left' : 'right';
      const context = compared?.contexts[side] ?? trace.context;
      const details = await detailsOf(services, { ...trace, context }, node, false);
      return details && { ...details, node: index };
    },
    run: (command, node) => {
      if (command !== 'text' || node !== undefined) {
        return undefined;
      }
      return import('./compareTracesCommand').then((module) => module.showComparison(services, ...sides()));
    },
  };
}

/** What the traces are called in sentences, by what sets them apart: what they are, else their times. */
function sideNames(left: OpenTrace, right: OpenTrace, isSentAgain: boolean): [left: string, right: string] {
  if (isSentAgain) {
    return ['the trace before', 'the trace sent again'];
  }
  const [one, other] = [left, right].map(nameOf) as [string, string];
  if (one !== other) {
    const isRehearsed = left.status === 'rehearsal' && right.status !== 'rehearsal';
    return isRehearsed ? ['the rehearsal', 'what happened'] : [one, other];
  }
  return left.status === 'rehearsal'
    ? ['the left rehearsal', 'the right rehearsal']
    : ['the left trace', 'the right trace'];
}

function nameOf({ status, model }: OpenTrace): string {
  const time = model.source.start_utime ?? model.nodes[0]?.transaction?.now ?? undefined;
  const noun = status === 'rehearsal' ? 'the rehearsal' : 'the trace';
  return time === undefined ? noun : `${noun} of ${clockTime(time)}`;
}
