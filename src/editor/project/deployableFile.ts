import * as vscode from 'vscode';
import type { ProjectContracts } from './projectContracts';

/**
 * The file that a workspace contract can be deployed from: its source if that can be compiled here and is not
 * older than the build output, else the build output; undefined if there is neither.
 *
 * @param source the file that the request comes from, as text of a URI
 */
export async function deployableFile(
  project: ProjectContracts,
  contract: string,
  source: string | undefined,
): Promise<vscode.Uri | undefined> {
  const own = source === undefined ? undefined : vscode.Uri.parse(source);
  if (own?.path.endsWith('.tolk') === true) {
    return own;
  }
  const [contracts, { builtFile }, { hasCompiler }] = await Promise.all([
    project.list(),
    import('../../toolkit/contracts/abi/projectContract'),
    import('../../toolkit/build/projectCompiler'),
  ]);
  const file = own && vscode.workspace.asRelativePath(own);
  const path = builtFile(contracts, { name: contract, file });
  const built = path === undefined ? undefined : project.uriOf(path);
  if (own === undefined || !hasCompiler(own.fsPath, vscode.workspace.isTrusted)) {
    return built;
  }
  return built !== undefined && (await isNewer(built, own)) ? built : own;
}

async function isNewer(file: vscode.Uri, other: vscode.Uri): Promise<boolean> {
  const [{ mtime }, { mtime: otherTime }] = await Promise.all([
    vscode.workspace.fs.stat(file),
    vscode.workspace.fs.stat(other),
  ]);
  return mtime > otherTime;
}
