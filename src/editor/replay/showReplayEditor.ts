import type * as vscode from 'vscode';
import { fileName } from '../../toolkit/base/text';
import { replayText } from '../../toolkit/replay/replayReport';
import { accountNameOn } from '../project/accountName';
import { showTextPage } from '../ui/showTextPage';
import { readReplay } from './replayCommands';
import type { ReplayServices } from './replays';
import { withLines } from './showReplay';
import { runInWindow } from './findReplayTarget';

/** Fills the read-only editor of a *.tonreplay file with the result of its replay. */
export async function showReplayEditor(
  services: ReplayServices,
  uri: vscode.Uri,
  panel: vscode.WebviewPanel,
): Promise<void> {
  const page = {
    read: async () => {
      const { report } = await withLines(services, await runInWindow(services, await readReplay(uri)));
      return replayText(report, fileName, accountNameOn(services, report.inputs.network));
    },
    label: 'Replay',
    link: { title: 'Open as text: steps, changes, copies', command: 'tonWorkbench.openReplay' },
  } as const;
  await showTextPage(uri, panel, page, services.log);
}
