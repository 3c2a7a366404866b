import * as vscode from 'vscode';
import type { ReplayTarget } from '../../commandTargets';
import { limits, overLimitError } from '../../toolkit/base/limits';
import { targetHash } from '../../toolkit/replay/replaySource';
import { fileName, shortenMiddle } from '../../toolkit/base/text';
import { readWorkspaceText } from '../ui/readWorkspaceFile';
import { withProgress } from '../ui/withProgress';
import { findReplayTarget, gatherInWindow, openInWindow, runInWindow } from './findReplayTarget';
import type { GatheredInputs, ReplayServices } from './replays';
import { replayLines, replayTitle, showReplay, showSteps, withLines } from './showReplay';

/** TON: Replay…: runs a transaction again as it was, and shows how well the result agrees. */
export async function replayCommand(
  services: ReplayServices,
  given: ReplayTarget | undefined,
): Promise<void> {
  const target = await findReplayTarget(services, 'TON: Replay', given);
  if (target === undefined) {
    return;
  }
  await showReplay(services, await withLines(services, await openInWindow(services, target)));
}

/** TON: Save Replay…: writes everything that a transaction depended on to a file, which replays without a network. */
export async function saveReplayCommand(
  services: ReplayServices,
  given: ReplayTarget | undefined,
): Promise<void> {
  const target = await findReplayTarget(services, 'TON: Save Replay', given);
  if (target === undefined) {
    return;
  }
  const { inputs } = await gatherInWindow(services, target);
  const { replayFileText } = await import('../../toolkit/replay/replayFile');
  const text = replayFileText(inputs);
  if (text.length > limits.replayFile.most) {
    throw overLimitError('replayFile', { what: 'This replay' });
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const hash = shortenMiddle(targetHash(inputs));
  const name = `replay-${hash.replace(/[^\w-]/g, '-')}.tonreplay`;
  const file = await vscode.window.showSaveDialog({
    title: 'Save Replay',
    filters: { 'TON replay': ['tonreplay'] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (file === undefined) {
    return;
  }
  await vscode.workspace.fs.writeFile(file, Buffer.from(text));
  const open = await vscode.window.showInformationMessage(
    `Saved ${fileName(file.path)}. It replays without a network.`,
    'Open',
  );
  if (open !== undefined) {
    await openReplayCommand(services, file);
  }
}

/** TON: Open Replay…: replays what a file says, without a network. */
export async function openReplayCommand(
  services: ReplayServices,
  given: vscode.Uri | string | undefined,
): Promise<void> {
  const file = typeof given === 'string' ? vscode.Uri.parse(given, true) : (given ?? (await askFile()));
  if (file !== undefined) {
    const opened = await runInWindow(services, await readReplay(file));
    await showReplay(services, await withLines(services, opened));
  }
}

/**
 * The inputs in a file.
 *
 * @throws WorkbenchError `replay-file-invalid` (input), `over-limit`
 */
export async function readReplay(file: vscode.Uri): Promise<GatheredInputs> {
  return withProgress(`Reading ${fileName(file.path)}`, async () => {
    const { openReplayFile } = await import('../../toolkit/replay/replayFile');
    const text = await readWorkspaceText(file, 'replayFile');
    return { inputs: openReplayFile(text), requests: 0 };
  });
}

async function askFile(): Promise<vscode.Uri | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: 'Open Replay',
    filters: { 'TON replay': ['tonreplay'], 'All files': ['*'] },
  });
  return files?.[0];
}

/** TON: Show Steps…: every step of a transaction, of a rehearsed one, or of a replay, as a document to search. */
export async function showStepsCommand(
  services: ReplayServices,
  given: ReplayTarget | undefined,
): Promise<void> {
  const target = await findReplayTarget(services, 'TON: Show Steps', given, { rehearsals: true });
  if (target === undefined) {
    return;
  }
  const replay = await openInWindow(services, target);
  const [recording, lines] = await withProgress(
    `Recording the steps of the ${replayTitle(replay)}`,
    async (signal) => [
      await services.replays.recording(replay, signal),
      await replayLines(services, replay, signal),
    ],
  );
  await showSteps(services, replay, recording, lines);
}
