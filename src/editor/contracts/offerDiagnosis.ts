import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { Services } from '../project/services';
import { foundState } from '../../toolkit/workflows/foundState';
import type { FoundState } from '../../toolkit/workflows/foundState';

const stateKey = 'tonWorkbench.openedWithoutContracts';

/** Offers the diagnosis, once, when a folder is opened for the second time and nothing of it was found. */
export async function offerDiagnosis({ context, project }: Services): Promise<void> {
  const state = context.workspaceState;
  const before = state.get<FoundState>(stateKey);
  if (before === 'found' || vscode.workspace.workspaceFolders === undefined) {
    return;
  }
  if (before === undefined) {
    // The first time, nothing is read for this: a start is quick.
    await state.update(stateKey, foundState(before, false).kept);
    return;
  }
  const contracts = await project.list();
  const isFound = contracts.some(
    ({ methods, messages, codeHash }) =>
      methods.length > 0 || (messages?.size ?? 0) > 0 || codeHash !== undefined,
  );
  const { kept, isOffered } = foundState(before, isFound || vscode.debug.breakpoints.length > 0);
  await state.update(stateKey, kept);
  if (!isOffered) {
    return;
  }
  const why = 'Why?';
  const chosen = await vscode.window.showInformationMessage(
    'TON Workbench has found no contract in this folder: no get-method, message, or code.',
    why,
  );
  if (chosen === why) {
    await runCommand(vscode.commands, 'tonWorkbench.diagnoseProject');
  }
}
