import * as vscode from 'vscode';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';

/** Sends one command to the running local network; starts it first if it does not run. */
export async function controlNetwork<Result>(
  services: Services,
  title: string,
  name: string,
  parameters?: Record<string, unknown>,
): Promise<Result> {
  return withProgress(title, async (signal) => {
    const localnet = await services.localNetwork.ensureRunning(signal);
    const { callControl } = await import('../../toolkit/localnet/callControl');
    return callControl<Result>(localnet.control, name, parameters, signal);
  });
}

/** Tells what was done, where it needs no answer. */
export function say(text: string): void {
  void vscode.window.setStatusBarMessage(text, 5000);
}

/** Asks before something is lost. */
export async function sure(question: string, detail: string, action: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}
