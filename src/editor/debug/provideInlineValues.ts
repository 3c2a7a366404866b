import * as vscode from 'vscode';
import { sourceLanguage } from '../../toolkit/abi/sourceReadings';
import { tokenize } from '../../toolkit/abi/sourceTokens';
import { functionAt, sourceFunctions } from '../../toolkit/sourceMap/sourceFunctions';

/** The names in the function around the line of a stop, up to that line: the session knows which have values. */
export function provideInlineValues(
  document: vscode.TextDocument,
  viewport: vscode.Range,
  { stoppedLocation }: vscode.InlineValueContext,
): vscode.InlineValue[] {
  const language = sourceLanguage(document.uri.path);
  if (language === undefined) {
    return [];
  }
  const text = document.getText();
  const last = stoppedLocation.end.line;
  const around = functionAt(sourceFunctions('', text, language), last + 1);
  const first = Math.max(viewport.start.line, (around?.line ?? last + 1) - 1);
  const seen = new Set<string>();
  const values: vscode.InlineValue[] = [];
  for (const token of tokenize(text, language)) {
    const at = document.positionAt(token.offset);
    if (at.line < first || at.line > last || !/^[A-Za-z_]\w*$/.test(token.text)) {
      continue;
    }
    const key = `${at.line} ${token.text}`;
    if (!seen.has(key)) {
      seen.add(key);
      const range = new vscode.Range(at, at.translate(0, token.text.length));
      values.push(new vscode.InlineValueVariableLookup(range, token.text, true));
    }
  }
  return values;
}
