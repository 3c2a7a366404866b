import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { LimitName } from '../../toolkit/base/limits';
import { overLimitError } from '../../toolkit/base/limits';
import { mostBytesOf } from '../../toolkit/base/readUserFile';
import { fileName, isCoinLabel } from '../../toolkit/base/text';

/**
 * The one way to read a file of the workspace, of any file system: nothing but a file, within a limit in bytes or characters.
 * @throws WorkbenchError `over-limit`, `file-unreadable` (input), and the errors of the file system
 */
export async function readWorkspaceFile(uri: vscode.Uri, limit: LimitName): Promise<Uint8Array> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  const name = fileName(uri.path);
  if ((type & vscode.FileType.File) === 0) {
    throw new WorkbenchError({
      code: 'file-unreadable',
      kind: 'input',
      message: `${name} is not a file.`,
      hint: 'Choose a file: folders, devices, and pipes are not read.',
    });
  }
  if (size > mostBytesOf(limit)) {
    throw overLimitError(limit, { what: `The file ${name}` });
  }
  return vscode.workspace.fs.readFile(uri);
}

/** As {@link readWorkspaceFile}, as text. */
export async function readWorkspaceText(uri: vscode.Uri, limit: LimitName): Promise<string> {
  return new TextDecoder().decode(await readWorkspaceFile(uri, limit));
}

/** Whether there is a file or folder at this place. */
export async function fileExists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** The setting `tonWorkbench.coinLabel`, or its default if it is not a short word. */
export function coinLabel(): string {
  const label: unknown = readSetting(vscode.workspace, 'tonWorkbench.coinLabel');
  return isCoinLabel(label) ? label : 'TON';
}
