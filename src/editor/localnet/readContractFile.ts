import * as vscode from 'vscode';
import { WorkbenchError } from '../../toolkit/errors';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';
import { sourceLanguage } from '../../toolkit/abi/sourceReadings';
import type { SourceProblem } from '../../toolkit/build/compileError';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';

let collection: vscode.DiagnosticCollection | undefined;
/** The source whose problems are currently shown. */
let failed: vscode.Uri | undefined;

/**
 * Reads a contract from a file of the workspace: compiler output, or a source, which is compiled with the
 * editors' unsaved changes. Compiler errors are shown in the Problems view.
 * @param wanted its name, if the source declares several; else the user is asked
 * @returns undefined if the user canceled
 * @throws WorkbenchError `build-unreadable`, `contract-ambiguous` (input), and as {@link ProjectContracts.compile}
 */
export async function readContractFile(
  services: Services,
  file: vscode.Uri,
  wanted: string | undefined,
): Promise<BuiltContract | undefined> {
  if (sourceLanguage(file.path) === undefined) {
    const { readBuiltContract } = await import('../../toolkit/build/readBuiltContract');
    const bytes = await vscode.workspace.fs.readFile(file);
    return readBuiltContract(Buffer.from(bytes).toString('utf8'), file.path);
  }
  const built = await withProgress('Compiling', () => compileAndShow(services, file));
  const { oneContract } = await import('../../toolkit/build/oneContract');
  if (wanted !== undefined || built.length < 2) {
    return oneContract(built, file.path, wanted);
  }
  const picked = await vscode.window.showQuickPick(
    built.map((contract) => ({ label: contract.name, contract })),
    { title: 'TON: Deploy to the Local Network', placeHolder: 'Which contract of this file?' },
  );
  return picked?.contract;
}

/** Compiles a source; its errors replace those shown before. */
async function compileAndShow(services: Services, file: vscode.Uri): Promise<BuiltContract[]> {
  const problems = problemsOf(services);
  failed = undefined;
  problems.clear();
  try {
    return await services.project.compile(file);
  } catch (error) {
    if (WorkbenchError.is(error, 'compile-failed')) {
      failed = file;
      showProblems(problems, error.details['problems'] as SourceProblem[]);
    }
    throw error;
  }
}

/**
 * If a source did not compile, compiles it again when any source is saved, so that fixed problems disappear.
 */
async function checkAgain(services: Services, saved: vscode.TextDocument): Promise<void> {
  if (failed === undefined || sourceLanguage(saved.fileName) === undefined) {
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
    collection = vscode.languages.createDiagnosticCollection('tonWorkbench.compilers');
    services.context.subscriptions.push(
      collection,
      vscode.workspace.onDidSaveTextDocument((saved) => void checkAgain(services, saved)),
    );
  }
  return collection;
}

function showProblems(shown: vscode.DiagnosticCollection, problems: readonly SourceProblem[]): void {
  const byFile = new Map<string, vscode.Diagnostic[]>();
  for (const { path, line, column, length, message } of problems) {
    const start = new vscode.Position(line - 1, column - 1);
    const diagnostic = new vscode.Diagnostic(
      new vscode.Range(start, start.translate(0, length)),
      message,
      vscode.DiagnosticSeverity.Error,
    );
    diagnostic.source = sourceLanguage(path) ?? 'TON';
    byFile.set(path, [...(byFile.get(path) ?? []), diagnostic]);
  }
  for (const [path, diagnostics] of byFile) {
    shown.set(vscode.Uri.file(path), diagnostics);
  }
}
