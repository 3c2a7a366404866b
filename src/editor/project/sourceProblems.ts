import * as vscode from 'vscode';
import { sourcePlaces } from '../../toolkit/contracts/abi/readTlbComments';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import type { SourceProblem } from '../../toolkit/build/compileError';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import { WorkbenchError } from '../../toolkit/base/errors';
import { perWindow } from '../networks/sourceNames';
import type { NetworkServices } from '../networks/diagnoseNetworkCommand';
import type { ProjectServices } from './methodsOf';
import { groupBy } from '../../toolkit/base/collections';

/** Milliseconds from a save until its source is compiled, so that saving several files compiles once. */
const debounceMs = 500;

interface Services extends ProjectServices, Pick<NetworkServices, 'log'> {
  context: vscode.ExtensionContext;
}

/**
 * The errors of compilers, in the sources. A Tolk contract that is open is compiled when it changes on the disk, or a
 * file that it imports, whoever wrote it, in trusted windows only; other sources when they are deployed, and then again
 * until they compile.
 */
class SourceProblems {
  readonly #services: Services;
  readonly #shown = vscode.languages.createDiagnosticCollection('tonWorkbench.compilers');
  /** The files with problems, by the source that was compiled. */
  readonly #failed = new Map<string, readonly vscode.Uri[]>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(services: Services) {
    this.#services = services;
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.{tolk,fc,func,tact}');
    services.context.subscriptions.push(
      this.#shown,
      watcher,
      ...[watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete].map((event) =>
        event((file) => this.#look(file)),
      ),
      // The watcher does not see files outside the workspace.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#look(uri)),
      new vscode.Disposable(() => this.#timers.forEach((timer) => clearTimeout(timer))),
    );
  }

  /**
   * Compiles a source; its errors replace those shown before.
   * @throws WorkbenchError as `ProjectContracts.compile`
   */
  async compile(file: vscode.Uri): Promise<BuiltContract[]> {
    const key = file.toString();
    try {
      const built = await this.#services.project.compile(file);
      this.#clear(key);
      return built;
    } catch (error) {
      this.#clear(key);
      if (WorkbenchError.is(error, 'compile-failed')) {
        this.#failed.set(key, this.#show(error.details['problems'] as SourceProblem[]));
      }
      throw error;
    }
  }

  #look(changed: vscode.Uri): void {
    if (sourceLanguage(changed.path) === undefined || !vscode.workspace.isTrusted) {
      return;
    }
    const own = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === changed.toString());
    const open =
      own !== undefined && isTolkContract(own)
        ? [own]
        : vscode.window.visibleTextEditors.map(({ document }) => document).filter(isTolkContract);
    const files = new Set([...open.map(({ uri }) => uri.toString()), ...this.#failed.keys()]);
    for (const file of files) {
      clearTimeout(this.#timers.get(file));
      this.#timers.set(
        file,
        setTimeout(() => {
          this.#timers.delete(file);
          this.compile(vscode.Uri.parse(file)).catch((error: unknown) =>
            this.#services.log.debug(`${file} does not compile: ${String(error)}`),
          );
        }, debounceMs),
      );
    }
  }

  #clear(key: string): void {
    this.#failed.get(key)?.forEach((uri) => this.#shown.delete(uri));
    this.#failed.delete(key);
  }

  /** @returns the files that have problems */
  #show(problems: readonly SourceProblem[]): vscode.Uri[] {
    return [...groupBy(problems, ({ path }) => path)].map(([path, own]) => {
      const uri = vscode.Uri.file(path);
      this.#shown.set(uri, own.map(diagnosticOf));
      return uri;
    });
  }
}

function diagnosticOf({ path, line, column, length, message }: SourceProblem): vscode.Diagnostic {
  const start = new vscode.Position(line - 1, column - 1);
  const range = new vscode.Range(start, start.translate(0, length));
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
  diagnostic.source = sourceLanguage(path) ?? 'TON';
  return diagnostic;
}

/** Files that are only imported do not compile alone. */
function isTolkContract(document: vscode.TextDocument): boolean {
  return (
    document.uri.scheme === 'file' &&
    !document.isDirty &&
    sourceLanguage(document.fileName) === 'tolk' &&
    sourcePlaces(document.getText(), 'tolk').entry !== undefined
  );
}

/** The window's compiler errors; from the first call on, saved contracts are compiled. */
export const sourceProblems = perWindow((services: Services) => new SourceProblems(services));
