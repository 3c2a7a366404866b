import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Services } from '../services';

/** Languages whose sources declare get-methods by name. */
const sources: vscode.DocumentSelector = { pattern: '**/*.{tolk,fc,func,tact}' };

/** "Run on …" above every get-method of a Tolk, FunC, or Tact source. */
export function registerGetMethodLenses(services: Services): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const refresh = (): void => changed.fire();
  return vscode.Disposable.from(
    changed,
    services.networks.onDidChange(refresh),
    services.pins.onDidChange((pin) => (pin === undefined ? refresh() : undefined)),
    vscode.workspace.onDidChangeConfiguration((event) =>
      event.affectsConfiguration('tonWorkbench.getMethodLenses') ? refresh() : undefined,
    ),
    vscode.languages.registerCodeLensProvider(sources, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: async (document) =>
        readSetting(vscode.workspace, 'tonWorkbench.getMethodLenses')
          ? (await import('./lensesOf')).lensesOf(services, document)
          : [],
    }),
  );
}
