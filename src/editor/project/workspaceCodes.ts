import type { Cell } from '@ton/core';
import * as vscode from 'vscode';
import { codeNamesIn } from '../../toolkit/build/codeNamesIn';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import { sourceLanguage } from '../../toolkit/abi/sourceReadings';
import type { ProjectContracts } from './projectContracts';

/**
 * The codes of the workspace's contracts that a text uses by name, `code JettonWallet`. They are remembered, so that
 * contracts with them are recognized later, whoever deploys these. In an untrusted window, nothing is compiled.
 *
 * @throws WorkbenchError those of compiling and of reading build output
 */
export async function workspaceCodes(
  project: ProjectContracts,
  text: string,
): Promise<ReadonlyMap<string, Cell>> {
  if (codeNamesIn(text).length === 0 || !vscode.workspace.isTrusted) {
    return new Map();
  }
  const { namedCodes } = await import('../../toolkit/build/namedCodes');
  return namedCodes(text, await project.list(), async (file): Promise<readonly BuiltContract[]> => {
    const uri = project.uriOf(file);
    if (uri === undefined) {
      return [];
    }
    if (sourceLanguage(file) !== undefined) {
      return project.compile(uri);
    }
    const [{ readBuiltContract }, { readWorkspaceText }] = await Promise.all([
      import('../../toolkit/build/readBuiltContract'),
      import('../ui/readWorkspaceFile'),
    ]);
    return [readBuiltContract(await readWorkspaceText(uri, 'givenFile'), uri.path)];
  });
}
