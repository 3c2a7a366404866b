import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Services } from '../services';
import type { SourceLenses } from './sourceLenses';
import { LensChanges } from '../ui/lensChanges';

/** Languages whose sources declare get-methods by name. */
const sources: vscode.DocumentSelector = { pattern: '**/*.{tolk,fc,func,tact}' };

/** Lenses in Tolk, FunC, and Tact sources: run get-methods, send messages, deploy. */
export function registerGetMethodLenses(services: Services): vscode.Disposable {
  const changed = new LensChanges();
  const refresh = (): void => changed.fire();
  let loading: Promise<SourceLenses> | undefined;
  const lenses = (): Promise<SourceLenses> => {
    loading ??= import('./sourceLenses').then((module) => new module.SourceLenses(services, refresh));
    return loading;
  };
  return vscode.Disposable.from(
    changed,
    { dispose: () => void loading?.then((loaded) => loaded.dispose()) },
    services.networks.onDidChange(refresh),
    services.pins.onDidChange((pin) => (pin === undefined ? refresh() : undefined)),
    vscode.workspace.onDidChangeConfiguration((event) =>
      event.affectsConfiguration('tonWorkbench.getMethodLenses') ? refresh() : undefined,
    ),
    vscode.languages.registerCodeLensProvider(sources, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: async (document) =>
        readSetting(vscode.workspace, 'tonWorkbench.getMethodLenses') ? (await lenses()).of(document) : [],
    }),
  );
}
