import type * as vscode from 'vscode';
import { replayText } from '../../toolkit/replay/replayText';
import { showTextPage } from '../ui/showTextPage';
import { readReplay } from './replayCommands';
import type { ReplayServices } from './replayServices';
import { withLines } from './replayLines';
import { runInWindow } from './runInWindow';

/** Fills the read-only editor of a *.tonreplay file with the result of its replay. */
export async function showReplayEditor(
  services: ReplayServices,
  uri: vscode.Uri,
  panel: vscode.WebviewPanel,
): Promise<void> {
  const page = {
    read: async () =>
      replayText((await withLines(services, await runInWindow(services, await readReplay(uri)))).report),
    label: 'Replay',
    link: { title: 'Open as text: steps, changes, copies', command: 'tonWorkbench.openReplay' },
  } as const;
  await showTextPage(uri, panel, page, services.log);
}
