import * as vscode from 'vscode';
import { limits } from '../../toolkit/limits';

/**
 * The file that a workspace contract can be deployed from: its source if that can be compiled here and is not
 * older than the build output, else the build output; undefined if there is neither.
 *
 * @param source the file that the request comes from, as text of a URI
 */
export async function deployableFile(
  contract: string,
  source: string | undefined,
): Promise<vscode.Uri | undefined> {
  const own = source === undefined ? undefined : vscode.Uri.parse(source);
  if (own?.path.endsWith('.tolk') === true) {
    return own;
  }
  const [files, { builtFile }, { hasCompiler }] = await Promise.all([
    vscode.workspace.findFiles(
      '**/{*.compiled.json,*.pkg,*.tolk}',
      '**/node_modules/**',
      limits.projectFiles.most,
    ),
    import('../../toolkit/abi/builtFile'),
    import('../../toolkit/build/projectCompiler'),
  ]);
  const path = builtFile(
    contract,
    files.map((file) => file.path),
  );
  const built = files.find((file) => file.path === path);
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
