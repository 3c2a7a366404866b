import * as vscode from 'vscode';
import { documentScheme } from '../../contributions';
import { perWindow } from '../networks/perWindow';
import type { Services } from '../services';

/** One decoration per window. */
const markOf = perWindow((services: Services) => {
  const mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
  });
  services.context.subscriptions.push(
    mark,
    // An open document gets its new text only after it has been shown.
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      for (const one of vscode.window.visibleTextEditors.filter((shown) => shown.document === document)) {
        decorate(services, one, mark);
      }
    }),
  );
  return mark;
});

/** Highlights the lines that changed since the last answer like inserted lines, now and after each update. */
export function markChangedLines(services: Services, editor: vscode.TextEditor): void {
  decorate(services, editor, markOf(services));
}

function decorate(
  { documents }: Services,
  editor: vscode.TextEditor,
  mark: vscode.TextEditorDecorationType,
): void {
  const { uri, lineCount } = editor.document;
  const shown = uri.scheme === documentScheme ? documents.find(uri.path.slice(1)) : undefined;
  // Marks only lines flagged by the description; other results have their own marks.
  if (shown?.result === undefined) {
    return;
  }
  const changed = (shown.lines ?? []).flatMap(({ isChanged }, line) => (isChanged === true ? [line] : []));
  editor.setDecorations(
    mark,
    changed.filter((line) => line < lineCount).map((line) => editor.document.lineAt(line).range),
  );
}
