import type * as vscode from 'vscode';
import type { Services } from '../services';
import { itemAddress } from '../ui/itemAddress';
import { registerCommands } from '../ui/registerCommands';
import { runGetMethodCommand } from './runGetMethodCommand';

/** Running get-methods, from the palette and on a row. */
export function registerGetMethods(services: Services): vscode.Disposable {
  return registerCommands(services.log, {
    'tonWorkbench.runGetMethod': (call) => runGetMethodCommand(services, call),
    'tonWorkbench.runGetMethodOn': (item) => {
      const address = itemAddress(item);
      return runGetMethodCommand(services, address === undefined ? {} : { address });
    },
  });
}
