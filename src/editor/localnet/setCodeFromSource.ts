import { Cell } from '@ton/core';
import * as vscode from 'vscode';
import type { CodeTarget } from '../../commandTargets';
import { runCommand } from '../../contributions';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import { accountWord } from '../project/accountName';
import type { Services } from '../project/services';
import { withProgress } from '../ui/withProgress';
import { setPart, stateOf } from './accountEdits';
import { readContractFile } from './readContractFile';

/**
 * Gives a contract on the local network the code that its source now compiles to; data and balance stay as
 * they are. Asks first if the data does not fit the source, or get-methods fail on it. Can be undone.
 * @throws WorkbenchError as {@link readContractFile}
 */
export async function setCodeFromSource(services: Services, { file, addresses }: CodeTarget): Promise<void> {
  const address = await chooseAddress(services, addresses);
  if (address === undefined) {
    return;
  }
  const { code, data } = await stateOf(services, address);
  const before = code === undefined ? undefined : Cell.fromBase64(code).hash().toString('hex');
  const contract = before === undefined ? undefined : services.project.compiledFrom(before)?.name;
  const built = await readContractFile(services, vscode.Uri.parse(file), contract);
  if (built === undefined) {
    return;
  }
  const doubts = data === undefined ? [] : await doubtsOf(services, built, Cell.fromBase64(data), file);
  const name = accountWord(services, services.networks.local())(address);
  if (doubts.length > 0) {
    const detail = `${doubts.join('\n')}\n\nIts data stays as it is.`;
    const question = `The new code may not work with the data of ${name}.`;
    const [redeploy, anyway] = ['Redeploy…', 'Set Code Anyway'];
    // The first button is the default: the one that breaks nothing.
    const modal = { modal: true, detail };
    const answer = await vscode.window.showWarningMessage(question, modal, redeploy, anyway);
    if (answer === redeploy) {
      await runCommand(vscode.commands, 'tonWorkbench.localDeploy', vscode.Uri.parse(file));
    }
    if (answer !== anyway) {
      return;
    }
  }
  await setPart(services, address, 'code', { code: built.code }, code === undefined ? undefined : { code });
}

async function chooseAddress(services: Services, addresses: readonly string[]): Promise<string | undefined> {
  if (addresses.length < 2) {
    return addresses[0];
  }
  const word = accountWord(services, services.networks.local());
  const picked = await vscode.window.showQuickPick(
    addresses.map((address) => ({ label: word(address), address })),
    { title: 'TON: Set Code', placeHolder: 'Whose code?' },
  );
  return picked?.address;
}

async function doubtsOf(
  services: Services,
  built: BuiltContract,
  data: Cell,
  file: string,
): Promise<string[]> {
  const path = vscode.workspace.asRelativePath(vscode.Uri.parse(file));
  const { tryNewCode } = await import('../../toolkit/workflows/tryNewCode');
  return withProgress('Trying the get-methods', async () => {
    const [access, contracts] = await Promise.all([
      services.connections.open(services.networks.local()),
      services.project.list(),
    ]);
    return tryNewCode({ access, contracts, log: services.log }, built, data, path);
  });
}
