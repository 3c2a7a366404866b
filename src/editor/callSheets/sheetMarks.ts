import * as vscode from 'vscode';
import type { CallOutcome } from '../../toolkit/workflows/runCallSheet';
import { parsedSheet } from './parsedSheets';
import { rangeOf } from './sheetDiagnostics';
import type { SheetRuns } from './sheetRuns';
import { exitFact, gasFact } from '../../toolkit/getMethods/resultFacts';

/** Shows the results of calls at the end of their lines in the sheet. */
export class SheetMarks implements vscode.Disposable {
  readonly #runs: SheetRuns;
  readonly #passed = markType('charts.green');
  readonly #failed = markType('charts.red');

  constructor(runs: SheetRuns) {
    this.#runs = runs;
  }

  dispose(): void {
    this.#passed.dispose();
    this.#failed.dispose();
  }

  update(document: vscode.TextDocument): void {
    const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
    if (editors.length === 0) {
      return;
    }
    const passed: vscode.DecorationOptions[] = [];
    const failed: vscode.DecorationOptions[] = [];
    for (const call of parsedSheet(document).calls) {
      const last = this.#runs.last(document, call);
      if (last === undefined) {
        continue;
      }
      const hasAnswered = last.result !== undefined;
      const lines = [
        {
          place: call,
          ok: hasAnswered && !last.failures.some((text) => last.checks.every((one) => one.failure !== text)),
          text: factsOf(last),
        },
        ...last.checks.map(({ expectation, failure, actual }) => ({
          place: expectation,
          ok: failure === undefined,
          text: failure === undefined ? '' : actual === undefined ? 'no such entry' : `is ${shorten(actual)}`,
        })),
      ];
      for (const { place, ok, text } of lines) {
        const { end } = rangeOf(document, place);
        const line = document.lineAt(end.line).range.end;
        (ok ? passed : failed).push({
          range: new vscode.Range(line, line),
          renderOptions: { after: { contentText: `${ok ? '✓' : '✗'} ${text}`.trim() } },
        });
      }
    }
    for (const editor of editors) {
      editor.setDecorations(this.#passed, passed);
      editor.setDecorations(this.#failed, failed);
    }
  }
}

function factsOf({ result, error }: CallOutcome): string {
  if (result === undefined) {
    return error === undefined ? '' : shorten(error.message);
  }
  const name = result.exitCode === 0 || result.exitCode === null ? '' : ` ${result.exitMeaning}`;
  return `${exitFact(result)}${name}, ${gasFact(result)}`;
}

function markType(color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor(color), margin: '0 0 0 2em' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
  });
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
