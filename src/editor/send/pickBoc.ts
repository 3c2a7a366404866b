import * as vscode from 'vscode';

/**
 * Where the BoC comes from: what is at hand stands first.
 * @returns its text (base64 or hex) or bytes, or undefined when the user left
 */
export async function pickBoc(): Promise<string | Uint8Array | undefined> {
  const { looksLikeBoc } = await import('../../toolkit/cell/parseBocInput');
  const editor = vscode.window.activeTextEditor;
  const selected = editor === undefined ? '' : editor.document.getText(editor.selection).trim();
  const copied = (await vscode.env.clipboard.readText()).trim();
  const fits = (text: string): boolean => text !== '' && looksLikeBoc(text);
  const items = [
    ...(fits(selected)
      ? [{ label: '$(selection) The selection', description: short(selected), boc: selected }]
      : []),
    ...(fits(copied) ? [{ label: '$(clippy) The clipboard', description: short(copied), boc: copied }] : []),
    { label: '$(folder-opened) A file…', description: '.boc, or base64 or hex as text', boc: undefined },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'TON: Send BoC',
    placeHolder:
      fits(selected) || fits(copied) ? 'Which message?' : 'Neither selection nor clipboard holds a BoC',
  });
  if (picked === undefined || picked.boc !== undefined) {
    return picked?.boc;
  }
  const [file] =
    (await vscode.window.showOpenDialog({
      title: 'Send a BoC',
      filters: { 'Bag of cells': ['boc'], 'All files': ['*'] },
    })) ?? [];
  return file === undefined ? undefined : vscode.workspace.fs.readFile(file);
}

function short(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
