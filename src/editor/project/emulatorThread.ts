import type * as vscode from 'vscode';
import type { WorkerEmulator } from '../../toolkit/execution/emulator/workerEmulator';
import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';

/** An emulator of this window: started when it is first needed, stopped with the window. */
export class EmulatorThread implements vscode.Disposable, EmulatorHolder {
  #made: Promise<WorkerEmulator> | undefined;

  get(): Promise<WorkerEmulator> {
    this.#made ??= import('../../toolkit/execution/emulator/workerEmulator').then(
      ({ createWorkerEmulator }) => createWorkerEmulator(),
    );
    return this.#made;
  }

  /** Ends the thread; the next use starts a new one. */
  dispose(): void {
    const made = this.#made;
    this.#made = undefined;
    made?.then((emulator) => emulator.close()).catch(() => undefined);
  }
}
