import * as vscode from 'vscode';
import { projectFiles } from '../../toolkit/abi/projectFiles';
import type { ProjectContract } from '../../toolkit/abi/projectContract';
import type { ProjectFile } from '../../toolkit/abi/readProject';
import { WorkbenchError } from '../../toolkit/errors';
import type { limits as Limits } from '../../toolkit/limits';
import type { Log } from '../../toolkit/log';

const { pattern, excluded } = projectFiles;
const chosenKey = 'contractOfCode';

/** What the workspace tells of its contracts, read when first asked for and again after a file has changed. */
export class ProjectContracts {
  readonly #state: vscode.Memento;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  /** What the workspace tells may have changed. */
  readonly onDidChange = this.#changed.event;
  #known: Promise<ProjectContract[]> | undefined;
  #watcher: vscode.FileSystemWatcher | undefined;

  constructor(state: vscode.Memento, log: Log) {
    this.#state = state;
    this.#log = log;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(this.#changed, {
      dispose: () => {
        this.#watcher?.dispose();
      },
    });
  }

  /** Everything that the workspace's files tell. */
  list(): Promise<ProjectContract[]> {
    this.#watch();
    this.#known ??= this.#read();
    return this.#known;
  }

  /** The contract of the project that the user said this code is. */
  chosen(codeHash: string): string | undefined {
    return this.#state.get<Record<string, string>>(chosenKey, {})[codeHash];
  }

  /** Remembers which contract of the project this code is; undefined forgets it. */
  async choose(codeHash: string, name: string | undefined): Promise<void> {
    const { [codeHash]: _, ...others } = this.#state.get<Record<string, string>>(chosenKey, {});
    await this.#state.update(chosenKey, name === undefined ? others : { ...others, [codeHash]: name });
    this.#changed.fire();
  }

  async #read(): Promise<ProjectContract[]> {
    const [{ limits }, { readProject }] = await Promise.all([
      import('../../toolkit/limits'),
      import('../../toolkit/abi/readProject'),
    ]);
    const uris = await vscode.workspace.findFiles(pattern, excluded, limits.projectFiles.most);
    if (uris.length === limits.projectFiles.most) {
      this.#log.warn(`Only the first ${limits.projectFiles.most} files with contracts are read.`);
    }
    const files = await Promise.all(uris.map((uri) => this.#readFile(uri, limits)));
    return readProject(
      files.filter((file) => file !== undefined),
      (path, error) => this.#tell(path, error),
    );
  }

  /** What is over a limit is left out on purpose; anything else is no file of contracts. */
  #tell(path: string, error: unknown): void {
    if (WorkbenchError.is(error, 'over-limit')) {
      this.#log.warn(`${path} was not read, or not completely. ${error.message}`);
    } else {
      this.#log.debug(`${path} has no readable get-methods: ${String(error)}`);
    }
  }

  async #readFile(uri: vscode.Uri, limits: typeof Limits): Promise<ProjectFile | undefined> {
    const path = vscode.workspace.asRelativePath(uri);
    try {
      const open = vscode.workspace.textDocuments.find(
        (document) => document.uri.toString() === uri.toString(),
      );
      if (open !== undefined) {
        return { path, text: open.getText() };
      }
      const { size } = await vscode.workspace.fs.stat(uri);
      return size > limits.projectFileBytes.most
        ? undefined
        : { path, text: new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)) };
    } catch (error) {
      this.#log.debug(`${path} cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  #watch(): void {
    if (this.#watcher !== undefined) {
      return;
    }
    const forget = (): void => {
      this.#known = undefined;
      this.#changed.fire();
    };
    this.#watcher = vscode.workspace.createFileSystemWatcher(pattern);
    this.#watcher.onDidChange(forget);
    this.#watcher.onDidCreate(forget);
    this.#watcher.onDidDelete(forget);
  }
}
