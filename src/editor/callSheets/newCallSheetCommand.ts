import * as vscode from 'vscode';
import type { Services } from '../services';

/**
 * TON: New Call Sheet: opens an unsaved sheet with working example steps for the network of the workspace.
 */
export async function newCallSheetCommand({ networks }: Services): Promise<void> {
  const network = networks.current();
  const content = [
    '# Get-method calls, messages, and what you expect of them. Run is above each step.',
    `@network ${network.name.toLowerCase()}`,
    ...(network.kind === 'local' ? localSteps : otherSteps),
    '',
  ].join('\n');
  const uri = await freeName();
  // Without a folder there is nowhere to save it, so it gets no name.
  const document = await (uri === undefined
    ? vscode.workspace.openTextDocument({ language: 'toncall', content })
    : vscode.workspace.openTextDocument(uri));
  if (uri !== undefined) {
    const fill = new vscode.WorkspaceEdit();
    fill.insert(uri, new vscode.Position(0, 0), content);
    await vscode.workspace.applyEdit(fill);
  }
  await vscode.window.showTextDocument(document, { preview: false });
}

const localSteps: readonly string[] = [
  '',
  '### a call',
  'alice seqno()',
  'expect exit 0',
  '',
  '### a scenario: whatever it does is undone at its end',
  '@restore',
  '# deploy contracts/counter.tolk {owner: alice, value: 0} as Counter',
  'send bob 1ton comment "hello" from alice',
  'expect exit 0',
  'expect alice seqno() > 0',
];

const otherSteps: readonly string[] = ['@contract = ', '', '### a call', 'contract seqno()', 'expect exit 0'];

/** A file name that is free in the workspace: the tab shows it, and Save uses it. */
async function freeName(): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri;
  for (let number = 1; folder !== undefined && number < 100; number++) {
    const file = vscode.Uri.joinPath(folder, number === 1 ? 'calls.toncall' : `calls-${number}.toncall`);
    const uri = file.with({ scheme: 'untitled' });
    const isOpen = vscode.workspace.textDocuments.some((one) => one.uri.toString() === uri.toString());
    if (!isOpen && !(await exists(file))) {
      return uri;
    }
  }
  return undefined;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
