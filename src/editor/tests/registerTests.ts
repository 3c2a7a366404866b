import * as vscode from 'vscode';
import type { RegisteredDebug } from '../debug/registerDebug';
import type { RegisteredReplay } from '../replay/registerReplay';
import type { Services } from '../project/services';
import { afterStart } from '../ui/afterStart';
import { registerCommands } from '../ui/registerCommands';
import type { TestsFeature } from './testsFeature';

/** Scripts, of which those may have tests that {@link isTestPath} says. Alternatives of a pattern cannot be nested. */
export const scriptPattern = '**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx}';
const excluded = '**/{node_modules,.git}/**';
/** Most scripts of a workspace that are looked at. */
const most = 5_000;

/** Whether a file may have tests, by its name or folder. */
export function isTestPath(path: string): boolean {
  return (
    /\.[cm]?[jt]sx?$/.test(path) &&
    (/[./](?:test|spec)\.[a-z]+$/.test(path) || /\/(?:tests?|__tests__|spec)\//.test(path)) &&
    !path.includes('/node_modules/')
  );
}

/** The files of the workspace that may have tests. */
export async function findTestPaths(): Promise<vscode.Uri[]> {
  const found = await vscode.workspace.findFiles(scriptPattern, excluded, most);
  return found.filter(({ path }) => isTestPath(path));
}

/** Registers tests of contracts. Their code is loaded in workspaces that have files with tests. */
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
  return vscode.Disposable.from(
    { dispose: () => void made?.then((one) => one.dispose()) },
    registerCommands(services.log, {
      'tonWorkbench.openTestTrace': async (target) => (await use()).openTrace(target),
      'tonWorkbench.debugTest': async (target) => (await use()).debugTest(target),
      'tonWorkbench.stepIntoContract': async () =>
        (await import('./stepIntoContract')).stepIntoContract(await use()),
    }),
    afterStart(() => {
      findTestPaths()
        .then(([first]) => first && use())
        .catch((error: unknown) => services.log.error('tests could not be loaded', error));
    }),
  );
}
