import * as vscode from 'vscode';
import type { Services } from '../project/services';
import { fileExists } from '../ui/readWorkspaceFile';

/**
 * TON: New Call Sheet: opens an unsaved sheet with working example steps for the network of the workspace: on the local
 * network with the contract of the active editor, else the project's first one.
 */
export async function newCallSheetCommand({ networks, project, log }: Services): Promise<void> {
  const network = networks.current();
  const own = network.kind === 'local' ? await ownSteps(project, log) : [];
  const content = [
    '# Get-method calls, messages, and what you expect of them. Run is above each step.',
    `@network ${network.name.toLowerCase()}`,
    ...(network.kind === 'local' ? [...callSteps, ...(own.length > 0 ? own : sendSteps)] : otherSteps),
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

/** Steps with a contract of the project; none if it has no contract that can be compiled. */
async function ownSteps(project: Services['project'], log: Services['log']): Promise<string[]> {
  const [{ exampleContract, exampleSteps }, { projectLayouts }, { hasCompiler }] = await Promise.all([
    import('../../toolkit/callSheet/exampleSteps'),
    import('../../toolkit/contracts/layouts/projectLayouts'),
    import('../../toolkit/build/projectCompiler'),
  ]);
  const active = vscode.window.activeTextEditor?.document.uri;
  try {
    const contracts = await project.list();
    const contract = exampleContract(
      contracts,
      active === undefined ? undefined : vscode.workspace.asRelativePath(active),
      (file) => hasCompiler(project.uriOf(file)?.fsPath ?? file, vscode.workspace.isTrusted),
    );
    return contract === undefined
      ? []
      : ['', ...exampleSteps(contract, contract.file, await projectLayouts(contracts), 'alice')];
  } catch (error) {
    log.debug(`no contract for a new call sheet: ${String(error)}`);
    return [];
  }
}

const callSteps: readonly string[] = ['', '### a call', 'alice seqno()', 'expect exit 0'];

const sendSteps: readonly string[] = [
  '',
  '### a scenario: whatever it does is undone at its end',
  '@restore',
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
    if (!isOpen && !(await fileExists(file))) {
      return uri;
    }
  }
  return undefined;
}
