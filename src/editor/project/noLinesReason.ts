import * as vscode from 'vscode';

/** Why a workspace that is not trusted has no source lines. */
export const linesNeedTrust = 'Lines are known only in a trusted workspace, where sources can be compiled.';

/** Why the code of a contract has no source lines. */
export function noLinesReason(contract: string): string {
  return vscode.workspace.isTrusted
    ? `No source in this workspace compiles to the code of ${contract}, so its lines are not known.`
    : linesNeedTrust;
}
