import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToTracePage } from '../../src/protocol/tracePage';
import type { PageSubject } from '../../src/editor/traces/exportTracePage';
import { TracePagePanel } from '../../src/editor/traces/tracePagePanel';
import type { TraceServices } from '../../src/editor/traces/liveTraces';
import { TraceContext } from '../../src/toolkit/trace/traceContext';
import { readTraces } from '../../src/toolkit/trace/readTraces';
import { tracePageOf } from '../support/tracePageOf';
import { syntheticTrace, wide } from '../unit/trace/syntheticTrace';

/** A tab that can be hidden, and what it was sent. */
class Tab {
  readonly sent: ToTracePage[] = [];
  visible = true;
  readonly panel: vscode.WebviewPanel;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #messages = new vscode.EventEmitter<unknown>();
  readonly #arrivals = new vscode.EventEmitter<void>();

  constructor() {
    const webview = {
      options: {},
      html: '',
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: this.#messages.event,
      postMessage: (message: ToTracePage) => {
        this.sent.push(message);
        this.#arrivals.fire();
        return Promise.resolve(this.visible);
      },
    };
    const isVisible = (): boolean => this.visible;
    this.panel = {
      webview,
      title: '',
      get visible(): boolean {
        return isVisible();
      },
      onDidChangeViewState: this.#changes.event,
      onDidDispose: () => ({ dispose: () => undefined }),
    } as unknown as vscode.WebviewPanel;
  }

  /** The editor drops the page of a hidden tab, and loads it again when it is shown. */
  show(visible: boolean): void {
    this.visible = visible;
    this.#changes.fire();
    if (visible) {
      this.#messages.fire({ type: 'ready' });
    }
  }

  /** Resolves once so many traces were sent, to how many transactions the last one has. */
  async shown(count: number): Promise<number> {
    const traces = (): ToTracePage[] => this.sent.filter(({ type }) => type === 'show');
    while (traces().length < count) {
      await new Promise<void>((resolve) => {
        const arrival = this.#arrivals.event(() => (arrival.dispose(), resolve()));
      });
    }
    const last = traces().at(-1);
    return last?.type === 'show' ? last.page.nodes.length : 0;
  }
}

/** A trace that grows, as the subject of pages. */
class GrowingTrace {
  count = 1;
  readonly subject: PageSubject;
  #context = contextOf(1);

  constructor() {
    this.subject = {
      key: 'Local/growing',
      title: () => 'growing',
      parts: () => [this.#context],
      page: () => Promise.resolve(tracePageOf(this.#context)),
      at: () => ({
        trace: {
          ...{ key: 'Local/growing', origin: { network: 'Local' }, status: 'following' },
          ...{ model: this.#context.model, context: this.#context },
        },
        node: undefined,
      }),
      details: () => Promise.resolve(undefined),
    };
  }

  grow(): void {
    this.count++;
    this.#context = contextOf(this.count);
  }
}

function contextOf(count: number): TraceContext {
  const [model] = readTraces({ traces: [syntheticTrace(count, wide)] });
  return new TraceContext(model ?? assert.fail());
}

describe('the page of a trace in a hidden tab', () => {
  const services = {
    context: { extensionUri: vscode.Uri.file('/extension') },
    log: { warn: (text: string) => assert.fail(text) },
    traces: {},
    networks: { local: () => ({ name: 'another' }) },
  } as unknown as TraceServices;

  it('is sent nothing while its trace grows, and all of it when it is shown again', async () => {
    const trace = new GrowingTrace();
    const [tab, other] = [new Tab(), new Tab()];
    const pages = [tab, other].map(({ panel }) => new TracePagePanel(services, panel, trace.subject));
    const look = (): void => pages.forEach((page) => page.look());
    tab.show(true);
    other.show(true);
    assert.deepEqual(await Promise.all([tab.shown(1), other.shown(1)]), [1, 1]);

    trace.grow();
    look();
    assert.deepEqual(await Promise.all([tab.shown(2), other.shown(2)]), [2, 2]);

    // Hidden while an update is on its way, and for two more.
    trace.grow();
    look();
    tab.show(false);
    assert.equal(await other.shown(3), 3);
    for (const round of [4, 5]) {
      trace.grow();
      look();
      pages.forEach((page) => page.select({ key: trace.subject.key, index: 1, in: 'tree' }));
      assert.equal(await other.shown(round), round);
    }
    assert.equal(tab.sent.length, 2, JSON.stringify(tab.sent.map(({ type }) => type)));

    tab.show(true);
    assert.equal(await tab.shown(3), 5);
    assert.equal(tab.sent.length, 3);
  });

  it('is sent nothing that was being made when it was hidden', async () => {
    const trace = new GrowingTrace();
    const tab = new Tab();
    let finish = (): void => undefined;
    const making = new Promise<void>((resolve) => (finish = resolve));
    const { page } = trace.subject;
    const subject = { ...trace.subject, page: () => making.then(page) };
    assert.ok(new TracePagePanel(services, tab.panel, subject));
    tab.show(true);
    tab.show(false);
    finish();
    // All that follows the promise has run then.
    await new Promise(setImmediate);
    assert.equal(tab.sent.length, 0);
    tab.show(true);
    assert.equal(await tab.shown(1), 1);
    assert.equal(tab.sent.length, 1);
  });
});
