import * as vscode from 'vscode';
import type { CallSheetRef, TraceRef } from '../../commandTargets';
import type { SendServices } from '../send/showRehearsal';
import type { TraceServices } from '../traces/liveTraces';
import { afterStart } from '../ui/afterStart';
import { registerCommands } from '../ui/registerCommands';
import type { CallSheets } from './callSheets';
import { sheetFiles } from '../../toolkit/callSheet/sheetFiles';

/** The language of call sheets, as package.json names it. */
const language = 'toncall';

/** Registers call sheets (*.toncall). Everything else is loaded when one is opened or a command needs it. */
export function registerCallSheets(
  services: TraceServices,
  sending: () => Promise<SendServices>,
): vscode.Disposable {
  const disposables: vscode.Disposable[] = [];
  let loading: Promise<CallSheets> | undefined;
  let controller: vscode.TestController | undefined;
  const tests = (): vscode.TestController => {
    controller ??= vscode.tests.createTestController('tonWorkbench.callSheets', 'TON call sheets');
    // Called when the Test Explorer is first shown.
    controller.resolveHandler ??= async () => (await feature()).findTests();
    return controller;
  };
  const load = async (): Promise<CallSheets> => {
    // In two steps, between which the host comes to its timers: the API's schemas are a third of the work.
    await import('../../toolkit/access/v3/v3Endpoints');
    const { CallSheets: Feature } = await import('./callSheets');
    const made = new Feature(services, tests(), sending);
    disposables.push(made.register());
    return made;
  };
  const feature = (): Promise<CallSheets> => (loading ??= load());
  const loadFor = ({ languageId }: vscode.TextDocument): void => {
    if (languageId === language) {
      feature().catch((error: unknown) => services.log.error('call sheets could not be loaded', error));
    }
  };
  vscode.workspace.textDocuments.forEach(loadFor);
  // Only workspaces with sheets get a group in the Test Explorer.
  const looking = afterStart(() => {
    void vscode.workspace.findFiles(sheetFiles.pattern, sheetFiles.excluded, 1).then(([first]) => {
      if (first !== undefined) {
        tests();
      }
    });
  });
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(loadFor),
    registerCommands(services.log, {
      'tonWorkbench.newCallSheet': async () =>
        (await import('./newCallSheetCommand')).newCallSheetCommand(services),
      'tonWorkbench.runCallSheet': async () => (await feature()).runAll(),
      'tonWorkbench.runSheetCall': async (ref?: CallSheetRef) => (await feature()).run(ref),
      'tonWorkbench.debugSheetStep': async (ref?: CallSheetRef) =>
        (await feature()).debug(ref, await sending()),
      'tonWorkbench.watchSheetCall': async (ref?: CallSheetRef) => (await feature()).watch(ref),
      'tonWorkbench.stopSheetWatch': async (ref?: CallSheetRef) => (await feature()).stop(ref),
      'tonWorkbench.copySheetCall': async (ref?: CallSheetRef) => (await feature()).copy(ref),
      'tonWorkbench.compareSheetCall': async (ref?: CallSheetRef) => (await feature()).compare(ref),
      'tonWorkbench.exploreOrders': async (sheet?: string) => (await feature()).explore(sheet),
      'tonWorkbench.keepOrder': async (ref: TraceRef) => (await feature()).keepOrder(ref),
    }),
    { dispose: () => void vscode.Disposable.from(...disposables).dispose() },
    looking,
    { dispose: () => controller?.dispose() },
  );
}
