import * as vscode from 'vscode';
import type { ExecutionTarget } from '../../commandArguments';
import { debugType, runCommand } from '../../contributions';
import { sourceLanguage } from '../../toolkit/abi/sourceReadings';
import { targetOfEditor } from '../replay/findReplayTarget';
import { knownRuns } from '../replay/knownRuns';
import type { ReplayServices } from '../replay/replayServices';
import { debugProgramOf } from './debugPrograms';
import type { TitledProgram } from './debugPrograms';

/**
 * TON: Debug…: starts a session for a row, page, hash, or answer; for a source, for one of the last runs of its
 * contract; for a saved replay, for that; for a call sheet, for the step at the cursor.
 *
 * @param hold keeps a program until its session begins, and returns its key
 */
export async function startDebugging(
  services: ReplayServices,
  given: ExecutionTarget | vscode.Uri | undefined,
  hold: (titled: TitledProgram) => string,
): Promise<void> {
  const what = given ?? targetOfEditor() ?? vscode.window.activeTextEditor?.document.uri ?? activeFile();
  if (what instanceof vscode.Uri && what.path.endsWith('.tonreplay')) {
    await begin({ request: 'launch', file: what.fsPath }, what.path.split('/').at(-1) ?? 'replay');
    return;
  }
  const open = vscode.window.activeTextEditor?.document;
  if (open?.languageId === 'toncall' && open.uri === what) {
    await runCommand(vscode.commands, 'tonWorkbench.debugSheetStep');
    return;
  }
  const run = what instanceof vscode.Uri ? await runOfSource(services, what) : { target: what };
  if (run === undefined) {
    return;
  }
  const titled = await debugProgramOf(services, run.target);
  if (titled !== undefined) {
    await begin({ request: 'launch', program: hold(titled) }, titled.title);
  }
}

async function begin(
  configuration: { request: string; [key: string]: unknown },
  name: string,
): Promise<void> {
  await vscode.debug.startDebugging(undefined, { type: debugType, name, ...configuration });
}

/** One of the last runs of the contract in a source, or none, to ask for a hash; undefined if the user canceled. */
async function runOfSource(
  services: ReplayServices,
  uri: vscode.Uri,
): Promise<{ target: ExecutionTarget | undefined } | undefined> {
  if (uri.scheme !== 'file' || sourceLanguage(uri.path) === undefined) {
    return { target: undefined };
  }
  const runs = await knownRuns(services, uri);
  if (runs.length < 2) {
    return { target: runs[0]?.target };
  }
  const picked = await vscode.window.showQuickPick(runs, {
    title: 'TON: Debug',
    placeHolder: 'Choose the run to debug',
    matchOnDescription: true,
  });
  return picked;
}

/** The file of a custom editor, such as that of a saved replay. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? input.uri : undefined;
}
