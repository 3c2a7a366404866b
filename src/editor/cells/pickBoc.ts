import * as vscode from 'vscode';

/** A BoC given by the user, and its origin. */
export interface PickedBoc {
  /** Text (base64 or hex) or the bytes of a file. */
  content: string | Uint8Array;
  /** The file's name; undefined for text. */
  name: string | undefined;
}

/**
 * Asks where the BoC comes from: the most likely sources come first.
 * @returns undefined if the user canceled
 */
export async function pickBoc(title: string, question: string): Promise<PickedBoc | undefined> {
  const { looksLikeBoc } = await import('../../toolkit/cell/parseBocInput');
  const editor = vscode.window.activeTextEditor;
  const selected = editor === undefined ? '' : editor.document.getText(editor.selection).trim();
  const copied = (await vscode.env.clipboard.readText()).trim();
  const fits = (text: string): boolean => text !== '' && looksLikeBoc(text);
  const items = [
    ...(fits(selected)
      ? [{ label: '$(selection) Selection', description: short(selected), boc: selected }]
      : []),
    ...(fits(copied) ? [{ label: '$(clippy) Clipboard', description: short(copied), boc: copied }] : []),
    { label: '$(folder-opened) File…', description: '.boc, or base64 or hex as text', boc: undefined },
  ];
  const placeHolder =
    fits(selected) || fits(copied) ? question : 'No BoC in the selection or on the clipboard';
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
  if (picked === undefined) {
    return undefined;
  }
  if (picked.boc !== undefined) {
    return { content: picked.boc, name: undefined };
  }
  const [file] =
    (await vscode.window.showOpenDialog({
      title,
      filters: { 'Bag of cells': ['boc'], 'All files': ['*'] },
    })) ?? [];
  return file === undefined ? undefined : readBocFile(file);
}

/** The bytes of a file, unless it is too large to be a BoC we read, in binary or hex. */
export async function readBocFile(file: vscode.Uri): Promise<PickedBoc> {
  const { bocLimits } = await import('../../toolkit/cell/bocLimits');
  const { bocError } = await import('../../toolkit/cell/bocError');
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > bocLimits.bytes * 3) {
    throw bocError('boc-too-large', 0, `the file has ${size.toLocaleString()} bytes`);
  }
  const content = await vscode.workspace.fs.readFile(file);
  return { content, name: file.path.slice(file.path.lastIndexOf('/') + 1) };
}

function short(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
