import * as vscode from 'vscode';

const scheme = 'ton-undone';

/** The URI by which a row is dimmed; see {@link UndoneDecorations}. */
export function undoneUri(key: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${key}` });
}

/** Dims the rows of traces that the local network has undone, because a tree item has no style of its own. */
export class UndoneDecorations implements vscode.FileDecorationProvider {
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return uri.scheme === scheme
      ? new vscode.FileDecoration(undefined, 'undone', new vscode.ThemeColor('disabledForeground'))
      : undefined;
  }
}
