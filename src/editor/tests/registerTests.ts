import * as vscode from 'vscode';
import type { RegisteredDebug } from '../debug/registerDebug';
import type { RegisteredReplay } from '../replay/registerReplay';
import type { Services } from '../project/services';
import { afterStart } from '../ui/afterStart';
import { registerCommands } from '../ui/registerCommands';
import { findTestPaths } from './findTestPaths';
import type { MutationTesting } from './mutationTesting';
import type { TestsFeature } from './testsFeature';

/** Registers tests of contracts, and the debugger that they lead to. Their code is loaded in workspaces that have files with tests. */
export function registerTests(
  services: Services,
  replay: RegisteredReplay,
  debug: RegisteredDebug,
): vscode.Disposable {
  let made: Promise<TestsFeature> | undefined;
  const use = (): Promise<TestsFeature> =>
    (made ??= Promise.all([import('./testsFeature'), replay.use()]).then(
      ([module, all]) => new module.TestsFeature(all, debug),
    ));
  let mutants: Promise<MutationTesting> | undefined;
  return vscode.Disposable.from(
    debug,
    { dispose: () => void mutants?.then((one) => one.dispose()) },
    { dispose: () => void made?.then((one) => one.dispose()) },
    registerCommands(services.log, {
      'tonWorkbench.openTestTrace': async (target) => (await use()).openTrace(target),
      'tonWorkbench.debugTest': async (target) => (await use()).debugTest(target),
      'tonWorkbench.stepIntoContract': async () =>
        (await import('./stepIntoContract')).stepIntoContract(await use()),
      'tonWorkbench.mutateTests': async () => {
        mutants ??= import('./mutationTesting').then((module) => new module.MutationTesting(services));
        await (await mutants).run();
      },
      'tonWorkbench.clearSurvivors': async () => (await mutants)?.clear(),
    }),
    afterStart(() => {
      findTestPaths()
        .then(([first]) => first && use())
        .catch((error: unknown) => services.log.error('tests could not be loaded', error));
    }),
  );
}
