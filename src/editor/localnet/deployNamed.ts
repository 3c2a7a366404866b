import * as vscode from 'vscode';
import { limits } from '../../toolkit/limits';
import type { Services } from '../services';
import { deployBuilt } from './deployCommand';

/**
 * Deploys a contract of the workspace by its name: from its own source where that can be compiled here, else from what a
 * build left.
 *
 * @param source the file that the request comes from, as text of a URI
 * @returns the raw address, undefined if the user canceled
 * @throws WorkbenchError `contract-not-built` (input), and as deployBuilt
 */
export async function deployNamed(
  services: Services,
  contract: string,
  source: string | undefined,
): Promise<string | undefined> {
  return (await deployBuilt(services, await buildOf(contract, source)))?.address;
}

async function buildOf(contract: string, source: string | undefined): Promise<vscode.Uri> {
  if (source?.endsWith('.tolk') === true) {
    return vscode.Uri.parse(source);
  }
  const [files, { builtFile }] = await Promise.all([
    vscode.workspace.findFiles(
      '**/{*.compiled.json,*.pkg,*.tolk}',
      '**/node_modules/**',
      limits.projectFiles.most,
    ),
    import('../../toolkit/abi/builtFile'),
  ]);
  const path = builtFile(
    contract,
    files.map((file) => file.path),
  );
  const found = files.find((file) => file.path === path);
  if (found === undefined) {
    const { contractNotBuilt } = await import('../../toolkit/abi/abiErrors');
    throw contractNotBuilt(contract);
  }
  return found;
}
