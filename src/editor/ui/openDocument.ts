import * as vscode from 'vscode';
import { readWorkspaceText } from './readWorkspaceFile';

/** The document of a file that is open, with its unsaved changes. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/**
 * The text of a file of the project, as it is in its editor if it is open.
 * @throws as {@link readWorkspaceText}
 */
export async function currentText(uri: vscode.Uri): Promise<string> {
  return openDocument(uri)?.getText() ?? readWorkspaceText(uri, 'projectFileBytes');
}
