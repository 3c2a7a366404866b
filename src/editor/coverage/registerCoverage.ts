import * as vscode from 'vscode';
import type { CommandArguments } from '../../commandArguments';
import { runCommand } from '../../contributions';
import type { Services } from '../project/services';
import { registerCommands } from '../ui/registerCommands';
import type { CoverageRuns } from './coverageRuns';

/** Registers the coverage of contracts. The code is loaded on first use. */
export function registerCoverage(services: Services): vscode.Disposable {
  let last: CommandArguments['tonWorkbench.showCoverage'][0];
  let made: Promise<CoverageRuns> | undefined;
  const runs = (): Promise<CoverageRuns> =>
    (made ??= import('./coverageRuns').then(
      (module) =>
        new module.CoverageRuns(() => runCommand(vscode.commands, 'tonWorkbench.showCoverage', last)),
    ));
  return vscode.Disposable.from(
    { dispose: () => void made?.then((one) => one.dispose()) },
    registerCommands(services.log, {
      'tonWorkbench.showCoverage': async (given) => {
        const { showCoverageCommand } = await import('./showCoverageCommand');
        last = (await showCoverageCommand(services, await runs(), given)) ?? last;
      },
    }),
  );
}
