import * as vscode from 'vscode';

/** The document of a file that is open, with its unsaved changes. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** The text of a file, as it is in its editor if it is open. */
export async function currentText(uri: vscode.Uri): Promise<string> {
  return openDocument(uri)?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
