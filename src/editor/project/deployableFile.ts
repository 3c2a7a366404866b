import * as vscode from 'vscode';
import { limits } from '../../toolkit/limits';

/**
 * The file that a workspace contract can be deployed from: its source if that can be compiled here, else
 * build output; undefined if there is neither.
 *
 * @param source the file that the request comes from, as text of a URI
 */
export async function deployableFile(
  contract: string,
  source: string | undefined,
): Promise<vscode.Uri | undefined> {
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
  return files.find((file) => file.path === path);
}
