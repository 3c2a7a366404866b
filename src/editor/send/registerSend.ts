import type * as vscode from 'vscode';
import type { Services } from '../services';
import { registerCommands } from '../ui/registerCommands';
import { sendBocCommand } from './sendBocCommand';

/** Sending bags of cells. */
export function registerSend(services: Services): vscode.Disposable {
  return registerCommands(services.log, {
    'tonWorkbench.sendBoc': (boc) => sendBocCommand(services, typeof boc === 'string' ? boc : undefined),
  });
}
