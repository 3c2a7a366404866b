import * as vscode from 'vscode';
import { documentScheme } from '../../contributions';

/** As the toolkit marks a change in the text (markChanges.ts). */
const mark = '  ←';
let decoration: vscode.TextEditorDecorationType | undefined;

/** Gives the lines that have changed since the last answer the colour of an inserted line, now and after each update. */
export function markChangedLines(context: vscode.ExtensionContext, editor: vscode.TextEditor): void {
  if (decoration === undefined) {
    decoration = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
    });
    context.subscriptions.push(
      decoration,
      // The new text of an open document arrives after it has been shown.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === documentScheme) {
          vscode.window.visibleTextEditors.filter((one) => one.document === document).forEach(decorate);
        }
      }),
    );
  }
  decorate(editor);
}

function decorate(editor: vscode.TextEditor): void {
  if (decoration === undefined || !editor.document.uri.path.startsWith('/get-method/')) {
    return;
  }
  const lines = Array.from({ length: editor.document.lineCount }, (_, line) => editor.document.lineAt(line));
  editor.setDecorations(
    decoration,
    lines.filter(({ text }) => text.includes(mark)).map(({ range }) => range),
  );
}
