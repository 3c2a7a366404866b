import * as vscode from 'vscode';
import type { ExecutionTarget } from '../../commandTargets';
import { debugType, runCommand } from '../../contributions';
import { fileName } from '../../toolkit/base/text';
import { chooseTargets } from '../replay/knownRuns';
import { targetOfEditor } from '../replay/findReplayTarget';
import type { ReplayServices } from '../replay/replays';
import { debugProgramOf, debugTitle } from './debugPrograms';
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
    await begin({ request: 'launch', file: what.fsPath }, fileName(what.path));
    return;
  }
  const open = vscode.window.activeTextEditor?.document;
  if (open?.languageId === 'toncall' && open.uri === what) {
    await runCommand(vscode.commands, 'tonWorkbench.debugSheetStep');
    return;
  }
  const targets = await chooseTargets(services, debugTitle, what, { one: true });
  if (targets === undefined) {
    return;
  }
  const titled = await debugProgramOf(services, targets[0]);
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

/** The file of a custom editor, such as that of a saved replay. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? input.uri : undefined;
}
