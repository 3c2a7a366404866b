import * as vscode from 'vscode';
import type { WrittenTest } from '../../toolkit/testRuns/parseTestFile';
import { importsSandbox, parseTestFile } from '../../toolkit/testRuns/parseTestFile';
import { currentText } from '../ui/openDocument';
import { findTestPaths, isTestPath, scriptPattern } from './findTestPaths';

/** A file with tests of contracts. */
export interface TestFile {
  uri: vscode.Uri;
  tests: readonly WrittenTest[];
}

/** The test files of the workspace that use the sandbox, and their tests as they are written. */
export class TestFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  /** Fires with a file whose tests may have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #files = new Map<string, TestFile>();
  /** Files that use the sandbox in a way of their own: they have recordings. */
  readonly #recorded = new Set<string>();
  readonly #watcher = vscode.workspace.createFileSystemWatcher(scriptPattern);
  readonly #parts = vscode.Disposable.from(
    this.#changed,
    this.#watcher,
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (this.#files.has(document.uri.toString())) {
        void this.#read(document.uri);
      }
    }),
  );

  constructor() {
    const read = (uri: vscode.Uri): void => {
      if (isTestPath(uri.path)) {
        void this.#read(uri);
      }
    };
    this.#watcher.onDidCreate(read);
    this.#watcher.onDidChange(read);
    this.#watcher.onDidDelete((uri) => {
      this.#files.delete(uri.toString());
      this.#changed.fire(uri);
    });
  }

  list(): readonly TestFile[] {
    return [...this.#files.values()];
  }

  get(uri: vscode.Uri): TestFile | undefined {
    return this.#files.get(uri.toString());
  }

  /** Looks for all of them. */
  async find(): Promise<void> {
    const uris = await findTestPaths();
    await Promise.all(uris.map((uri) => this.#read(uri)));
  }

  /** A file whose tests were recorded is one of them, however it comes to the sandbox. */
  async add(uri: vscode.Uri): Promise<void> {
    if (!this.#files.has(uri.toString())) {
      this.#recorded.add(uri.toString());
      await this.#read(uri);
    }
  }

  dispose(): void {
    this.#parts.dispose();
  }

  async #read(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const text = await currentText(uri).catch(() => '');
    if (this.#recorded.has(key) || importsSandbox(text)) {
      this.#files.set(key, { uri, tests: parseTestFile(text) });
    } else if (!this.#files.delete(key)) {
      return;
    }
    this.#changed.fire(uri);
  }
}
