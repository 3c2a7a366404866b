import * as vscode from 'vscode';
import { sourceProblems } from '../project/sourceProblems';
import type { Services } from '../project/services';
import { withProgress } from '../ui/withProgress';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import { readWorkspaceText } from '../ui/readWorkspaceFile';

/**
 * Reads a contract from a file of the workspace: compiler output, or a source, which is compiled with the
 * editors' unsaved changes. Compiler errors are shown in the Problems view.
 * @param wanted its name, if the source declares several; else the user is asked
 * @returns undefined if the user canceled
 * @throws WorkbenchError `build-unreadable`, `contract-ambiguous` (input), and as {@link ProjectContracts.compile}
 */
export async function readContractFile(
  services: Services,
  file: vscode.Uri,
  wanted: string | undefined,
): Promise<BuiltContract | undefined> {
  if (sourceLanguage(file.path) === undefined) {
    const { readBuiltContract } = await import('../../toolkit/build/readBuiltContract');
    return readBuiltContract(await readWorkspaceText(file, 'givenFile'), file.path);
  }
  const built = await withProgress('Compiling', () => sourceProblems(services).compile(file));
  const { oneContract } = await import('../../toolkit/build/oneContract');
  if (wanted !== undefined || built.length < 2) {
    return oneContract(built, file.path, wanted);
  }
  const picked = await vscode.window.showQuickPick(
    built.map((contract) => ({ label: contract.name, contract })),
    { title: 'TON: Deploy to the Local Network', placeHolder: 'Which contract of this file?' },
  );
  return picked?.contract;
}
