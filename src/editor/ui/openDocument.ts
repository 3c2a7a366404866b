import * as vscode from 'vscode';

/** The document of a file that is open, with its unsaved changes. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/**
 * The text of a file of the project, as it is in its editor if it is open.
 * @throws as `readWorkspaceText`
 */
export async function currentText(uri: vscode.Uri): Promise<string> {
  const open = openDocument(uri);
  if (open !== undefined) {
    return open.getText();
  }
  // With the limits, larger than all that a window starts with.
  const [{ readWorkspaceText }, { projectFileLimit }] = await Promise.all([
    import('./readWorkspaceFile'),
    import('../../toolkit/contracts/abi/projectFile'),
  ]);
  return readWorkspaceText(uri, projectFileLimit(uri.path));
}
