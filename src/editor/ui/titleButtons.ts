import * as vscode from 'vscode';

/** A step's title buttons: back if possible, and the step's own. */
export function titleButtons({
  step = 1,
  hasBack = step > 1,
  extra,
}: {
  step?: number;
  hasBack?: boolean;
  extra?: { icon: string; tooltip: string };
}): vscode.QuickInputButton[] {
  const own =
    extra === undefined ? [] : [{ iconPath: new vscode.ThemeIcon(extra.icon), tooltip: extra.tooltip }];
  return [...(hasBack ? [vscode.QuickInputButtons.Back] : []), ...own];
}
