import * as vscode from 'vscode';
import { toWorkbenchError } from '../../toolkit/errors';
import type { Log } from '../../toolkit/log';

/** One thing a user can do about an error. */
export interface ErrorAction {
  title: string;
  run(): unknown;
}

/**
 * Tells the user what happened and what to do next, with buttons that do it. A cancelled command says nothing: the
 * user knows. Faults of ours also offer the log.
 */
export async function showError(
  error: unknown,
  log: Log,
  actions: readonly ErrorAction[] = [],
): Promise<void> {
  const known = toWorkbenchError(error);
  if (known.code === 'aborted') {
    return;
  }
  log.error(`${known.code}: ${known.message}`, known.kind === 'internal' ? error : known.cause);
  const showLog: ErrorAction = {
    title: 'Show Log',
    run: () => vscode.commands.executeCommand('tonWorkbench.showLog'),
  };
  const offered = known.kind === 'input' ? [...actions] : [...actions, showLog];
  const sentence = /[.!?]$/.test(known.message) ? known.message : `${known.message}.`;
  const text = known.hint === undefined ? sentence : `${sentence} ${known.hint}`;
  const chosen = await vscode.window.showErrorMessage(text, ...offered.map((action) => action.title));
  await offered.find((action) => action.title === chosen)?.run();
}
