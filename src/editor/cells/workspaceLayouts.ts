import * as vscode from 'vscode';
import { WorkbenchError } from '../../toolkit/errors';
import type { LayoutSet } from '../../toolkit/layouts/cellLayout';
import { layoutFiles } from '../../toolkit/layouts/layoutFiles';
import { limits, overLimitError } from '../../toolkit/limits';
import type { Log } from '../../toolkit/log';

const { pattern, excluded } = layoutFiles;

/** The structs that the workspace's ABIs tell of. A file that cannot be read as one tells nothing. */
export async function workspaceLayouts(log: Log): Promise<LayoutSet[]> {
  const files = await vscode.workspace.findFiles(pattern, excluded, limits.layoutFiles.most);
  if (files.length === 0) {
    return [];
  }
  const sets: (LayoutSet | undefined)[] = [];
  for (const uri of files) {
    // One after the other, others in between: reading takes its time in the extension host.
    await new Promise((resolve) => setImmediate(resolve));
    sets.push(await readOne(uri, log));
  }
  return sets.filter((set) => set !== undefined).sort((a, b) => a.origin.localeCompare(b.origin));
}

async function readOne(uri: vscode.Uri, log: Log): Promise<LayoutSet | undefined> {
  const origin = vscode.workspace.asRelativePath(uri);
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > limits.projectFileBytes.most) {
      throw overLimitError('projectFileBytes', { what: `The file ${origin}` });
    }
    const { readLayouts } = await import('../../toolkit/layouts/readLayouts');
    return await readLayouts(origin, new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  } catch (error) {
    const isOver = WorkbenchError.is(error, 'over-limit');
    log[isOver ? 'warn' : 'debug'](`${origin} has no readable layouts: ${String(error)}`);
    return undefined;
  }
}
