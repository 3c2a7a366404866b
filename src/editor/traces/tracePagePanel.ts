import * as vscode from 'vscode';
import type { ReplayRef, TransactionRef } from '../../commandTargets';
import { runCommand } from '../../contributions';
import { isFromTracePage } from '../../protocol/tracePage';
import type { FromTracePage, ToTracePage } from '../../protocol/tracePage';
import { errorSentences, toWorkbenchError } from '../../toolkit/base/errors';
import { causeOf } from '../../toolkit/trace/verdict';
import { showError } from '../ui/showError';
import { webviewHtml } from '../ui/webviewHtml';
import { unknownHop } from '../../toolkit/debug/pageHops';
import type { PageQuestion, Selection } from './openTraces';
import type { PageSubject } from './exportTracePage';
import { runPageCommand } from './exportTracePage';
import { findLine } from './traceDocuments';
import type { TraceServices } from './liveTraces';

/** Milliseconds within which changes are combined into one update. */
const throttleMs = 150;

/**
 * The page of a trace in a tab. Nothing is sent while it is hidden: the editor drops a hidden page and loads it again,
 * and then it asks for the newest state.
 */
export class TracePagePanel {
  readonly #services: TraceServices;
  readonly #panel: vscode.WebviewPanel;
  #subject: PageSubject;
  /** The transaction to select when the page is shown next. */
  #wanted: number | undefined;
  #selected: number | undefined;
  #isReady = false;
  #sent: readonly unknown[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(services: TraceServices, panel: vscode.WebviewPanel, subject: PageSubject, index?: number) {
    const { extensionUri } = services.context;
    this.#services = services;
    this.#panel = panel;
    this.#subject = subject;
    this.#wanted = index;
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist/webview')],
    };
    panel.title = subject.title();
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (isFromTracePage(message)) {
        this.#receive(message).catch((error: unknown) => showError(error, services.log));
      }
    });
    panel.onDidChangeViewState(() => {
      this.#isReady &&= panel.visible;
    });
    panel.onDidDispose(() => clearTimeout(this.#timer));
    panel.webview.html = webviewHtml(panel.webview, extensionUri, 'tracePage', 'Trace');
  }

  get key(): string {
    return this.#subject.key;
  }

  /** Shows the tab, with this transaction selected. */
  reveal(index?: number): void {
    this.#panel.reveal();
    if (index !== undefined) {
      this.#wanted = index;
      this.#selectOnPage(index);
    }
  }

  /** Shows something else in the same tab. */
  show(subject: PageSubject, index?: number): void {
    this.#subject = subject;
    this.#wanted = index;
    this.#selected = undefined;
    this.#panel.title = subject.title();
    this.#later();
  }

  /** Something has changed, perhaps what this page shows. */
  look(): void {
    const parts = this.#subject.parts();
    if (this.#isReady && parts.some((part, index) => part !== this.#sent[index])) {
      this.#later();
    }
  }

  /** Selects what was selected in another view. */
  select({ key, index }: Selection): void {
    if (key === this.#subject.key) {
      this.#selectOnPage(index);
    }
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #selectOnPage(node: number): void {
    if (this.#isReady && this.#sent.length > 0) {
      this.#wanted = undefined;
      void this.#post({ type: 'select', node });
    }
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#send().catch((error: unknown) => this.#services.log.warn(String(error)));
    }, throttleMs);
  }

  async #send(): Promise<void> {
    if (!this.#isReady) {
      return;
    }
    const subject = this.#subject;
    const parts = subject.parts();
    this.#sent = parts;
    // The page keeps what is selected in it: a trace that grows has other indexes than when it was selected.
    const selected = this.#wanted;
    this.#wanted = undefined;
    this.#panel.title = subject.title();
    await this.#post({ type: 'show', page: await subject.page(), selected });
    const { trace } = subject.at();
    // The verdict then names the line.
    void findLine(this.#services, this.#services.traces, trace, causeOf(trace.model));
  }

  async #receive(message: FromTracePage): Promise<void> {
    const subject = this.#subject;
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        await this.#send();
        return;
      case 'select':
        this.#announce(message.node);
        await this.#sendDetails(message.node);
        return;
      case 'look':
        await this.#sendDetails(message.node);
        return;
      case 'run': {
        const { trace, node } = subject.at(message.node < 0 ? undefined : message.node);
        await (subject.run?.(message.command, node) ??
          runPageCommand(this.#services, trace, message.command, node));
        return;
      }
      case 'step':
        await this.#sendStep(message.node, message.step);
        return;
      case 'openStep': {
        const { steps } = this.#services.traces;
        const target = this.#stepsOf(message.node);
        if (steps !== undefined && target !== undefined) {
          await (message.in === 'source'
            ? steps.showLine(target, message.step)
            : steps.debug(target, message.step));
        }
        return;
      }
      case 'ask':
        await this.#answer(message.node, message);
        return;
      case 'openHop': {
        const target = this.#stepsOf(message.node);
        await (target && this.#services.traces.steps?.debug(target, message.step, message.thread));
        return;
      }
      case 'openAccount':
        await runCommand(vscode.commands, 'tonWorkbench.openAccount', message.account);
        return;
      case 'export': {
        const { exportTracePage } = await import('./exportTracePage');
        await exportTracePage(this.#services, subject, message);
        return;
      }
    }
  }

  #announce(index: number): void {
    const { trace, node } = this.#subject.at(index);
    if (node !== undefined) {
      this.#services.traces.select({ key: trace.key, index: node.index, in: 'page' });
    }
  }

  async #sendDetails(index: number): Promise<void> {
    const subject = this.#subject;
    const { trace, node } = subject.at(index);
    if (node === undefined) {
      return;
    }
    this.#selected = index;
    const details = await subject.details(index);
    if (details !== undefined && this.#selected === index && this.#subject === subject) {
      await this.#post({ type: 'details', details });
      const isKnown = trace.context.thrownLine(node) !== undefined;
      const isFound = await findLine(this.#services, this.#services.traces, trace, node);
      if (isFound && !isKnown && this.#selected === index) {
        await this.#sendDetails(index);
      }
    }
  }

  /** What the steps of a transaction are those of. */
  #stepsOf(index: number): TransactionRef | ReplayRef | undefined {
    const { trace, node } = this.#subject.at(index);
    return this.#subject.replay ?? (node === undefined ? undefined : { key: trace.key, index: node.index });
  }

  async #sendStep(node: number, step: number | undefined): Promise<void> {
    const target = this.#stepsOf(node);
    const { steps } = this.#services.traces;
    if (steps === undefined || target === undefined) {
      return;
    }
    try {
      await this.#post({ type: 'step', step: await steps.read(target, node, step) });
    } catch (error) {
      await this.#post({ type: 'noStep', node, reason: errorSentences(toWorkbenchError(error)) });
    }
  }

  /** Whatever happens, there is an answer: the page waits for one. */
  async #answer(node: number, { question, step }: Pick<PageQuestion, 'question' | 'step'>): Promise<void> {
    const target = this.#stepsOf(node);
    const { trace, node: shown } = this.#subject.at(node);
    const { steps } = this.#services.traces;
    const message = shown?.message;
    const asked: PageQuestion = {
      ...{ question, step },
      body: message == null ? undefined : trace.context.body(message),
      balance: shown?.transaction?.account_state_after?.balance ?? undefined,
    };
    const hops =
      steps === undefined || target === undefined
        ? [unknownHop('this transaction cannot be run again here')]
        : await steps
            .ask(target, asked)
            .catch((error: unknown) => [unknownHop(errorSentences(toWorkbenchError(error)))]);
    await this.#post({ type: 'origin', origin: { node, question, step, hops } });
  }

  /** What took a while may come after the page was hidden. */
  async #post(message: ToTracePage): Promise<void> {
    if (!this.#isReady) {
      return;
    }
    await this.#panel.webview.postMessage(message);
  }
}
