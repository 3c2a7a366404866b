import * as vscode from 'vscode';
import type { Place } from '../../toolkit/callSheet/callSheet';
import type { StepOutcome } from '../../toolkit/workflows/sheetRunTypes';
import { stepSummary } from '../../toolkit/workflows/sheetRunTypes';
import { accountName } from '../project/accountName';
import type { Services } from '../project/services';
import { coinLabel } from '../ui/readWorkspaceFile';
import { parsedSheet } from './parsedSheet';
import { failuresOf, rangeOf } from './sheetDiagnostics';
import type { SheetRuns } from './sheetRuns';

/**
 * Shows the results of steps at the end of their lines, except failures that the Test Explorer already shows
 * there.
 */
export class SheetMarks implements vscode.Disposable {
  readonly #services: Services;
  readonly #runs: SheetRuns;
  readonly #passed = markType('charts.green');
  readonly #failed = markType('charts.red');

  constructor(services: Services, runs: SheetRuns) {
    this.#services = services;
    this.#runs = runs;
  }

  dispose(): void {
    this.#passed.dispose();
    this.#failed.dispose();
  }

  /** The answer in short; exit code and gas are in its document. */
  #summary(outcome: StepOutcome): string {
    return stepSummary(outcome, { accountName: accountName(this.#services), coinLabel: coinLabel() });
  }

  update(document: vscode.TextDocument): void {
    const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
    if (editors.length === 0) {
      return;
    }
    const passed: vscode.DecorationOptions[] = [];
    const failed: vscode.DecorationOptions[] = [];
    for (const call of parsedSheet(document).steps) {
      const last = this.#runs.last(document, call);
      if (last === undefined) {
        continue;
      }
      const own = last.failures.some((text) => last.checks.every((one) => one.failure !== text));
      const lines = [
        {
          place: call,
          ok: last.error === undefined && !own,
          text: `→ ${shorten(this.#summary(last))}`,
          whole: last.failures.join('\n'),
        },
        ...last.checks.map(({ expectation, failure, actual }) => ({
          place: expectation,
          ok: failure === undefined,
          whole: failure ?? '',
          text: failure === undefined ? '✓' : actual === undefined ? '✗' : `✗ is ${shorten(actual)}`,
        })),
      ].filter(({ place, text }) => text !== '→ ' && (last.step.kind !== 'check' || place !== call));
      const reported = this.#runs.isReported(last)
        ? failuresOf(call, last).map((failure) => lineOf(document, failure.place))
        : [];
      for (const { place, ok, text, whole } of lines) {
        const line = document.lineAt(lineOf(document, place)).range.end;
        if (reported.includes(line.line)) {
          continue;
        }
        (ok ? passed : failed).push({
          range: new vscode.Range(line, line),
          renderOptions: { after: { contentText: text } },
          ...(whole === '' ? {} : { hoverMessage: new vscode.MarkdownString().appendText(whole) }),
        });
      }
    }
    for (const editor of editors) {
      editor.setDecorations(this.#passed, passed);
      editor.setDecorations(this.#failed, failed);
    }
  }
}

function lineOf(document: vscode.TextDocument, place: Place): number {
  return rangeOf(document, place).end.line;
}

function markType(color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor(color), margin: '0 0 0 2em' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
  });
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
