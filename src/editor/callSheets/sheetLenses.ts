import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { CallSheetRef } from '../../commandTargets';
import { callText, parsedSheet } from './parsedSheets';
import type { SheetRuns } from './sheetRuns';
import type { SheetWatches } from './sheetWatches';

/** Lenses above each step, and lenses for the whole sheet above the first line. */
export class SheetLenses implements vscode.CodeLensProvider {
  readonly #runs: SheetRuns;
  readonly #watches: SheetWatches;
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(runs: SheetRuns, watches: SheetWatches, changed: vscode.Event<void>) {
    this.#runs = runs;
    this.#watches = watches;
    this.onDidChangeCodeLenses = changed;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { steps } = parsedSheet(document);
    const top = new vscode.Range(0, 0, 0, 0);
    const all =
      steps.length === 0
        ? []
        : [
            new vscode.CodeLens(
              top,
              asCommand('tonWorkbench.runCallSheet', `$(run-all) Run all ${steps.length}`),
            ),
          ];
    return [
      ...all,
      ...steps.flatMap((call) => {
        const start = document.positionAt(call.header.offset);
        const range = new vscode.Range(start, start);
        const ref: CallSheetRef = { uri: document.uri.toString(), call: callText(document, call) };
        const watching = this.#watches.describe(document, call);
        const run = this.#runs.isRunning(document, call) && watching === undefined;
        const forCalls =
          call.kind !== 'call'
            ? []
            : [
                watching === undefined
                  ? asCommand('tonWorkbench.watchSheetCall', '$(eye) Watch', ref)
                  : asCommand('tonWorkbench.stopSheetWatch', `$(debug-stop) Stop watching, ${watching}`, ref),
                asCommand('tonWorkbench.copySheetCall', 'Copy as TypeScript', ref),
                asCommand('tonWorkbench.compareSheetCall', 'Compare networks', ref),
              ];
        const debug =
          call.kind === 'check' ? [] : [asCommand('tonWorkbench.debugSheetStep', '$(debug-alt) Debug', ref)];
        return [
          asCommand('tonWorkbench.runSheetCall', run ? '$(sync~spin) Running' : '$(play) Run', ref),
          ...debug,
          ...forCalls,
        ].map((command) => new vscode.CodeLens(range, command));
      }),
    ];
  }
}
