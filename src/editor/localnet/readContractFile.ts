import * as vscode from 'vscode';
import { WorkbenchError } from '../../toolkit/errors';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';
import type { TolkProblem } from '../../toolkit/build/compileTolk';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';

let collection: vscode.DiagnosticCollection | undefined;
/** The source whose problems are currently shown. */
let failed: vscode.Uri | undefined;

/**
 * Reads a contract from a file of the workspace: compiler output, or a Tolk source, which is compiled with
 * the editors' unsaved changes. Compiler errors are shown in the Problems view.
 * @throws WorkbenchError `build-unreadable`, `tolk-compile-failed` (input)
 */
export async function readContractFile(services: Services, file: vscode.Uri): Promise<BuiltContract> {
  if (!file.path.endsWith('.tolk')) {
    const { readBuiltContract } = await import('../../toolkit/build/readBuiltContract');
    const bytes = await vscode.workspace.fs.readFile(file);
    return readBuiltContract(Buffer.from(bytes).toString('utf8'), file.path);
  }
  return withProgress('Compiling', () => compileAndShow(services, file));
}

/** Compiles a source; its errors replace those shown before. */
async function compileAndShow(services: Services, file: vscode.Uri): Promise<BuiltContract> {
  const problems = problemsOf(services);
  failed = undefined;
  problems.clear();
  try {
    return await services.project.compile(file);
  } catch (error) {
    if (WorkbenchError.is(error, 'tolk-compile-failed')) {
      failed = file;
      showProblems(problems, error.details['problems'] as TolkProblem[]);
    }
    throw error;
  }
}

/**
 * If a source did not compile, compiles it again when any source is saved, so that fixed problems disappear.
 */
async function checkAgain(services: Services, saved: vscode.TextDocument): Promise<void> {
  if (failed === undefined || !saved.fileName.endsWith('.tolk')) {
    return;
  }
  try {
    await compileAndShow(services, failed);
  } catch (error) {
    services.log.debug(`still not compiled: ${String(error)}`);
  }
}

/** Created with the first compilation, and disposed with the window. */
function problemsOf(services: Services): vscode.DiagnosticCollection {
  if (collection === undefined) {
    collection = vscode.languages.createDiagnosticCollection('tonWorkbench.tolk');
    services.context.subscriptions.push(
      collection,
      vscode.workspace.onDidSaveTextDocument((saved) => void checkAgain(services, saved)),
    );
  }
  return collection;
}

function showProblems(shown: vscode.DiagnosticCollection, problems: readonly TolkProblem[]): void {
  const byFile = new Map<string, vscode.Diagnostic[]>();
  for (const { path, line, column, length, message } of problems) {
    const start = new vscode.Position(line - 1, column - 1);
    const diagnostic = new vscode.Diagnostic(
      new vscode.Range(start, start.translate(0, length)),
      message,
      vscode.DiagnosticSeverity.Error,
    );
    diagnostic.source = 'tolk';
    byFile.set(path, [...(byFile.get(path) ?? []), diagnostic]);
  }
  for (const [path, diagnostics] of byFile) {
    shown.set(vscode.Uri.file(path), diagnostics);
  }
}
