import type * as vscode from 'vscode';
import type { Services } from '../services';
import { registerCommands } from '../ui/registerCommands';

/** Sending bags of cells. Loaded with the first use. */
export function registerSend(services: Services): vscode.Disposable {
  return registerCommands(services.log, {
    'tonWorkbench.sendBoc': async (boc) => (await import('./sendBocCommand')).sendBocCommand(services, boc),
  });
}
