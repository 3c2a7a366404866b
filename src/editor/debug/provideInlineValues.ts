import * as vscode from 'vscode';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import { tokenize } from '../../toolkit/contracts/abi/tokenize';
import { functionAt, sourceFunctions } from '../../toolkit/sourceMap/sourceFunctions';

/**
 * The names and fields (`kept.limit`) in the function around the line of a stop, up to that line: the session knows
 * which have values. A line that did not run has none: its names may be others'.
 *
 * @param ran the lines of this file that ran, from 1; undefined if it is not known
 */
export function provideInlineValues(
  document: vscode.TextDocument,
  viewport: vscode.Range,
  { stoppedLocation }: vscode.InlineValueContext,
  ran: ReadonlySet<number> | undefined,
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
  const tokens = tokenize(text, language);
  for (let index = 0; index < tokens.length; index++) {
    const start = tokens[index];
    if (start === undefined || !isName(start.text)) {
      continue;
    }
    let path = start.text;
    while (
      tokens[index + 1]?.text === '.' &&
      isName(tokens[index + 2]?.text) &&
      tokens[index + 3]?.text !== '('
    ) {
      path += `.${tokens[index + 2]?.text ?? ''}`;
      index += 2;
    }
    const at = document.positionAt(start.offset);
    const key = `${at.line} ${path}`;
    if (at.line < first || at.line > last || ran?.has(at.line + 1) === false || seen.has(key)) {
      continue;
    }
    seen.add(key);
    const range = new vscode.Range(at, at.translate(0, path.length));
    values.push(
      path === start.text
        ? new vscode.InlineValueVariableLookup(range, path, true)
        : new vscode.InlineValueEvaluatableExpression(range, path),
    );
  }
  return values;
}

function isName(text: string | undefined): boolean {
  return text !== undefined && /^[A-Za-z_]\w*$/.test(text);
}
