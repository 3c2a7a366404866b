import * as vscode from 'vscode';
import type { LayoutSet } from '../../toolkit/layouts/cellLayout';
import type { Log } from '../../toolkit/log';

/** What the compilers of Tact and Tolk write. */
const pattern = '**/{*.abi,*.pkg,*.abi.json,abi.json,build/abi/*.json}';
const excluded = '**/{node_modules,.git,.yarn}/**';
const mostFiles = 200;
/** What is larger is no ABI. */
const mostBytes = 2 * 1024 * 1024;

/** The structs that the workspace's ABIs tell of. A file that cannot be read as one tells nothing. */
export async function workspaceLayouts(log: Log): Promise<LayoutSet[]> {
  const files = await vscode.workspace.findFiles(pattern, excluded, mostFiles);
  if (files.length === 0) {
    return [];
  }
  const { readLayouts } = await import('../../toolkit/layouts/readLayouts');
  const sets = await Promise.all(
    files.map(async (uri): Promise<LayoutSet | undefined> => {
      const origin = vscode.workspace.asRelativePath(uri);
      try {
        const { size } = await vscode.workspace.fs.stat(uri);
        return size > mostBytes
          ? undefined
          : await readLayouts(origin, new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
      } catch (error) {
        log.debug(`${origin} tells no layouts: ${String(error)}`);
        return undefined;
      }
    }),
  );
  return sets.filter((set) => set !== undefined).sort((a, b) => a.origin.localeCompare(b.origin));
}
