import * as vscode from 'vscode';
import type { TraceRef } from '../../commandArguments';
import { isFromTraceGraph } from '../../protocol/traceGraph';
import type { FromTraceGraph, ToTraceGraph } from '../../protocol/traceGraph';
import type { Services } from '../services';
import { showError } from '../ui/showError';
import { webviewHtml } from '../ui/webviewHtml';
import type { OpenTrace, OpenTraces } from './openTraces';
import { copyTrace, showTransaction, traceTitle } from './traceDocuments';

const viewType = 'tonWorkbench.traceGraph';

/**
 * The graphs of traces, one panel per trace: a panel is updated as its trace grows, and opens what is
 * selected in it.
 */
export class TraceGraphPanels implements vscode.Disposable {
  readonly #services: Services;
  readonly #traces: OpenTraces;
  readonly #panels = new Map<string, vscode.WebviewPanel>();
  readonly #subscription: vscode.Disposable;

  constructor(services: Services, traces: OpenTraces) {
    this.#services = services;
    this.#traces = traces;
    this.#subscription = vscode.Disposable.from(
      traces.onDidChange((trace) => {
        for (const key of trace === undefined ? this.#panels.keys() : [trace.key]) {
          this.#send(key).catch((error: unknown) => this.#services.log.warn(String(error)));
        }
      }),
      traces.onDidSelect((selection) => {
        if (selection.in !== 'graph') {
          const message: ToTraceGraph = { type: 'select', node: selection.index };
          void this.#panels.get(selection.key)?.webview.postMessage(message);
        }
      }),
    );
  }

  /** Shows the graph beside the editor. */
  open(ref: TraceRef): void {
    const trace = this.#traces.find(ref.key);
    const known = this.#panels.get(ref.key);
    if (trace === undefined || known !== undefined) {
      known?.reveal();
      return;
    }
    const { extensionUri } = this.#services.context;
    const panel = vscode.window.createWebviewPanel(
      viewType,
      `Graph of ${traceTitle(trace)}`,
      vscode.ViewColumn.Active,
      {
        enableScripts: true,
        localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist/webview')],
      },
    );
    // An icon in a tab cannot use a theme color.
    panel.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, 'media/ton-light.svg'),
      dark: vscode.Uri.joinPath(extensionUri, 'media/ton-dark.svg'),
    };
    panel.webview.html = webviewHtml(panel.webview, extensionUri, 'traceGraph', 'Trace graph');
    this.#panels.set(ref.key, panel);
    panel.onDidDispose(() => {
      this.#panels.delete(ref.key);
    });
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (isFromTraceGraph(message)) {
        this.#receive(ref.key, message).catch((error: unknown) => showError(error, this.#services.log));
      }
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const panel of this.#panels.values()) {
      panel.dispose();
    }
  }

  async #receive(key: string, message: FromTraceGraph): Promise<void> {
    switch (message.type) {
      case 'ready':
        await this.#send(key);
        return;
      case 'select':
        this.#traces.select({ key, index: message.node, in: 'graph' });
        return;
      case 'open':
        await showTransaction(this.#services, this.#traces, { key, index: message.node }, true);
        return;
      case 'export':
        await (message.format === 'svg'
          ? saveText('svg', message.text)
          : copyTrace(this.#traces, { key, as: message.format }));
        return;
    }
  }

  async #send(key: string): Promise<void> {
    const trace: OpenTrace | undefined = this.#traces.find(key);
    const panel = this.#panels.get(key);
    if (trace === undefined || panel === undefined) {
      return;
    }
    const { traceGraph } = await import('../../toolkit/trace/traceGraph');
    const selection = this.#traces.selection();
    const selected = selection?.key === key ? selection.index : undefined;
    const message: ToTraceGraph = { type: 'show', graph: traceGraph(trace.context), selected };
    await panel.webview.postMessage(message);
  }
}

async function saveText(extension: string, text: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: 'Export Graph',
    filters: { Picture: [extension] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, `trace.${extension}`) }),
  });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, Buffer.from(text));
  }
}
