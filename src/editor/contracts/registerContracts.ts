import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { SendServices } from '../send/showRehearsal';
import type { Services } from '../project/services';
import { afterStart } from '../ui/afterStart';
import { LensChanges } from '../ui/readOnlyDocuments';
import { LazyTree, registerCommands } from '../ui/registerCommands';
import type { ContractElement } from './contractItems';
import type { ContractsFeature } from './contractsFeature';
import { keptWatches } from './keptWatches';
import type { SourceLenses } from './sourceLenses';

/** Pauses before each attempt to reveal a new row, in milliseconds. */
const revealPausesMs = [0, 250, 500, 1000];

/** The view "Contracts", its watches, and the lenses in sources. Implementations are loaded on first use. */
export function registerContracts(
  services: Services,
  sending: () => Promise<SendServices>,
): vscode.Disposable {
  const tree = new LazyTree<ContractElement>('contracts', services.log, { showCollapseAll: true });
  const { view } = tree;
  let loading: Promise<ContractsFeature> | undefined;
  const feature = (): Promise<ContractsFeature> => {
    loading ??= import('./contractsFeature').then((module) => {
      const loaded = new module.ContractsFeature(services, sending);
      tree.attach(loaded.tree);
      loaded.setVisible(view.visible);
      return loaded;
    });
    return loading;
  };
  const describe = (): void => {
    const { name } = services.networks.current();
    const isEmpty = services.pins.of(name).length === 0;
    // An empty view says where there is nothing, unless that is where a beginner is.
    view.description = isEmpty && name === services.networks.local().name ? '' : name;
    if (!isEmpty && view.visible) {
      void feature();
    }
  };
  const reveal = async (address: string): Promise<void> => {
    const row = await (await feature()).tree.contractRow(address);
    if (row === undefined) {
      return;
    }
    for (const pause of revealPausesMs) {
      // VS Code collects changes of a tree for 200 ms, and does not know a new row before that.
      await new Promise((resolve) => setTimeout(resolve, pause));
      try {
        return await view.reveal(row, { select: true, focus: false, expand: true });
      } catch (error) {
        services.log.debug(`The row of ${address} is not shown yet: ${String(error)}`);
      }
    }
  };
  const start = (): void => {
    describe();
    if (keptWatches(services.context.workspaceState).length > 0) {
      void feature();
    }
  };
  return vscode.Disposable.from(
    afterStart(start),
    services.pins,
    tree,
    view.onDidChangeVisibility(({ visible }) => {
      describe();
      void loading?.then((loaded) => loaded.setVisible(visible));
    }),
    services.pins.onDidChange(describe),
    services.pins.onDidReveal(({ network, address }) =>
      network === services.networks.current().name ? void reveal(address) : undefined,
    ),
    services.networks.onDidChange(describe),
    { dispose: () => void loading?.then((loaded) => loaded.dispose()) },
    afterStart(() => {
      const refresh = (): void => void loading?.then(({ tree: rows }) => rows.refresh());
      const following = import('./followDeployments').then((one) => one.followDeployments(services, refresh));
      return {
        dispose: () => {
          void following.then((one) => void one.dispose());
        },
      };
    }),
    afterStart(() => registerGetMethodLenses(services)),
    afterStart(() => void import('./offerDiagnosis').then(({ offerDiagnosis }) => offerDiagnosis(services))),
    registerCommands(services.log, {
      'tonWorkbench.diagnoseProject': async () =>
        (await import('./diagnoseCommand')).diagnoseCommand(services),
      'tonWorkbench.getStarted': async () =>
        vscode.commands.executeCommand(
          'workbench.action.openWalkthrough',
          `${services.context.extension.id}#start`,
        ),
      'tonWorkbench.newContract': async () => (await import('./newContractCommand')).newContractCommand(),
      'tonWorkbench.pinContract': async (item) => (await feature()).pin(item),
      'tonWorkbench.renameContract': async (item) => (await feature()).rename(item),
      'tonWorkbench.removeContract': async (item) => (await feature()).remove(item),
      'tonWorkbench.chooseContractSource': async (item) => (await feature()).chooseSource(item),
      'tonWorkbench.forgetContractSource': async (item) => (await feature()).forgetSource(item),
      'tonWorkbench.refreshContracts': async () => (await feature()).tree.refresh(),
      'tonWorkbench.runPinnedMethod': async (item) => (await feature()).run(item),
      'tonWorkbench.askPinnedMethod': async (item) => (await feature()).ask(item),
      'tonWorkbench.goToSource': async (item) => (await feature()).goToSource(item),
      'tonWorkbench.watchCall': async (item) => (await feature()).watch(item),
      'tonWorkbench.unwatchCall': async (item) => (await feature()).unwatch(item),
      'tonWorkbench.stopWatching': async () => (await feature()).stopWatching(),
      'tonWorkbench.verifySource': async (target) =>
        (await import('./sourceVerdicts')).sourceVerdicts(services).verify(services, target),
      'tonWorkbench.runOnContract': async (target) => (await feature()).runOn(target),
    }),
  );
}

/** Languages whose sources declare get-methods by name. */
const sources: vscode.DocumentSelector = { pattern: '**/*.{tolk,fc,func,tact}' };

/** Lenses in Tolk, FunC, and Tact sources: run get-methods, send messages, deploy. */
function registerGetMethodLenses(services: Services): vscode.Disposable {
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
