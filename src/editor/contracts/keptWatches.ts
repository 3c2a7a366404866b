import type * as vscode from 'vscode';

/** A call that runs repeatedly; at most one per method of a contract. */
export interface Watch {
  /** Name of the network. */
  network: string;
  /** Raw, in lowercase. */
  address: string;
  method: string;
  stack: string;
}

const key = 'tonWorkbench.watches';

/** The calls that were watched when the window was closed or reloaded. */
export function keptWatches(state: vscode.Memento): readonly Watch[] {
  return state.get<readonly Watch[]>(key, []);
}

/** Keeps the watched calls with the workspace. */
export async function keepWatches(state: vscode.Memento, watches: readonly Watch[]): Promise<void> {
  await state.update(key, watches);
}
