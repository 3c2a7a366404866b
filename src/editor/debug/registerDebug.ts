import * as vscode from 'vscode';
import { debugType } from '../../contributions';
import type { ExecutionTarget } from '../../commandArguments';
import { keepNewest } from '../../toolkit/keepNewest';
import type { Log } from '../../toolkit/log';
import type { ReplayServices } from '../replay/replayServices';
import type { SendServices } from '../send/sendServices';
import { registerCommands } from '../ui/registerCommands';
import type { TitledProgram } from './debugPrograms';

/** Programs of sessions that have not begun; a program cannot be in a configuration, which is only data. */
const mostHeld = 20;

/** Registers the debugger. The code is loaded on first use. */
export function registerDebug(
  log: Log,
  use: () => Promise<ReplayServices>,
  sending: () => Promise<SendServices>,
): vscode.Disposable {
  const held = new Map<string, TitledProgram>();
  let count = 0;
  const hold = (titled: TitledProgram): string => {
    count += 1;
    const key = String(count);
    keepNewest(held, key, titled, mostHeld);
    return key;
  };
  const start = async (what: ExecutionTarget | vscode.Uri | undefined): Promise<void> => {
    const { startDebugging } = await import('./startDebugging');
    await startDebugging(await use(), what, hold);
  };
  return vscode.Disposable.from(
    registerCommands(log, {
      'tonWorkbench.debug': start,
      'tonWorkbench.debugDeclared': async (target) =>
        (await import('./debugDeclared')).debugDeclared(await use(), sending, target),
    }),
    vscode.languages.registerInlineValuesProvider(
      ['tolk', 'func', 'tact'].map((language) => ({ language })),
      {
        provideInlineValues: async (document, viewport, context) =>
          (await import('./provideInlineValues')).provideInlineValues(document, viewport, context),
      },
    ),
    vscode.debug.registerDebugConfigurationProvider(debugType, {
      resolveDebugConfiguration: async (_folder, configuration) => {
        if (configuration.request === undefined) {
          // F5 without a launch.json.
          await start(undefined);
          return undefined;
        }
        return configuration;
      },
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory(debugType, {
      createDebugAdapterDescriptor: async ({ configuration }) => {
        const [{ TonDebugSession }, { openLaunch }] = await Promise.all([
          import('../../toolkit/debug/tonDebugSession'),
          import('./openLaunch'),
        ]);
        const services = await use();
        const titled = held.get(String(configuration['program']));
        return new vscode.DebugAdapterInlineImplementation(
          new TonDebugSession((launch) => openLaunch(services, titled, launch)),
        );
      },
    }),
  );
}
