import * as vscode from 'vscode';
import type { ExecutionTarget } from '../../commandTargets';
import { runCommand } from '../../contributions';
import { sourceLanguage } from '../../toolkit/abi/sourceReadings';
import { counted } from '../../toolkit/trace/figures';
import { knownRuns } from './knownRuns';
import type { ReplayServices } from './replayServices';

/**
 * The executions that a command is about: the given one, or one of the last runs of the contract in the given source,
 * else in the editor's; or all of these runs, unless the command takes only one.
 *
 * @returns undefined if the user canceled; an undefined target is asked for later
 */
export async function chooseTargets(
  services: ReplayServices,
  title: string,
  given: ExecutionTarget | vscode.Uri | undefined,
  { one = false }: { one?: boolean } = {},
): Promise<readonly (ExecutionTarget | undefined)[] | undefined> {
  if (given !== undefined && !isUri(given)) {
    return [given];
  }
  const file = given ?? vscode.window.activeTextEditor?.document.uri;
  if (file?.scheme !== 'file' || sourceLanguage(file.path) === undefined) {
    return [undefined];
  }
  let runs = await knownRuns(services, file);
  if (runs.length === 0) {
    const next = await explainNoRuns();
    runs = next === 'run' ? await knownRuns(services, file) : [];
    if (runs.length === 0) {
      return next === 'enter' ? [undefined] : undefined;
    }
  }
  if (runs.length === 1) {
    return [runs[0]!.target];
  }
  const last = runs.filter((run, index) => runs.findIndex(({ what }) => what === run.what) === index);
  const all = {
    label: `$(checklist) The last run of each: ${counted(last.length, 'run')}`,
    description: '',
    targets: last.map(({ target }) => target),
  };
  const items = [
    ...runs.map(({ label, description, target }) => ({ label, description, targets: [target] })),
    { label: '$(search) A transaction by its hash…', description: '', targets: [undefined] },
  ];
  const picked = await vscode.window.showQuickPick(one || last.length < 2 ? items : [all, ...items], {
    title,
    placeHolder: 'Choose the run',
    matchOnDescription: true,
  });
  return picked?.targets;
}

/** Tells that there is nothing to choose from, and does what the user chooses: then there may be. */
async function explainNoRuns(): Promise<'run' | 'enter' | undefined> {
  const [run, enter] = ['Run Get-Method…', 'Enter a Hash…'];
  const choice = await vscode.window.showInformationMessage(
    'No run of this contract is known in this window yet. Send it a message or run a get-method first.',
    run,
    enter,
  );
  if (choice !== run) {
    return choice === enter ? 'enter' : undefined;
  }
  await runCommand(vscode.commands, 'tonWorkbench.runGetMethod');
  return 'run';
}

function isUri(given: ExecutionTarget | vscode.Uri): given is vscode.Uri {
  return typeof given === 'object' && 'scheme' in given;
}
