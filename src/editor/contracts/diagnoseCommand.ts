import { statSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { ProjectFile } from '../../toolkit/contracts/abi/projectFile';
import { projectFiles } from '../../toolkit/contracts/abi/projectFile';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { DiagnosedProject } from '../../toolkit/workflows/diagnosedProject';
import type { Services } from '../project/services';
import { withProgress } from '../ui/withProgress';

/**
 * TON: Why Is There Nothing Here?: what keeps the workspace's contracts, lenses, or lines from being found, the cause
 * first, as a document to copy into a report.
 */
export async function diagnoseCommand(services: Services): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder?.uri.scheme !== 'file') {
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: 'No folder of this machine is open, so there are no contracts.',
      hint: 'Open the folder of a project.',
    });
  }
  const [{ diagnoseProject }, { diagnosisText }] = await Promise.all([
    import('../../toolkit/workflows/diagnoseProject'),
    import('../../toolkit/workflows/diagnosedProject'),
  ]);
  const findings = await withProgress('Looking at the project', async () =>
    diagnoseProject(await workspaceProject(services, folder.uri.fsPath)),
  );
  const { packageJSON } = services.context.extension as { packageJSON: { version?: string } };
  const text = diagnosisText(findings, [
    ['TON Workbench', packageJSON.version ?? 'of an unknown version'],
    ['editor', `${vscode.env.appName} ${vscode.version}, ${vscode.env.remoteName ?? 'desktop'}`],
    ['Node.js', process.version],
    ['system', `${process.platform} ${process.arch}`],
    ['trusted', vscode.workspace.isTrusted ? 'yes' : 'no'],
    ['folder', folder.uri.fsPath],
  ]);
  await services.documents.show(
    'diagnosis/Why Is There Nothing Here',
    { text: `${text}\n`, lenses: [] },
    { language: 'ton-report' },
  );
}

async function workspaceProject({ project }: Services, folder: string): Promise<DiagnosedProject> {
  const [{ limits }, { readUserText }, { packageVersion }, { networkFacts }, { systemClock }, tolk] =
    await Promise.all([
      import('../../toolkit/base/limits'),
      import('../../toolkit/base/readUserFile'),
      import('../../toolkit/build/projectCompiler'),
      import('../../toolkit/workflows/networkFacts'),
      import('../../toolkit/base/time'),
      import('@ton/tolk-js/package.json'),
    ]);
  const { pattern, excluded } = projectFiles;
  const uris = await vscode.workspace.findFiles(pattern, excluded, limits.projectFiles.most);
  const named = new Map(uris.map((uri) => [vscode.workspace.asRelativePath(uri), uri]));
  const at = (name: string): string => named.get(name)?.fsPath ?? path.join(folder, name);
  const read = (name: string): string | undefined => {
    try {
      return readUserText(at(name), 'projectFileBytes');
    } catch {
      return undefined;
    }
  };
  return {
    ...{
      folder,
      isProject: true,
      contracts: await project.list(),
      problems: [],
      ownTolk: tolk.version,
      read,
    },
    files: [...named.keys()].map((name): ProjectFile => ({ path: name, text: read(name) ?? '' })),
    modified: (name) => statSync(at(name), { throwIfNoEntry: false })?.mtimeMs,
    installed: (name, of) => packageVersion(at(name), of),
    mayRun: () =>
      vscode.workspace.isTrusted
        ? true
        : 'Trust this workspace: in the command palette, Workspaces: Manage Workspace Trust.',
    compile: (name) => project.compile(vscode.Uri.file(at(name))),
    map: (name) => project.map(vscode.Uri.file(at(name))),
    ...(await networkFacts(folder, readSetting(vscode.workspace, 'tonWorkbench.ports').localNetwork)),
    now: systemClock.now(),
  };
}
