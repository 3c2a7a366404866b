import type * as vscode from 'vscode';
import type { Services } from '../project/services';
import { registerCommands } from '../ui/registerCommands';

/** Registers the API explorer, which calls any endpoint of the current network. */
export function registerApiExplorer(services: Services): vscode.Disposable {
  return registerCommands(services.log, {
    'tonWorkbench.callEndpoint': async (call) =>
      (await import('./callEndpointCommand')).callEndpointCommand(services, call),
    'tonWorkbench.copyEndpointCall': async (snippet) =>
      (await import('./copyEndpointCall')).copyEndpointCall(services, snippet),
  });
}
