import * as vscode from 'vscode';
import type { Services } from '../services';
import { registerCommands } from '../ui/registerCommands';
import type { RehearsalEmulator } from './rehearseMessage';

/** Sending bags of cells. Loaded with the first use. */
export function registerSend(services: Services): vscode.Disposable {
  let emulators: RehearsalEmulator | undefined;
  return vscode.Disposable.from(
    { dispose: () => emulators?.dispose() },
    registerCommands(services.log, {
      'tonWorkbench.sendBoc': async (boc) => {
        const [{ sendBocCommand }, { RehearsalEmulator }] = await Promise.all([
          import('./sendBocCommand'),
          import('./rehearseMessage'),
        ]);
        emulators ??= new RehearsalEmulator();
        await sendBocCommand(services, emulators, boc);
      },
    }),
  );
}
