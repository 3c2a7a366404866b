import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { NewContract, NewContractKind } from '../../toolkit/project/newContract';
import type { TestedLanguage } from '../../toolkit/project/templates/newTests';
import { fileExists } from '../ui/readWorkspaceFile';

const title = 'TON: New Contract';

interface ContractRow extends vscode.QuickPickItem {
  choice: { kind: NewContractKind['kind']; language: TestedLanguage };
}

/**
 * TON: New Contract…: a contract with its call sheet and its test, in the folder of the workspace. Nothing is
 * overwritten, run, or fetched.
 */
export async function newContractCommand(): Promise<void> {
  const folder = await askFolder();
  const { newContract, newContractKinds, newContractLanguages } =
    await import('../../toolkit/project/newContract');
  const rows = newContractKinds.flatMap(({ kind, what, languages }) =>
    languages.map((language): ContractRow => {
      const { label, compiler } = newContractLanguages[language];
      const needs = compiler === undefined ? 'runs at once' : `needs ${compiler} in node_modules`;
      const name = `${kind === 'counter' ? 'Counter' : 'Jetton'} in ${label}`;
      return { label: name, description: needs, detail: what, choice: { kind, language } };
    }),
  );
  const picked =
    folder &&
    (await vscode.window.showQuickPick(rows, {
      title,
      placeHolder: 'Choose a contract; its call sheet and its test come with it',
    }));
  if (folder === undefined || picked === undefined) {
    return;
  }
  const made = newContract(picked.choice.kind, picked.choice.language);
  await writeFiles(folder, made);
  const contract = vscode.Uri.joinPath(folder, made.files[0]?.path ?? '');
  await vscode.window.showTextDocument(contract, { preview: false });
  void tellNext(folder, contract, made);
}

async function writeFiles(folder: vscode.Uri, { files }: NewContract): Promise<void> {
  const found = await Promise.all(
    files.map(async ({ path }) => ((await fileExists(vscode.Uri.joinPath(folder, path))) ? [path] : [])),
  );
  const there = found.flat();
  if (there.length > 0) {
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: `${there.join(' and ')} ${there.length === 1 ? 'exists' : 'exist'} already. Nothing was written.`,
      hint: 'Choose another contract, or move them away.',
    });
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { path, text } of files) {
    // Fails if a file came in between.
    edit.createFile(vscode.Uri.joinPath(folder, path), {
      overwrite: false,
      contents: new TextEncoder().encode(text),
    });
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new WorkbenchError({
      code: 'output-failed',
      kind: 'failed',
      message: 'The files of the new contract could not be written.',
      hint: 'Look at the rights of the folder.',
    });
  }
}

/** The next steps: deploying it, and what its test needs. */
async function tellNext(
  folder: vscode.Uri,
  contract: vscode.Uri,
  { sheet, test, packages, compiler }: NewContract,
): Promise<void> {
  const [deploy, openSheet, install] = ['Deploy…', 'Open Call Sheet', 'Install in a Terminal…'];
  const needs =
    compiler === undefined
      ? `Its call sheet runs at once, its test with ${packages.join(', ')} from npm.`
      : `Both need ${packages.join(', ')} from npm.`;
  const answer = await vscode.window.showInformationMessage(
    `Made the contract, ${sheet}, and ${test}. ${needs}`,
    ...(compiler === undefined ? [deploy, openSheet, install] : [install, deploy, openSheet]),
  );
  if (answer === deploy) {
    await runCommand(vscode.commands, 'tonWorkbench.localDeploy', contract);
  } else if (answer === openSheet) {
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, sheet), { preview: false });
  } else if (answer === install) {
    // The user starts it: nothing is fetched unasked.
    const terminal = vscode.window.createTerminal({ name: 'New contract', cwd: folder });
    terminal.show();
    terminal.sendText(`npm install --save-dev ${packages.join(' ')}`, false);
  }
}

/** The folder to put it in; asked for if there are several. @returns undefined if the user canceled */
async function askFolder(): Promise<vscode.Uri | undefined> {
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    throw new WorkbenchError({
      code: 'no-folder',
      kind: 'input',
      message: 'No folder is open to put a contract in.',
      hint: 'Open an empty folder first.',
    });
  }
  return others.length === 0
    ? folder.uri
    : (await vscode.window.showWorkspaceFolderPick({ placeHolder: 'Choose the folder of the contract' }))
        ?.uri;
}
