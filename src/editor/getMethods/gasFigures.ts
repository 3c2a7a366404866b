import * as vscode from 'vscode';
import { toWorkbenchError, WorkbenchError } from '../../toolkit/base/errors';
import {
  baselineFile,
  mergeBaseline,
  printBaseline,
  readBaseline,
  totalGas,
} from '../../toolkit/gas/gasBaseline';
import type { BaselineGas, GasBaseline } from '../../toolkit/gas/gasBaseline';
import type { GasByLine } from '../../toolkit/gas/gasByLine';
import { keepNewest } from '../../toolkit/base/collections';
import { GasBook } from '../../toolkit/gas/gasBook';
import { gasWords } from '../../toolkit/gas/gasWords';
import { limits, overLimitError } from '../../toolkit/base/limits';
import type { TraceModel } from '../../toolkit/trace/traceModel';
import { perWindow } from '../networks/sourceNames';
import type { Services } from '../project/services';
import { readWorkspaceText } from '../ui/readWorkspaceFile';

const runsKey = 'gasOfRuns';
/** Runs whose lines are kept; the oldest are dropped. */
const mostLines = 200;

/** The gas of the last runs in this workspace, kept when its window is reloaded, and the baseline of its folder. */
class GasFigures {
  readonly #services: Services;
  readonly #book: GasBook;
  readonly #changed = new vscode.EventEmitter<void>();
  /** A figure, or the baseline, has changed. */
  readonly onDidChange = this.#changed.event;
  #baseline: GasBaseline = new Map();
  /** The lines of runs that were shown in this session. */
  readonly #lines = new Map<string, GasByLine>();

  constructor(services: Services) {
    this.#services = services;
    const { workspaceState } = services.context;
    this.#book = new GasBook(workspaceState.get<[string, number][]>(runsKey, []));
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    services.context.subscriptions.push(this.#changed);
    if (folder !== undefined) {
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(folder, baselineFile),
      );
      const read = (): void => void this.#readQuietly();
      services.context.subscriptions.push(
        watcher,
        watcher.onDidChange(read),
        watcher.onDidCreate(read),
        watcher.onDidDelete(read),
      );
      read();
    }
  }

  note(key: string, gas: number): void {
    if (this.#book.note(key, gas)) {
      this.#changed.fire();
      // The editor collects what is written within a moment.
      void this.#services.context.workspaceState.update(runsKey, [...this.#book.runs()]);
    }
  }

  /** Notes the lines of a run, for the baseline. */
  noteLines(key: string, gas: GasByLine): void {
    keepNewest(this.#lines, key, gas, mostLines);
  }

  /** The baseline's figure, with lines if it has them. */
  baselineOf(key: string): BaselineGas | undefined {
    return this.#baseline.get(key);
  }

  /** Notes what the messages of the workspace's contracts cost in a trace, one that was only rehearsed included. */
  async noteTrace(model: TraceModel): Promise<void> {
    const { messageGas } = await import('../../toolkit/gas/messageGas');
    const { project } = this.#services;
    const found = messageGas(model, await project.list(), (hash) => project.chosen(hash));
    found.forEach((gas, key) => this.note(key, gas));
  }

  /** The gas of a run, with the change since the baseline; by default of the last run, undefined if there was none. */
  words(key: string, gas = this.#book.of(key)): string | undefined {
    return gas === undefined ? undefined : gasWords(gas, totalGas(this.#baseline.get(key)));
  }

  /**
   * Writes the figures of the last runs into the baseline; what did not run keeps its old figure.
   * @throws WorkbenchError `gas-baseline-unreadable`, `over-limit`, `no-folder` (input)
   */
  async save(): Promise<void> {
    const runs = new Map<string, BaselineGas>(this.#book.runs());
    for (const [key, gas] of this.#lines) {
      // Lines are true only of a run that used as much.
      if ((runs.get(key) ?? gas.gas) === gas.gas) {
        runs.set(key, gas);
      }
    }
    if (runs.size === 0) {
      void vscode.window.showInformationMessage(
        'No get-method or message of this workspace has run yet. Run some, then save the baseline.',
      );
      return;
    }
    this.#baseline = mergeBaseline(await this.#read(), runs);
    const text = printBaseline(this.#baseline);
    if (text.length > limits.gasBaseline.most) {
      throw overLimitError('gasBaseline', { what: `The file ${baselineFile}` });
    }
    await vscode.workspace.fs.writeFile(place(), Buffer.from(text));
    this.#changed.fire();
    const count = runs.size === 1 ? '1 figure' : `${runs.size} figures`;
    void vscode.window.setStatusBarMessage(`Saved ${count} in ${baselineFile}`, 5000);
  }

  /** Removes the baseline; where the system has a trash, the file goes there. */
  async clear(): Promise<void> {
    this.#baseline = new Map();
    try {
      await vscode.workspace.fs.delete(place(), { useTrash: vscode.env.remoteName === undefined });
    } catch (error) {
      if (!isMissing(error)) {
        throw error;
      }
    }
    this.#changed.fire();
    void vscode.window.setStatusBarMessage('Cleared the gas baseline', 5000);
  }

  async #read(): Promise<GasBaseline> {
    try {
      return readBaseline(await readWorkspaceText(place(), 'gasBaseline'));
    } catch (error) {
      if (isMissing(error)) {
        return new Map();
      }
      throw error;
    }
  }

  async #readQuietly(): Promise<void> {
    try {
      this.#baseline = await this.#read();
    } catch (error) {
      this.#baseline = new Map();
      this.#services.log.warn(toWorkbenchError(error).message);
    }
    this.#changed.fire();
  }
}

/** @throws WorkbenchError `no-folder` (input) */
function place(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    throw new WorkbenchError({
      code: 'no-folder',
      kind: 'input',
      message: 'A gas baseline needs an open folder.',
      hint: 'Open the folder of your contracts.',
    });
  }
  return vscode.Uri.joinPath(folder.uri, baselineFile);
}

function isMissing(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
}

/** Those of this window. */
export const gasFigures = perWindow((services: Services) => new GasFigures(services));
