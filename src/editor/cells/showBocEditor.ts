import type * as vscode from 'vscode';
import type { Services } from '../services';
import { showTextPage } from '../ui/showTextPage';
import { describeInWorkspace } from './describeInWorkspace';
import { readBocFile } from './pickBoc';
import { readPickedBoc } from './readPickedBoc';

/** Fills the read-only editor of a *.boc file with the inspector's text. */
export async function showBocEditor(
  services: Services,
  uri: vscode.Uri,
  panel: vscode.WebviewPanel,
): Promise<void> {
  const page = {
    read: async () => (await describeInWorkspace(services, await readPickedBoc(await readBocFile(uri)))).text,
    label: 'Cells',
    link: { title: 'Open as text: fold, copy, compare, disassemble', command: 'tonWorkbench.inspectBoc' },
  } as const;
  await showTextPage(uri, panel, page, services.log);
}
