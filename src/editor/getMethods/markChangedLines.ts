import * as vscode from 'vscode';
import { documentScheme } from '../../contributions';
import type { Services } from '../services';

/** The decoration of each window's services. */
const marks = new WeakMap<Services, vscode.TextEditorDecorationType>();

/** Gives the lines that have changed since the last answer the color of an inserted line, now and after each update. */
export function markChangedLines(services: Services, editor: vscode.TextEditor): void {
  let mark = marks.get(services);
  if (mark === undefined) {
    const made = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
    });
    mark = made;
    marks.set(services, made);
    services.context.subscriptions.push(
      made,
      // The new text of an open document arrives after it has been shown.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        for (const one of vscode.window.visibleTextEditors.filter((shown) => shown.document === document)) {
          decorate(services, one, made);
        }
      }),
    );
  }
  decorate(services, editor, mark);
}

function decorate(
  { documents }: Services,
  editor: vscode.TextEditor,
  mark: vscode.TextEditorDecorationType,
): void {
  const { uri, lineCount } = editor.document;
  const shown = uri.scheme === documentScheme ? documents.find(uri.path.slice(1)) : undefined;
  // Only what was marked when it was described; other results have marks of their own.
  if (shown?.result === undefined) {
    return;
  }
  const changed = (shown.lines ?? []).flatMap(({ isChanged }, line) => (isChanged === true ? [line] : []));
  editor.setDecorations(
    mark,
    changed.filter((line) => line < lineCount).map((line) => editor.document.lineAt(line).range),
  );
}
