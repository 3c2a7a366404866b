import type * as vscode from 'vscode';
import type { Services } from '../services';
import { registerCommands } from '../ui/registerCommands';
import { callEndpointCommand } from './callEndpointCommand';
import { copyEndpointCall } from './copyEndpointCall';

/** Calling any endpoint of the current network. */
export function registerApiExplorer(services: Services): vscode.Disposable {
  return registerCommands(services.log, {
    'tonWorkbench.callEndpoint': (call) => callEndpointCommand(services, call),
    'tonWorkbench.copyEndpointCall': (snippet) => copyEndpointCall(services, snippet),
  });
}
