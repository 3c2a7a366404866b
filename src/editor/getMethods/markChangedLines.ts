import * as vscode from 'vscode';

/** As the toolkit marks a change in the text (markChanges.ts). */
const mark = '←';
let decoration: vscode.TextEditorDecorationType | undefined;

/** Gives the lines that have changed since the last answer the colour of an inserted line. */
export function markChangedLines(editor: vscode.TextEditor): void {
  decoration ??= vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
  });
  const ranges: vscode.Range[] = [];
  for (let line = 0; line < editor.document.lineCount; line++) {
    const { text, range } = editor.document.lineAt(line);
    if (text.includes(`  ${mark}`)) {
      ranges.push(range);
    }
  }
  editor.setDecorations(decoration, ranges);
}
