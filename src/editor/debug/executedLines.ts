import * as vscode from 'vscode';
import { debugType } from '../../contributions';
import type { ExecutedLinesBody } from '../../toolkit/debug/inspectionRequests';
import type { TonDebugSession } from '../../toolkit/debug/tonDebugSession';

/** A session and the thread in it that is looked at. */
interface Shown {
  session: vscode.DebugSession;
  thread: number;
}

/** A bar before the lines that the execution ran which is chosen in the call stack, until its session ends. */
export class ExecutedLines implements vscode.Disposable {
  readonly #mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderStyle: 'solid',
    borderWidth: '0 0 0 3px',
    borderColor: new vscode.ThemeColor('charts.blue'),
    overviewRulerColor: new vscode.ThemeColor('charts.blue'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  readonly #parts = vscode.Disposable.from(
    this.#mark,
    vscode.debug.onDidChangeActiveStackItem((item) => this.follow(item)),
    vscode.debug.onDidTerminateDebugSession((session) => {
      if (session === this.#shown?.session) {
        this.#show(undefined, []);
      }
    }),
    vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
  );
  #shown: Shown | undefined;
  #lines = new Map<string, readonly vscode.Range[]>();

  /** @param sessions those of this window, by id */
  constructor(private readonly sessions: ReadonlyMap<string, TonDebugSession>) {}

  /** Shows the lines of what is chosen in the call stack. Between two stops nothing is chosen. */
  follow(item: vscode.DebugThread | vscode.DebugStackFrame | undefined): void {
    if (item === undefined) {
      return;
    }
    const { session, threadId: thread } = item;
    if (session.type !== debugType) {
      this.#show(undefined, []);
    } else if (session !== this.#shown?.session || thread !== this.#shown.thread) {
      this.#show({ session, thread }, this.sessions.get(session.id)?.executedLines(thread) ?? []);
    }
  }

  dispose(): void {
    this.#parts.dispose();
  }

  #show(shown: Shown | undefined, files: ExecutedLinesBody['files']): void {
    this.#shown = shown;
    this.#lines = new Map(
      files.map(({ path, lines }) => [path, lines.map((line) => new vscode.Range(line - 1, 0, line - 1, 0))]),
    );
    this.#draw();
  }

  #draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { uri } = editor.document;
      editor.setDecorations(this.#mark, uri.scheme === 'file' ? (this.#lines.get(uri.fsPath) ?? []) : []);
    }
  }
}
