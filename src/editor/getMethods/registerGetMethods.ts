import type * as vscode from 'vscode';
import type { GetMethodRequest } from '../../commandTargets';
import type { Services } from '../project/services';
import { itemAddress } from '../project/itemAddress';
import { registerCommands } from '../ui/registerCommands';

/** Registers running get-methods, from the Command Palette and from rows. */
export function registerGetMethods(services: Services): vscode.Disposable {
  const run = async (call?: GetMethodRequest): Promise<void> =>
    (await import('./runGetMethodCommand')).runGetMethodCommand(services, call);
  return registerCommands(services.log, {
    'tonWorkbench.runGetMethod': run,
    'tonWorkbench.saveGasBaseline': async () => (await import('./gasFigures')).gasFigures(services).save(),
    'tonWorkbench.clearGasBaseline': async () => (await import('./gasFigures')).gasFigures(services).clear(),
    'tonWorkbench.callHistory': async () =>
      (await import('./callHistoryCommand')).callHistoryCommand(services),
    'tonWorkbench.copyCall': async (call) =>
      (await import('./copyCallCommand')).copyCallCommand(services, call),
    'tonWorkbench.runGetMethodOn': (item) => {
      const address = itemAddress(item);
      return run(address === undefined ? {} : { address });
    },
  });
}
