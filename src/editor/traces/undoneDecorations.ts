import * as vscode from 'vscode';

const scheme = 'ton-undone';

/** By this URI a row is dimmed; see {@link UndoneDecorations}. */
export function undoneUri(key: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${key}` });
}

/** Dims the rows of what the local network has undone: a tree item has no style of its own. */
export class UndoneDecorations implements vscode.FileDecorationProvider {
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return uri.scheme === scheme
      ? new vscode.FileDecoration(undefined, 'undone', new vscode.ThemeColor('disabledForeground'))
      : undefined;
  }
}
