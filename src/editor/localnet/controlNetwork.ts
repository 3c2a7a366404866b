import * as vscode from 'vscode';
import type { ControlApi, ControlName } from '../../toolkit/localnet/control/controlApi';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';

/** Sends a command to the local network, starting it first if it is not running. */
export async function controlNetwork<Name extends ControlName>(
  services: Services,
  title: string,
  name: Name,
  parameters: ControlApi[Name]['parameters'],
): Promise<ControlApi[Name]['result']> {
  return withProgress(title, async (signal) => {
    const localnet = await services.localNetwork.ensureRunning(signal);
    const { callControl } = await import('../../toolkit/localnet/callControl');
    return callControl(localnet.control, name, parameters, signal);
  });
}

/** Reports what was done, if that needs no reaction. */
export function say(text: string): void {
  void vscode.window.setStatusBarMessage(text, 5000);
}

/** Asks for confirmation before something is lost. */
export async function sure(question: string, detail: string, action: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}
