import * as vscode from 'vscode';
import { debugType } from '../../contributions';
import type { ExecutedLinesBody } from '../../toolkit/debug/inspectionRequests';
import type { TonDebugSession } from '../../toolkit/debug/tonDebugSession';

/** A session and the thread in it that is looked at. */
interface Shown {
  session: vscode.DebugSession;
  thread: number;
}

/** A line that ran, and how often. */
interface ExecutedLine {
  range: vscode.Range;
  times: number;
}

/**
 * A bar before the lines that the execution ran which is chosen in the call stack, and behind those that ran more than once
 * how often, until its session ends.
 */
export class ExecutedLines implements vscode.Disposable {
  readonly #mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderStyle: 'solid',
    borderWidth: '0 0 0 3px',
    borderColor: new vscode.ThemeColor('charts.blue'),
    overviewRulerColor: new vscode.ThemeColor('charts.blue'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  readonly #count = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 2em' },
  });
  readonly #parts = vscode.Disposable.from(
    this.#mark,
    this.#count,
    vscode.debug.onDidChangeActiveStackItem((item) => this.follow(item)),
    vscode.debug.onDidTerminateDebugSession((session) => {
      if (session === this.#shown?.session) {
        this.#show(undefined, []);
      }
    }),
    vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
  );
  #shown: Shown | undefined;
  #lines = new Map<string, readonly ExecutedLine[]>();

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
      files.map(({ path, lines, times }) => [
        path,
        lines.map((line, index) => ({
          range: new vscode.Range(line - 1, 0, line - 1, 0),
          times: times[index] ?? 0,
        })),
      ]),
    );
    this.#draw();
  }

  #draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { uri } = editor.document;
      const lines = uri.scheme === 'file' ? (this.#lines.get(uri.fsPath) ?? []) : [];
      editor.setDecorations(
        this.#mark,
        lines.map(({ range }) => range),
      );
      editor.setDecorations(
        this.#count,
        lines.flatMap(({ range, times }) => (times > 1 ? [countAt(editor.document, range, times)] : [])),
      );
    }
  }
}

/** `×3` at the end of a line. */
function countAt(
  document: vscode.TextDocument,
  { start }: vscode.Range,
  times: number,
): vscode.DecorationOptions {
  const { line } = document.validatePosition(start);
  const { end } = document.lineAt(line).range;
  return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: `×${times}` } } };
}
