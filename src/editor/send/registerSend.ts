import * as vscode from 'vscode';
import type { TraceServices } from '../traces/traceServices';
import { itemAddress } from '../accounts/itemAddress';
import { registerCommands } from '../ui/registerCommands';
import type { RehearsalEmulator } from './rehearseMessage';

/** Sending messages. Loaded with the first use. */
export function registerSend(services: TraceServices): vscode.Disposable {
  let emulators: RehearsalEmulator | undefined;
  const emulator = async (): Promise<RehearsalEmulator> => {
    const { RehearsalEmulator } = await import('./rehearseMessage');
    return (emulators ??= new RehearsalEmulator());
  };
  return vscode.Disposable.from(
    { dispose: () => emulators?.dispose() },
    registerCommands(services.log, {
      'tonWorkbench.sendBoc': async (boc) =>
        (await import('./sendBocCommand')).sendBocCommand(services, await emulator(), boc),
      'tonWorkbench.composeMessage': async (given) =>
        (await import('./composeCommand')).composeCommand(services, await emulator(), given),
      'tonWorkbench.localSendAs': async (item) => {
        const [{ composeCommand }, { askAccount }] = await Promise.all([
          import('./composeCommand'),
          import('../accounts/askAccount'),
        ]);
        const title = 'TON: Send as Any Contract';
        const as =
          itemAddress(item) ??
          (await askAccount(services, {
            title,
            placeholder: 'Choose the contract to send from; no signature is needed',
            local: true,
          }));
        return as === undefined ? undefined : composeCommand(services, await emulator(), undefined, { as });
      },
    }),
  );
}
