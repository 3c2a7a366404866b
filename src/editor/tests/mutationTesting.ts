import { spawn } from 'node:child_process';
import path from 'node:path';
import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { WorkbenchError, abortedError } from '../../toolkit/base/errors';
import { fileName, visibleText } from '../../toolkit/base/text';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import {
  mutationAnswerSchema,
  mutationProgressSchema,
  mutationWords,
  survivorWords,
} from '../../toolkit/testRuns/mutationAnswer';
import type { MutationAnswer } from '../../toolkit/testRuns/mutationAnswer';
import { findTestedFolder } from '../../toolkit/testRuns/runProjectTests';
import type { Services } from '../project/services';
import { currentText } from '../ui/openDocument';
import { withProgress } from '../ui/withProgress';
import { placeOfTest } from './testItems';
import { requireTrust } from './testExplorer';

/** Characters of a line that is still incomplete. */
const mostPending = 16 * 1024 * 1024;

/** Faults of the open contract that no test notices, as warnings until its source changes. */
export class MutationTesting implements vscode.Disposable {
  readonly #survivors = vscode.languages.createDiagnosticCollection('ton mutants');
  readonly #sources = vscode.workspace.createFileSystemWatcher('**/*.{tolk,fc,func,tact}');
  readonly #parts: vscode.Disposable;
  /** Ends the run that is going on. */
  #running: AbortController | undefined;

  constructor(private readonly services: Pick<Services, 'context' | 'log'>) {
    const forget = (uri: vscode.Uri): void => {
      if (this.#survivors.has(uri)) {
        this.#survivors.delete(uri);
        this.#tellShown();
      }
    };
    this.#sources.onDidChange(forget);
    this.#sources.onDidDelete(forget);
    this.#parts = vscode.Disposable.from(
      this.#survivors,
      this.#sources,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          forget(document.uri);
        }
      }),
    );
  }

  dispose(): void {
    this.#running?.abort();
    this.#parts.dispose();
  }

  /** Takes all warnings away. */
  clear(): void {
    this.#survivors.clear();
    this.#tellShown();
  }

  /**
   * Changes the contract in the active editor in small ways, in a copy of the project, and marks what no test notices.
   *
   * @throws WorkbenchError `workspace-untrusted`, `command-argument-missing`, `runner-missing` (input), `tests-failed` (failed),
   * `aborted`
   */
  async run(): Promise<void> {
    requireTrust();
    const document = vscode.window.activeTextEditor?.document;
    if (document?.uri.scheme !== 'file' || sourceLanguage(document.uri.path) === undefined) {
      throw new WorkbenchError({
        code: 'command-argument-missing',
        kind: 'input',
        message: 'No contract is open.',
        hint: 'Open the source of a contract that tests run.',
      });
    }
    // The runner reads what is saved.
    await document.save();
    const { root } = findTestedFolder(path.dirname(document.uri.fsPath));
    const name = fileName(document.uri.path);
    const { version } = document;
    this.clear();
    // A second run takes the place of the first one.
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const answer = await withProgress(
      `Mutation testing of ${name}`,
      (signal, report) => {
        report('running all tests first');
        return this.#mutate(root, document.uri.fsPath, signal, report);
      },
      running.signal,
    );
    // Lines may have moved meanwhile.
    const isSame = document.version === version;
    await (isSame ? this.#mark(root, answer) : undefined);
    const words = mutationWords(answer, name);
    const note = isSame ? '' : ' The source has changed since, so nothing is marked.';
    const show = 'Show Problems';
    const choice = await vscode.window.showInformationMessage(
      `${words}${note}`,
      ...(isSame && answer.survived > 0 ? [show] : []),
    );
    if (choice === show) {
      await vscode.commands.executeCommand('workbench.actions.view.problems');
    }
  }

  /** In a process of its own: it compiles and runs for minutes. */
  async #mutate(
    root: string,
    source: string,
    signal: AbortSignal,
    report: (message: string) => void,
  ): Promise<MutationAnswer> {
    const program = vscode.Uri.joinPath(this.services.context.extensionUri, 'dist', 'cli.js').fsPath;
    const args = ['test', '--mutate', '--json', '--progress', '--only', path.relative(root, source)];
    const child = spawn(process.execPath, [program, ...args], {
      cwd: root,
      // The editor's own program runs as Node.js with this.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // It removes its copy of the project before it ends.
    const stop = (): void => void child.kill();
    signal.addEventListener('abort', stop, { once: true });
    let answer: MutationAnswer | undefined;
    let [pending, told] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (pending + chunk).split('\n');
      pending = (lines.pop() ?? '').slice(0, mostPending);
      for (const line of lines) {
        const { version: _, ...read } = JSON.parse(line) as Record<string, unknown>;
        const progress = mutationProgressSchema.safeParse(read);
        if (progress.success) {
          const { judged, left, survived } = progress.data;
          report(`${judged} of ${judged + left} mutants judged, ${survived} not noticed`);
        } else {
          answer = mutationAnswerSchema.parse(read);
        }
      }
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      told = (told + chunk).slice(-mostPending);
      this.services.log.debug(`mutants: ${chunk.trimEnd()}`);
    });
    try {
      await new Promise<void>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', () => resolve());
      });
    } finally {
      signal.removeEventListener('abort', stop);
    }
    if (signal.aborted) {
      throw abortedError(signal.reason);
    }
    if (answer === undefined) {
      throw endedError(told);
    }
    return answer;
  }

  async #mark(root: string, { mutants }: MutationAnswer): Promise<void> {
    const marks = new Map<string, vscode.Diagnostic[]>();
    for (const mutant of mutants.filter(({ verdict }) => verdict === 'survived')) {
      const { file, line, column, length, test } = mutant;
      const start = new vscode.Position(line - 1, column - 1);
      const uri = vscode.Uri.file(path.join(root, file));
      const document = await vscode.workspace.openTextDocument(uri);
      const end = document.positionAt(document.offsetAt(start) + length);
      const mark = new vscode.Diagnostic(
        new vscode.Range(start, end),
        survivorWords(mutant),
        vscode.DiagnosticSeverity.Warning,
      );
      mark.source = 'ton mutants';
      const testFile = vscode.Uri.file(path.join(root, test.file));
      const at = placeOfTest(await currentText(testFile).catch(() => ''), test.name);
      mark.relatedInformation = [
        new vscode.DiagnosticRelatedInformation(
          new vscode.Location(testFile, new vscode.Position(at - 1, 0)),
          `should fail: ${visibleText(test.name)}`,
        ),
      ];
      marks.set(uri.fsPath, [...(marks.get(uri.fsPath) ?? []), mark]);
    }
    marks.forEach((own, file) => this.#survivors.set(vscode.Uri.file(file), own));
    this.#tellShown();
  }

  #tellShown(): void {
    setContextKey(vscode.commands, 'tonWorkbench.survivorsShown', [...this.#survivors].length > 0);
  }
}

/** Why the process gave no answer: its last line, if that is an error of ours. */
function endedError(told: string): WorkbenchError {
  const last = told.trimEnd().split('\n').at(-1) ?? '';
  let message = 'Mutation testing ended without an answer.';
  try {
    const { message: known } = JSON.parse(last) as { message?: unknown };
    message = typeof known === 'string' ? known : message;
  } catch {
    // It is not ours: the log has it.
  }
  return new WorkbenchError({ code: 'tests-failed', kind: 'failed', message });
}
